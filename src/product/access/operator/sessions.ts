// Sessions of operators in the console. Only the browser has the token. A session ends after half
// an hour without use, after twelve hours in any case, and at once when its operator is disabled.
// Times are the database's.
import { hash, timingSafeEqual } from 'node:crypto';
import { prepared, raw, sql, type Database, type Queryable } from '../../../db/index.ts';
import { HASHED } from '../../../core/labels.ts';
import type { Random } from '../../../core/random.ts';
import type { Instant } from '../../../core/time.ts';
import { audit } from '../../tell/audit/index.ts';
import { rolesOf, type Role } from './roles.ts';
import { opener, type OperatorServices, type Workspaces } from './sealed.ts';

/** A message that the next page shows once. */
export interface Flash {
  readonly kind: 'good' | 'bad';
  readonly text: string;
}

/** A signed-in operator. */
export interface OperatorSession {
  readonly id: string;
  readonly operatorId: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly workspaces: Workspaces;
  /** The tenant's workspace that was chosen in the console, or null. */
  readonly workspace: number | null;
  readonly flash: Flash | null;
  /** True until the operator has chosen a password; nothing else is shown before. */
  readonly passwordInitial: boolean;
  readonly tokenHash: string;
  /** The token in every form of this session. */
  readonly csrf: string;
}

const IDLE = `interval '30 minutes'`;
const ABSOLUTE = `interval '12 hours'`;
const MOST_SESSIONS = 10;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const live = (now: string): string => `s.expires > ${now} and s.seen > ${now} - ${IDLE}`;

/**
 * Begins a session; gives its token, 256 random bits. Deletes ended sessions, and this operator's
 * oldest beyond ten.
 */
export async function beginSession(
  tx: Queryable,
  random: Random,
  operatorId: string,
): Promise<string> {
  const token = random.bytes(32).toString('base64url');
  await tx.query(sql`insert into operator_session (token_hash, id, operator_id, expires)
    values (${hashOfToken(token)}, ${random.uuid()}, ${operatorId},
      clock_timestamp() + ${raw(ABSOLUTE)})`);
  await tx.query(sql`delete from operator_session s where not (${raw(live('$now'))})
    or s.id in (select id from operator_session where operator_id = ${operatorId}
      order by created desc offset ${raw(MOST_SESSIONS)})`);
  return token;
}

interface SessionRow {
  readonly id: string;
  readonly operator_id: string;
  readonly workspace: number | null;
  readonly flash: string | null;
  readonly roles: string[];
  readonly workspaces: number[] | null;
  readonly password_initial: boolean;
  readonly wrapped_key: string;
  readonly sealed_name: string;
  readonly stale: boolean;
}

/** The session of a token, or null. Reading it keeps the session alive. */
export async function sessionOf(
  services: Pick<OperatorServices, 'db' | 'keys'>,
  token: string | null,
): Promise<OperatorSession | null> {
  if (token === null || !TOKEN.test(token)) return null;
  const tokenHash = hashOfToken(token);
  const [row] = await services.db.query<SessionRow>(prepared('operator_session_of')`
    select s.id, s.operator_id, s.workspace, s.flash, o.roles || o.tasks as roles,
      o.workspaces, o.password_initial, o.wrapped_key, o.sealed_name,
      s.seen < clock_timestamp() - interval '1 minute' as stale
    from operator_session s join operator o on o.id = s.operator_id
    where s.token_hash = ${tokenHash} and ${raw(live('clock_timestamp()'))}
      and o.disabled is null`);
  if (row === undefined) return null;
  if (row.stale) {
    await services.db.query(sql`
      update operator_session set seen = $now where token_hash = ${tokenHash}`);
  }
  const text = await opener(services, { id: row.operator_id, wrapped_key: row.wrapped_key });
  return {
    id: row.id,
    operatorId: row.operator_id,
    name: text(row.sealed_name, 'name'),
    roles: rolesOf(row.roles),
    workspaces: row.workspaces ?? 'all',
    workspace: row.workspace,
    flash: row.flash === null ? null : (JSON.parse(row.flash) as Flash),
    passwordInitial: row.password_initial,
    tokenHash,
    csrf: hash('sha256', `${HASHED.operatorForm}${token}`),
  };
}

export function csrfTokenOf(session: OperatorSession): string {
  return session.csrf;
}

/** True for the CSRF token of this session. */
export function checkCsrf(session: OperatorSession, given: string | undefined): boolean {
  const [left, right] = [Buffer.from(given ?? ''), Buffer.from(session.csrf)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The operator's name in history and audit. */
export function operatorActor({ operatorId }: Pick<OperatorSession, 'operatorId'>): string {
  return `operator:${operatorId}`;
}

/** The operator of an actor in history; null: the command line, or the system. */
export function operatorOfActor(actor: string): string | null {
  return actor.startsWith('operator:') ? actor.slice('operator:'.length) : null;
}

/** Sets the message of the session's next page; null clears it. */
export async function setFlash(
  db: Queryable,
  { id }: OperatorSession,
  flash: Flash | null,
): Promise<void> {
  await db.query(sql`
    update operator_session set flash = ${flash === null ? null : JSON.stringify(flash)}
      where id = ${id}`);
}

/** Chooses the tenant's workspace for the session. */
export async function chooseWorkspace(
  db: Queryable,
  { id }: OperatorSession,
  workspace: number,
): Promise<void> {
  await db.query(sql`update operator_session set workspace = ${workspace} where id = ${id}`);
}

/** A session as shown to its operator. */
export interface ShownSession {
  readonly id: string;
  readonly created: Instant;
  readonly seen: Instant;
}

/** The active sessions of an operator, newest first. */
export function sessionsOf(db: Queryable, operatorId: string): Promise<ShownSession[]> {
  return db.query(sql`select id, created, seen from operator_session s
    where operator_id = ${operatorId} and ${raw(live('clock_timestamp()'))}
    order by created desc limit ${raw(MOST_SESSIONS)}`);
}

/** The hash that finds a session. */
export function hashOfToken(token: string): string {
  return hash('sha256', `${HASHED.operatorSession}${token}`);
}

/** Ends one session, if it exists. */
export async function endSession(
  db: Queryable,
  { tokenHash }: Pick<OperatorSession, 'tokenHash'>,
): Promise<void> {
  await db.query(sql`delete from operator_session where token_hash = ${tokenHash}`);
}

/** Ends one session of an operator, or with null all; never the one that asks. Audited. */
export async function endSessionBy(
  db: Database,
  asks: OperatorSession,
  { operatorId, id }: { readonly operatorId: string; readonly id: string | null },
): Promise<void> {
  await db.transaction(async (tx) => {
    const ended = await tx.execute(sql`
      delete from operator_session where operator_id = ${operatorId} and id <> ${asks.id}
      and (${id}::text is null or id::text = $3)`);
    const entry = { workspace: 0, actor: operatorActor(asks), subject: operatorId } as const;
    if (ended > 0) await audit(tx, { ...entry, act: 'operator_session_ended', detail: { ended } });
  });
}

/** An operator whose access was reset signs in from new browsers only. */
export async function forgetDevices(db: Queryable, operatorId: string): Promise<void> {
  await db.query(sql`delete from operator_device where operator_id = ${operatorId}`);
}

/** Ends every session of an operator except `but`. */
export async function endSessionsOf(
  db: Queryable,
  operatorId: string,
  but: string | null = null,
): Promise<void> {
  await db.query(sql`
    delete from operator_session where operator_id = ${operatorId} and id is distinct from ${but}`);
}
