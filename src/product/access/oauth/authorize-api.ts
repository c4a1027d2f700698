// User authorization: creates a one-time magic link or a user token for an account, and gives the
// status of a link.
import type { z } from 'zod';
import type { Queryable } from '../../../db/index.ts';
import { operation, type DomainOperation, type Services } from '../../context.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import { instantFromMillis } from '../../../core/time.ts';
import { namesNoAccount } from '../../people/account/index.ts';
import { attestConsent } from '../../people/consent/index.ts';
import { onceSealed, type SecretAnswer } from '../../idempotent/index.ts';
import { grantToUser, REFRESH_SECONDS, scopesAsked, type UnstoredGrant } from './grants.ts';
import { createLink, LINK_SECONDS, readLinkStatus, type Link } from './magic-links.ts';
import { refusals } from './refusals.ts';
import {
  authorizeUserBody,
  authorizeUserPayload,
  linkParams,
  linkStatusPayload,
} from './schema.ts';
import { SESSION_SCOPES, USER_SCOPES } from './scopes.ts';
import { ACCESS_SECONDS, tokensOf } from './tokens.ts';

type Body = z.output<typeof authorizeUserBody>;

/** UUID of the account to authorize: the caller's own for a user token, else the body's. */
function accountAsked(caller: Caller, asked: string | undefined): string {
  const named = asked ?? caller.accountId;
  if (named === null) throw refuse(inputRefusals.MISSING_FIELD, { account_id: 'is required' });
  const foreign = caller.accountId !== null && named !== caller.accountId;
  const account = foreign ? null : uuidOfWireId('acct', named);
  if (account === null) throw namesNoAccount();
  return account;
}

/** Throws a Refusal for an unknown or blocked account. [G-14] */
export async function requireOpenAccount(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<void> {
  const rows = await db.query<{ blocked: boolean }>({
    name: 'oauth_account',
    // Locked, so that a concurrent block waits and then ends what is given here. [G-16]
    text: 'select blocked from account where workspace = $1 and id = $2 for share',
    values: [workspace, account],
  });
  if (rows[0] === undefined) throw namesNoAccount();
  if (rows[0].blocked) throw refuse(refusals.ACCOUNT_BLOCKED);
}

/** The requested scopes as one text. */
function textOf(asked: Body['scopes']): string {
  return typeof asked === 'string' ? asked : (asked ?? []).join(' ');
}

/**
 * What a link may give: the requested scopes, or what its flow will need; for a user token never
 * more than it has. [G-12, G-14]
 */
function scopesOfLink({ kind, scopes }: Caller, body: Body) {
  const most =
    kind === 'client' ? SESSION_SCOPES : SESSION_SCOPES.filter((one) => scopes.has(one));
  const asked = scopesAsked(textOf(body.scopes), most);
  return { scopes: asked ?? most, byFlow: asked === null };
}

/** The widget, or the hosted pages under the service's own word. [G-80] */
function mechanismAsked(services: Services, asked: string | undefined): string {
  const known = ['widget', `${services.word}_hosted`];
  const mechanism = asked ?? 'widget';
  if (!known.includes(mechanism)) {
    throw refuse(inputRefusals.INVALID_FIELD, { mechanism: `must be one of: ${known.join(', ')}` });
  }
  return mechanism;
}

/** A user token, signed before the transaction, which must not wait for a second connection. */
async function signToken(services: Services, caller: Caller, account: string, body: Body) {
  if (caller.kind !== 'client') throw refuse(refusals.USER_TOKEN_NOT_ALLOWED);
  const scopes = scopesAsked(textOf(body.scopes), USER_SCOPES) ?? USER_SCOPES;
  const tokens = await tokensOf(services);
  const client = await tokens.watch.client(caller.clientId);
  if (client === null) throw new Error('the client of a verified token does not exist');
  const seconds = body.token_expiration_seconds ?? ACCESS_SECONDS;
  return grantToUser(services, tokens, { client, account, scopes, seconds });
}

function tokenAnswer({ access, seconds, refreshToken }: UnstoredGrant['granted']): SecretAnswer {
  const expiry = instantFromMillis(access.expiresAt);
  return {
    status: 200,
    payload: { token: { access_token: '', token_type: 'Bearer', refresh_token: '', expiry } },
    secrets: [
      { place: 'token.access_token', text: access.token, seconds },
      { place: 'token.refresh_token', text: refreshToken, seconds: REFRESH_SECONDS },
    ],
  };
}

function linkAnswer({ id, redirect }: Link): SecretAnswer {
  return {
    status: 200,
    payload: { redirect: '', nonce_auth_id: id },
    secrets: [{ place: 'redirect', text: redirect, seconds: LINK_SECONDS }],
  };
}

const authorizeUser = operation({
  id: 'authorizeUser',
  route: 'POST auth /authorize/user',
  summary: 'Creates a one-time link to a web flow, or a user token.',
  cites: 'seed: Auth host, G-14',
  access: { client: 'write_user_tokens', user: 'verify_kyc' },
  body: authorizeUserBody,
  answers: { 200: authorizeUserPayload },
  refusals: [
    refusals.USER_TOKEN_NOT_ALLOWED,
    refusals.ACCOUNT_NOT_FOUND,
    refusals.ACCOUNT_BLOCKED,
    refusals.INVALID_SCOPE,
    refusals.CONSENT_REVOKED,
  ],
  run: async (services, { caller, body, idempotency }) => {
    const { workspace, clientId, integrator } = caller;
    const mechanism = mechanismAsked(services, body.mechanism);
    if (mechanism !== 'widget' && body.flow === undefined && body.return_token !== true) {
      throw refuse(inputRefusals.MISSING_FIELD, { flow: 'is required for a hosted page' });
    }
    const account = accountAsked(caller, body.account_id);
    if (body.return_token === true) {
      const { granted, store } = await signToken(services, caller, account, body);
      return onceSealed(services, workspace, idempotency, async (tx) => {
        await requireOpenAccount(tx, workspace, account);
        const consent = { workspace, account, clientId, scopes: granted.scopes };
        if (!(await attestConsent(tx, consent))) throw refuse(refusals.CONSENT_REVOKED);
        await tx.execute(store);
        return tokenAnswer(granted);
      });
    }
    const request = {
      ...{ workspace, clientId, integrator, account, mechanism },
      flow: body.flow ?? null,
      ...scopesOfLink(caller, body),
      sessionSeconds: body.token_expiration_seconds ?? ACCESS_SECONDS,
    };
    return onceSealed(services, workspace, idempotency, async (tx) => {
      await requireOpenAccount(tx, workspace, account);
      const { random, urls } = services;
      return linkAnswer(await createLink({ random, urls, db: tx }, request));
    });
  },
});

const getLinkStatus = operation({
  id: 'getLinkStatus',
  route: 'GET auth /authorize/user/{nonce_auth_id}',
  summary: 'Tells whether a one-time link was used or has expired.',
  cites: 'G-14',
  access: { client: 'write_user_tokens' },
  params: linkParams,
  answers: { 200: linkStatusPayload },
  refusals: [refusals.LINK_NOT_FOUND],
  run: async (services, { caller, params }) => {
    const status = await readLinkStatus(services, caller.workspace, params.nonce_auth_id);
    if (status === null) throw refuse(refusals.LINK_NOT_FOUND);
    return { status: 200, payload: { nonce_auth_id: params.nonce_auth_id, status } };
  },
});

export const authorizeOperations: readonly DomainOperation[] = [authorizeUser, getLinkStatus];
