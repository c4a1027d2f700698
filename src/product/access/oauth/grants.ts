// The two grants of the token endpoint: a client for itself, and a refresh token for a user.
import { hash } from 'node:crypto';
import { prepared, sql, type Statement } from '../../../db/index.ts';
import { accountId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Client } from './clients.ts';
import { refusals } from './refusals.ts';
import { scopeNames, scopesIn } from './scopes.ts';
import type { OAuthServices } from './services.ts';
import { ACCESS_SECONDS, type IssuedToken, type Tokens } from './tokens.ts';

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

/** The requested scopes, null for none. Refused where one is not allowed. */
export function scopesAsked(asked: string, allowed: readonly string[]): string[] | null {
  const names = scopeNames(asked);
  if (names.some((name) => !allowed.includes(name))) throw refuse(refusals.INVALID_SCOPE);
  return names.length === 0 ? null : names;
}

/** A client's token for itself. [seed: Authentication] */
export async function grantToClient(
  env: OAuthServices['env'],
  tokens: Tokens,
  client: Client,
  scope = '',
): Promise<Granted> {
  const there: readonly string[] = scopesIn(env);
  const own = client.scopes.filter((name) => there.includes(name));
  const scopes = scopesAsked(scope, own) ?? own;
  const seconds = ACCESS_SECONDS;
  const access = await tokens.issue({ client, kind: 'client', accountId: null, scopes, seconds });
  return { access, seconds, scopes, refreshToken: null };
}

/** A grant whose refresh token is valid only once `store` has run. */
export interface UnstoredGrant {
  readonly granted: Granted & { readonly refreshToken: string };
  readonly store: Statement;
}

interface UserGrant {
  readonly client: Client;
  /** The account's UUID. */
  readonly account: string;
  readonly scopes: readonly string[];
  readonly seconds: number;
  /** By default a new one. */
  readonly family?: string;
  /** Scopes of the access token; by default those of the family. */
  readonly narrowed?: readonly string[] | null;
}

/** A token pair for a user, for the caller to store. */
export async function grantToUser(
  services: Pick<OAuthServices, 'random'>,
  tokens: Tokens,
  grant: UserGrant,
): Promise<UnstoredGrant> {
  const { client, account, seconds, family = services.random.uuid() } = grant;
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
  const owner = { client, kind: 'user', accountId: accountId(account) } as const;
  const access = await tokens.issue({ ...owner, scopes, seconds, family });
  return { granted: { access, seconds, scopes, refreshToken }, store };
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
  scope = '',
): Promise<Granted> {
  const tokenHash = hash('sha256', refreshToken);
  // Checked before the token is used up, so that a wrong scope does not cost the user the family.
  const known = scope === '' ? null : await readRefresh(services, refreshToken);
  if (known?.clientId === client.clientId) scopesAsked(scope, known.scopes);
  const [used] = await services.db.query<Omit<UserGrant, 'client' | 'narrowed'>>(
    prepared('oauth_refresh_use')`
    update refresh_token r set used_at = $now
    from account a
    where r.token_hash = ${tokenHash} and r.client_id = ${client.clientId}
      and r.workspace = ${client.workspace}
      and r.used_at is null and r.expires > $now
      and a.workspace = r.workspace and a.id = r.account_id and not a.blocked
      and not exists (select from revoked_token v
        where v.kind = 'family' and v.id = r.family::text)
      and exists (select from consent c where c.workspace = r.workspace
        and c.account_id = r.account_id and c.revoked is null and c.scopes @> r.scopes)
    returning r.family, r.account_id as account, r.scopes, r.access_seconds as seconds`);
  if (used === undefined) {
    const failed = await readRefresh(services, refreshToken);
    if (failed?.clientId === client.clientId && failed.used) {
      await revokeFamily(tokens, failed.family);
    }
    throw refuse(refusals.INVALID_GRANT);
  }
  const narrowed = scopesAsked(scope, used.scopes);
  const { granted, store } = await grantToUser(services, tokens, { client, ...used, narrowed });
  await services.db.execute(store);
  return granted;
}

/** Revokes all refresh and access tokens of a family. */
export async function revokeFamily(tokens: Tokens, family: string): Promise<void> {
  const expires = tokens.watch.now() + FAMILY_MEMORY_SECONDS;
  await tokens.watch.revoke('family', family, expires);
}

/** A refresh token as it is stored. Times are in seconds since 1970. */
export interface RefreshState {
  readonly family: string;
  readonly clientId: string;
  readonly workspace: number;
  /** The account's UUID. */
  readonly account: string;
  readonly scopes: readonly string[];
  readonly issued: number;
  readonly expires: number;
  readonly used: boolean;
  readonly live: boolean;
}

/** The refresh token of this text, or null. */
export async function readRefresh(
  { db }: Pick<OAuthServices, 'db'>,
  refreshToken: string,
): Promise<RefreshState | null> {
  const [row] = await db.query<RefreshState>(sql`
    select r.family, r.client_id as "clientId", r.workspace, r.account_id as account,
      r.scopes,
      floor(extract(epoch from r.created))::float8 as issued,
      floor(extract(epoch from r.expires))::float8 as expires, r.used_at is not null as used,
      r.used_at is null and r.expires > clock_timestamp() and not exists (
        select from revoked_token v where v.kind = 'family' and v.id = r.family::text) as live
    from refresh_token r where r.token_hash = ${hash('sha256', refreshToken)}`);
  return row ?? null;
}
