// The operations of the auth host that follow OAuth's own specifications: token, revocation,
// introspection, keys, metadata.
import { operation, type DomainOperation } from '../../context.ts';
import { accountId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { authorizeOperations } from './authorize-api.ts';
import { readProof } from './client-proof.ts';
import { authenticateClient, type Client } from './clients.ts';
import { grantRefresh, grantToClient, readRefresh, revokeFamily, type Granted } from './grants.ts';
import { refusals } from './refusals.ts';
import {
  introspection,
  openDocument,
  tokenAnswer,
  tokenBody,
  tokenQuestionBody,
} from './schema.ts';
import { scopesIn } from './scopes.ts';
import type { OAuthServices } from './services.ts';
import { tokensOf, type Tokens } from './tokens.ts';

const FORM_LIMIT = 16_384;
/** Keys and metadata change rarely; receivers may cache them for five minutes. */
const CACHED = { 'Cache-Control': 'public, max-age=300' };
const NO_CACHE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function proofOf(headers: Headers, body: { client_id?: string | undefined }) {
  const { authorization } = headers;
  return readProof(typeof authorization === 'string' ? authorization : undefined, body);
}

function tokenBodyOf(granted: Granted): Record<string, unknown> {
  const members = {
    access_token: granted.access.token,
    token_type: 'Bearer',
    expires_in: granted.seconds,
    scope: granted.scopes.join(' '),
    ...(granted.refreshToken === null ? {} : { refresh_token: granted.refreshToken }),
  };
  return { ...members, status: 'Success', message: [], codes: [], payload: members };
}

const createToken = operation({
  id: 'createToken',
  route: 'POST auth /token',
  summary: 'Issues an access token to a client, or a new token pair for a refresh token.',
  cites: 'G-10',
  access: 'public',
  body: tokenBody,
  accepts: 'form',
  bodyLimit: FORM_LIMIT,
  bare: true,
  answers: { 200: tokenAnswer },
  refusals: [
    refusals.INVALID_REQUEST,
    refusals.INVALID_CLIENT,
    refusals.UNSUPPORTED_GRANT_TYPE,
    refusals.INVALID_GRANT,
    refusals.INVALID_SCOPE,
  ],
  run: async (services, { body, headers }) => {
    const client = await authenticateClient(services, proofOf(headers, body));
    const tokens = await tokensOf(services);
    const granted = await grant(services, tokens, client, body);
    return { status: 200, bare: tokenBodyOf(granted), headers: NO_CACHE };
  },
});

interface GrantRequest {
  readonly grant_type: string;
  readonly scope?: string | undefined;
  readonly refresh_token?: string | undefined;
}

function grant(
  services: OAuthServices,
  tokens: Tokens,
  client: Client,
  body: GrantRequest,
): Promise<Granted> {
  if (body.grant_type === 'client_credentials') {
    return grantToClient(services.env, tokens, client, body.scope);
  }
  if (body.grant_type !== 'refresh_token') throw refuse(refusals.UNSUPPORTED_GRANT_TYPE);
  const refreshToken = body.refresh_token ?? '';
  if (refreshToken === '') {
    throw refuse(refusals.INVALID_REQUEST, { refresh_token: 'is required' });
  }
  return grantRefresh(services, tokens, client, refreshToken, body.scope);
}

const revokeToken = operation({
  id: 'revokeToken',
  route: 'POST auth /revoke',
  summary: 'Revokes an access token, or a refresh token with its whole family (RFC 7009).',
  cites: 'G-10',
  access: 'public',
  body: tokenQuestionBody,
  accepts: 'form',
  bodyLimit: FORM_LIMIT,
  bare: true,
  answers: { 200: null },
  refusals: [refusals.INVALID_REQUEST, refusals.INVALID_CLIENT],
  run: async (services, { body, headers }) => {
    const client = await authenticateClient(services, proofOf(headers, body));
    const tokens = await tokensOf(services);
    // Nothing to end and another client's token are answered alike: 200, and nothing happens.
    const claims = await tokens.inspect(body.token);
    if (claims !== null) {
      if (claims.clientId === client.clientId) await tokens.revoke(claims);
      return { status: 200, headers: NO_CACHE };
    }
    const refresh = await readRefresh(services, body.token);
    const own = refresh?.workspace === client.workspace && refresh.clientId === client.clientId;
    if (own) await revokeFamily(tokens, refresh.family);
    return { status: 200, headers: NO_CACHE };
  },
});

const introspectToken = operation({
  id: 'introspectToken',
  route: 'POST auth /introspect',
  summary: "Returns the state and claims of a token of the client's tenant (RFC 7662).",
  cites: 'G-10',
  access: 'public',
  body: tokenQuestionBody,
  accepts: 'form',
  bodyLimit: FORM_LIMIT,
  bare: true,
  answers: { 200: introspection },
  refusals: [refusals.INVALID_REQUEST, refusals.INVALID_CLIENT],
  run: async (services, { body, headers }) => {
    const client = await authenticateClient(services, proofOf(headers, body));
    const answer = await introspect(services, await tokensOf(services), client, body.token);
    return { status: 200, bare: answer, headers: NO_CACHE };
  },
});

async function introspect(
  services: OAuthServices,
  tokens: Tokens,
  client: Client,
  token: string,
): Promise<Record<string, unknown>> {
  const claims = await tokens.inspect(token);
  const caller = claims === null ? null : await tokens.verify(token);
  if (claims !== null && caller?.workspace === client.workspace) {
    return {
      active: true,
      scope: [...caller.scopes].join(' '),
      client_id: claims.clientId,
      token_type: 'Bearer',
      exp: claims.expires,
      iat: claims.issued,
      nbf: claims.notBefore,
      sub: claims.subject,
      aud: tokens.audience,
      iss: tokens.issuer,
      jti: claims.jti,
      account_id: claims.accountId,
    };
  }
  const refresh = await readRefresh(services, token);
  if (refresh?.workspace !== client.workspace || !refresh.live) return { active: false };
  const account_id = accountId(refresh.account);
  return {
    active: true,
    scope: refresh.scopes.join(' '),
    client_id: refresh.clientId,
    token_type: 'refresh_token',
    exp: refresh.expires,
    iat: refresh.issued,
    sub: account_id,
    account_id,
  };
}

const published = {
  access: 'public',
  bare: true,
  answers: { 200: openDocument },
} as const;

const getKeys = operation({
  ...published,
  id: 'getKeys',
  route: 'GET auth /.well-known/jwks.json',
  summary: 'Returns the public keys that verify tokens of this installation (RFC 7517).',
  cites: 'G-10',
  run: async (services) => {
    const tokens = await tokensOf(services);
    return { status: 200, bare: { keys: tokens.jwks() }, headers: CACHED };
  },
});

const getMetadata = operation({
  ...published,
  id: 'getAuthorizationServerMetadata',
  route: 'GET auth /.well-known/oauth-authorization-server',
  summary: 'Returns the metadata of this authorization server (RFC 8414).',
  cites: 'G-10',
  run: async (services) => {
    const { issuer } = await tokensOf(services);
    return { status: 200, bare: metadata(services, issuer), headers: CACHED };
  },
});

function metadata({ env, urls }: OAuthServices, issuer: string): Record<string, unknown> {
  const base = urls.auth;
  const methods = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer,
    token_endpoint: `${base}/token`,
    revocation_endpoint: `${base}/revoke`,
    introspection_endpoint: `${base}/introspect`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    scopes_supported: scopesIn(env),
    response_types_supported: [],
    grant_types_supported: ['client_credentials', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: methods,
  };
}

export const operations: readonly DomainOperation[] = [
  createToken,
  revokeToken,
  introspectToken,
  getKeys,
  getMetadata,
  ...authorizeOperations,
];
