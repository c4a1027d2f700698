// The two grants of the token endpoint: a client for itself, and a refresh token for a user.
import { hash } from 'node:crypto';
import type { Statement } from '../../../db/index.ts';
import { accountId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Client } from './clients.ts';
import { refusals } from './refusals.ts';
import { scopeNames, scopesIn } from './scopes.ts';
import type { OAuthServices } from './services.ts';
import { ACCESS_SECONDS } from './tokens.ts';
import type { IssuedToken, Tokens } from './tokens.ts';

/** The result of a grant. */
export interface Granted {
  readonly access: IssuedToken;
  readonly seconds: number;
  readonly scopes: readonly string[];
  /** Null for a client's own token. */
  readonly refreshToken: string | null;
}

/** Seconds that a refresh token can be used. */
export const REFRESH_SECONDS = 30 * 86_400;
/** A revoked family is remembered longer than any of its tokens lives. */
export const FAMILY_MEMORY_SECONDS = REFRESH_SECONDS + 2 * 86_400;
const REFRESH_BYTES = 32;

/** The requested scopes, or all allowed ones for none. Refused where one is not allowed. */
export function grantedScopes(asked: string | undefined, allowed: readonly string[]): string[] {
  const names = asked === undefined ? [] : scopeNames(asked);
  if (names.length === 0) return [...allowed];
  if (names.some((name) => !allowed.includes(name))) throw refuse(refusals.INVALID_SCOPE);
  return names;
}

/** A client's token for itself. [seed: Authentication] */
export async function grantToClient(
  env: OAuthServices['env'],
  tokens: Tokens,
  client: Client,
  scope: string | undefined,
): Promise<Granted> {
  const there: readonly string[] = scopesIn(env);
  const own = client.scopes.filter((name) => there.includes(name));
  const scopes = grantedScopes(scope, own);
  const seconds = ACCESS_SECONDS;
  const access = await tokens.issue({ client, kind: 'client', accountId: null, scopes, seconds });
  return { access, seconds, scopes, refreshToken: null };
}

/** A grant whose refresh token is valid only once `store` has run. */
export interface UnstoredGrant {
  readonly granted: Granted & { readonly refreshToken: string };
  readonly store: Statement;
}

/** The user token of POST /authorize/user, the first of a family; the caller stores it. */
export async function grantToUser(
  services: Pick<OAuthServices, 'random'>,
  tokens: Tokens,
  user: {
    readonly client: Client;
    readonly account: string;
    readonly scopes: readonly string[];
    readonly seconds: number;
  },
): Promise<UnstoredGrant> {
  return grantFamily(services, tokens, { ...user, family: services.random.uuid() });
}

interface FamilyGrant {
  readonly client: Client;
  /** The account's UUID. */
  readonly account: string;
  readonly scopes: readonly string[];
  readonly seconds: number;
  readonly family: string;
  /** Scopes of the access token; by default those of the family. */
  readonly narrowed?: readonly string[];
}

async function grantFamily(
  services: Pick<OAuthServices, 'random'>,
  tokens: Tokens,
  grant: FamilyGrant,
): Promise<UnstoredGrant> {
  const { client, account, seconds, family } = grant;
  const refreshToken = services.random.bytes(REFRESH_BYTES).toString('base64url');
  const store: Statement = {
    name: 'oauth_refresh_insert',
    text: `insert into refresh_token
        (token_hash, family, client_id, workspace, account_id, scopes, access_seconds, expires)
      values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(secs => $8))`,
    values: [
      hash('sha256', refreshToken),
      family,
      client.clientId,
      client.workspace,
      account,
      grant.scopes,
      seconds,
      REFRESH_SECONDS,
    ],
  };
  const scopes = grant.narrowed ?? grant.scopes;
  const accountWireId = accountId(account);
  const access = await tokens.issue({
    client,
    kind: 'user',
    accountId: accountWireId,
    scopes,
    seconds,
    family,
  });
  return { granted: { access, seconds, scopes, refreshToken }, store };
}

interface RefreshRow {
  readonly family: string;
  readonly account_id: string;
  readonly scopes: string[];
  readonly access_seconds: number;
}

/**
 * Exchanges a refresh token for a new pair. Each is used once: a second use means that somebody has
 * a copy, and revokes the whole family with its access tokens. [G-10]
 */
export async function grantRefresh(
  services: OAuthServices,
  tokens: Tokens,
  client: Client,
  refreshToken: string,
  scope: string | undefined,
): Promise<Granted> {
  const tokenHash = hash('sha256', refreshToken);
  await refuseBadRefreshScope(services, client, tokenHash, scope);
  const rows = await services.db.query<RefreshRow>({
    name: 'oauth_refresh_use',
    text: `update refresh_token r set used_at = clock_timestamp()
      from account a
      where r.token_hash = $1 and r.client_id = $2 and r.workspace = $3
        and r.used_at is null and r.expires > clock_timestamp()
        and a.workspace = r.workspace and a.id = r.account_id and not a.blocked
        and not exists (select from revoked_token v
          where v.kind = 'family' and v.id = r.family::text)
        and exists (select from consent c where c.workspace = r.workspace
          and c.account_id = r.account_id and c.revoked is null and c.scopes @> r.scopes)
      returning r.family, r.account_id, r.scopes, r.access_seconds`,
    values: [tokenHash, client.clientId, client.workspace],
  });
  const row = rows[0];
  if (row === undefined) {
    await revokeIfReused(services, tokens, client, tokenHash);
    throw refuse(refusals.INVALID_GRANT);
  }
  const { granted, store } = await grantFamily(services, tokens, {
    client,
    account: row.account_id,
    scopes: row.scopes,
    seconds: row.access_seconds,
    family: row.family,
    narrowed: grantedScopes(scope, row.scopes),
  });
  await services.db.execute(store);
  return granted;
}

/** Checked before the token is used up, so that a wrong scope does not cost the user the family. */
async function refuseBadRefreshScope(
  services: OAuthServices,
  client: Client,
  tokenHash: string,
  scope: string | undefined,
): Promise<void> {
  if (scope === undefined || scope === '') return;
  const rows = await services.db.query<{ scopes: string[] }>({
    text: 'select scopes from refresh_token where token_hash = $1 and client_id = $2',
    values: [tokenHash, client.clientId],
  });
  if (rows[0] !== undefined) grantedScopes(scope, rows[0].scopes);
}

async function revokeIfReused(
  services: OAuthServices,
  tokens: Tokens,
  client: Client,
  tokenHash: string,
): Promise<void> {
  const rows = await services.db.query<{ family: string }>({
    text: `select family from refresh_token
      where token_hash = $1 and client_id = $2 and used_at is not null`,
    values: [tokenHash, client.clientId],
  });
  if (rows[0] !== undefined) await revokeFamily(tokens, rows[0].family);
}

/** Revokes all refresh and access tokens of a family. */
export async function revokeFamily(tokens: Tokens, family: string): Promise<void> {
  const expires = tokens.watch.now() + FAMILY_MEMORY_SECONDS;
  await tokens.watch.revoke('family', family, expires);
}

/** A refresh token as introspection and revocation need it. */
export interface RefreshState {
  readonly family: string;
  readonly clientId: string;
  readonly accountId: string;
  readonly scopes: readonly string[];
  readonly issued: number;
  readonly expires: number;
  readonly live: boolean;
}

/** The refresh token of this text in the client's workspace, or null. */
export async function readRefresh(
  services: OAuthServices,
  client: Client,
  refreshToken: string,
): Promise<RefreshState | null> {
  const rows = await services.db.query<RefreshStateRow>({
    text: `select r.family, r.client_id, r.account_id, r.scopes,
        extract(epoch from r.created)::float8 as issued,
        extract(epoch from r.expires)::float8 as expires,
        r.used_at is null and r.expires > clock_timestamp() and not exists (
          select from revoked_token v where v.kind = 'family' and v.id = r.family::text) as live
      from refresh_token r where r.token_hash = $1 and r.workspace = $2`,
    values: [hash('sha256', refreshToken), client.workspace],
  });
  const row = rows[0];
  if (row === undefined) return null;
  return {
    family: row.family,
    clientId: row.client_id,
    accountId: accountId(row.account_id),
    scopes: row.scopes,
    issued: Math.floor(row.issued),
    expires: Math.floor(row.expires),
    live: row.live,
  };
}

interface RefreshStateRow {
  readonly family: string;
  readonly client_id: string;
  readonly account_id: string;
  readonly scopes: string[];
  readonly issued: number;
  readonly expires: number;
  readonly live: boolean;
}
