// The wire fields of the auth host: the one place where they are spelled.
import { z } from 'zod';
import { optional, reference, strictObject, uuid, wireIdOf } from '../../../core/schema.ts';
import { FLOWS } from './scopes.ts';


const parameter = reference(4_096);

/** POST /token. Unknown parameters are ignored (RFC 6749, section 3.2). [G-10] */
export const tokenBody = z.looseObject({
  grant_type: reference(64).meta({ enum: ['client_credentials', 'refresh_token'] }),
  client_id: optional(reference(64)),
  client_secret: optional(reference(255)),
  scope: optional(parameter),
  refresh_token: optional(parameter),
});

/** POST /revoke (RFC 7009) and POST /introspect (RFC 7662). */
export const tokenQuestionBody = z.looseObject({
  token: reference(8_192),
  token_type_hint: optional(reference(64)),
  client_id: optional(reference(64)),
  client_secret: optional(reference(255)),
});

const tokenMembers = {
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.number(),
  scope: z.string(),
  refresh_token: z.string().optional(),
};

/** OAuth's members at the top, the envelope's four beside them. [G-10] */
export const tokenAnswer = z.strictObject({
  ...tokenMembers,
  status: z.literal('Success'),
  message: z.array(z.string()),
  codes: z.array(z.string()),
  payload: z.strictObject(tokenMembers).meta({ title: 'IssuedToken' }),
});

/** The longest life of a user token or session, in seconds. */
export const LONGEST_SECONDS = 86_400;

const scopeList = z
  .union([z.array(reference(64)).max(50), reference(2_048)])
  .meta({ description: 'An array of names, or one string separated by spaces or commas.' });

/** POST /authorize/user. [seed: Auth host, G-14] */
export const authorizeUserBody = strictObject({
  account_id: optional(wireIdOf('acct')),
  return_token: optional(z.boolean()),
  mechanism: optional(reference(64)),
  flow: optional(z.enum(FLOWS)),
  scopes: optional(scopeList),
  token_expiration_seconds: optional(z.number().int().min(1).max(LONGEST_SECONDS)),
});

export const authorizeUserPayload = z.union([
  z.strictObject({ redirect: z.string(), nonce_auth_id: z.string() }).meta({ title: 'UserLink' }),
  z.strictObject({
    token: z.strictObject({
      access_token: z.string(),
      token_type: z.literal('Bearer'),
      refresh_token: z.string(),
      expiry: z.string(),
    }).meta({ title: 'TokenPair' }),
  }).meta({ title: 'UserToken' }),
]);

/** Path of GET /authorize/user/{nonce_auth_id}. */
export const linkParams = strictObject({ nonce_auth_id: uuid() });

export const linkStatusPayload = z.strictObject({
  nonce_auth_id: z.string(),
  status: z.enum(['unused', 'used', 'expired']),
});

/** RFC 7662; an inactive token has no other field. */
export const introspection = z.union([
  z.strictObject({ active: z.literal(false) }).meta({ title: 'InactiveToken' }),
  z.strictObject({
    active: z.literal(true),
    scope: z.string(),
    client_id: z.string(),
    token_type: z.string(),
    exp: z.number(),
    iat: z.number(),
    nbf: z.number().optional(),
    sub: z.string(),
    aud: z.string().optional(),
    iss: z.string().optional(),
    jti: z.string().optional(),
    account_id: z.string().optional(),
  }).meta({ title: 'ActiveToken' }),
]);

/** A document that others specify: RFC 7517 and RFC 8414. */
export const openDocument = z.record(z.string(), z.unknown());
