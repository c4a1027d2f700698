// Opening one-time magic links: each is used once, by one browser, which can resume after a reload,
// and is ended by the person. Reading a link changes nothing, so that link scanners use none up.
// [G-13, ID1]
import { hash, timingSafeEqual } from 'node:crypto';
import { prepared, raw, sql, type Queryable } from '../../../db/index.ts';
import { accountId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { engineRefusals } from '../../../engine/index.ts';
import { MARGIN_SECONDS } from './end-access.ts';
import { scopesOfFlow } from './scopes.ts';
import type { OAuthServices } from './services.ts';
import { tokensOf } from './tokens.ts';

/** A link that can be opened, or is open. */
export interface StandingLink {
  /** The nonce_auth_id; a clone of a workspace may have a link with the same one. */
  readonly id: string;
  /** The hash of the nonce: the family of the session's tokens, and the link's handle. */
  readonly family: string;
  readonly workspace: number;
  readonly clientId: string;
  readonly integrator: string;
  /** The account's UUID. */
  readonly account: string;
  readonly blocked: boolean;
  readonly mechanism: string;
  readonly flow: string | null;
  readonly scopes: readonly string[];
  readonly authorizedInvoiceId: string | null;
  readonly isEscrow: boolean;
  readonly status: 'unused' | 'used' | 'expired';
  /** Seconds that the session has left; all of them before the link is opened. */
  readonly secondsLeft: number;
}

interface Row extends StandingLink {
  readonly byFlow: boolean;
  readonly resumeHash: string | null;
  /** The tenant is being moved to another installation. */
  readonly moving: boolean;
}

const COLUMNS = `w.ended is not null as moving, l.id,
  l.nonce_hash as family, l.workspace, l.client_id as "clientId",
  w.integrator, l.account_id as account,
  a.blocked, l.mechanism, l.flow, l.scopes, l.authorized_invoice_id as "authorizedInvoiceId",
  l.is_escrow as "isEscrow", l.by_flow as "byFlow", l.resume_hash as "resumeHash",
  case when l.used_at is not null then 'used'
    when l.expires <= workspace_now(l.workspace) then 'expired' else 'unused' end as status,
  case when l.used_at is null then l.session_seconds
    when l.ended_at is not null then 0
    else greatest(0, floor(extract(epoch from l.used_at - workspace_now(l.workspace)))
      + l.session_seconds)::integer end as "secondsLeft"`;

/** The form of a nonce and of a browser's secret: 32 bytes in base64url. */
export const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The form of a link's handle: the hash of its nonce, which opens nothing. */
const HANDLE = /^[0-9a-f]{64}$/;

async function rowOf(db: Queryable, nonce: string): Promise<Row | null> {
  // A malformed nonce needs no query.
  return SECRET.test(nonce) ? rowAt(db, hash('sha256', nonce)) : null;
}

async function rowAt(db: Queryable, handle: string): Promise<Row | null> {
  const rows = await db.query<Row>(prepared('oauth_link_standing')`
    select ${raw(COLUMNS)} from link l
    join workspace w on w.workspace = l.workspace
    join account a on a.workspace = l.workspace and a.id = l.account_id
    where l.nonce_hash = ${handle}`);
  return rows[0] ?? null;
}

/**
 * The link of an address, or null. Uses nothing up. An address has the nonce until the person goes
 * on, and the handle from then on. [G-13]
 */
export async function readLink(db: Queryable, text: string): Promise<StandingLink | null> {
  return HANDLE.test(text) ? rowAt(db, text) : rowOf(db, text);
}

/** Why a link cannot be opened. */
export type NotOpened = 'absent' | 'used' | 'expired';

/** An opened link, and the secret with which this browser resumes it. */
export interface OpenedLink {
  readonly link: StandingLink;
  readonly resume: string;
  /** False where a browser resumed. */
  readonly first: boolean;
}

/**
 * Opens a link with the browser's secret, or resumes it with the secret that opened it. Of
 * concurrent openings one succeeds. The first opening fixes flow and scopes.
 */
export async function openLink(
  db: Queryable,
  { nonce, flow, secret, kept }: Opening,
): Promise<OpenedLink | NotOpened> {
  const before = await rowOf(db, nonce);
  if (before === null) return 'absent';
  if (before.status === 'expired') return 'expired';
  const known = kept === null ? [secret] : [secret, kept];
  if (before.status === 'used') return goOn(before, known);
  if (before.moving) throw refuse(engineRefusals.TENANT_MOVING, {}, 1);
  const opened = await db.query({
    name: 'oauth_link_open',
    text: `update link set used_at = workspace_at(workspace, $now), resume_hash = $2, flow = $3,
        scopes = $4
      where nonce_hash = $1 and used_at is null and expires > workspace_at(workspace, $now)
      returning id`,
    values: [hash('sha256', nonce), hash('sha256', secret), ...openedFor(before, flow)],
  });
  const after = (await rowOf(db, nonce)) ?? before;
  if (opened.length > 0) return { link: after, resume: secret, first: true };
  return after.status === 'used' ? goOn(after, known) : 'expired';
}

/** The flow of an opening, and the scopes of its session: by default what the flow needs. [G-12] */
function openedFor(link: Row, named: string | null): [flow: string | null, readonly string[]] {
  const flow = link.flow ?? named;
  const needed = scopesOfFlow(flow);
  const most: readonly string[] = link.scopes;
  return [flow, link.byFlow ? needed.filter((one) => most.includes(one)) : most];
}

/** A request to open a link. */
export interface Opening {
  readonly nonce: string;
  /** For a link that names no flow. */
  readonly flow: string | null;
  /** The browser's secret; the first opening binds the link to it. */
  readonly secret: string;
  /** The cookie of an earlier opening; it resumes, but never opens. */
  readonly kept: string | null;
}

function goOn(link: Row, known: readonly string[]): OpenedLink | NotOpened {
  const ours = Buffer.from(link.resumeHash ?? '', 'hex');
  const resume = known.find((one) => {
    const theirs = hash('sha256', one, 'buffer');
    return ours.length === theirs.length && timingSafeEqual(ours, theirs);
  });
  if (resume === undefined) return 'used';
  return link.secondsLeft > 0 ? { link, resume, first: false } : 'expired';
}

/** A session's access token: for the link's account, scopes and authorized invoice. [G-12] */
export async function signSession(services: OAuthServices, link: StandingLink) {
  const tokens = await tokensOf(services);
  const { clientId, integrator, scopes, authorizedInvoiceId, family } = link;
  const seconds = Math.max(1, link.secondsLeft);
  const { token } = await tokens.issue({
    client: { clientId, integrator },
    kind: 'session',
    accountId: accountId(link.account),
    ...{ scopes, seconds, family, authorizedInvoiceId },
  });
  return { token, seconds };
}

/** Ends the session of a token; its link can no longer be resumed. */
export async function endSession(services: OAuthServices, token: string): Promise<void> {
  const tokens = await tokensOf(services);
  const claims = await tokens.inspect(token);
  if (claims === null || claims.kind !== 'session' || claims.family === null) return;
  await services.db.execute(sql`update link set ended_at = $now
    where nonce_hash = ${claims.family} and used_at is not null and ended_at is null`);
  // A token from a reload may expire a moment after this one.
  await tokens.watch.revoke('family', claims.family, claims.expires + MARGIN_SECONDS);
}
