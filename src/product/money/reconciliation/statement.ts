// Reads the processor's statement: which workspace is read next, and which rows are new. A lease
// gives each workspace to one process at a time; every row is stored once, unchanged.
import { prepared, raw, type Database } from '../../../db/index.ts';
import { derivedUuid, isUuid } from '../../../core/ids.ts';
import type { StatementLine } from '../../../providers/processor/port.ts';
import type { Services } from '../../context.ts';

/** A workspace whose statement is to be read, and where; null: at its beginning. */
export interface Claimed {
  readonly workspace: number;
  readonly cursor: string | null;
  readonly lease: string;
}

/** Seconds until the next read: after rows or while some wait, without any, without an answer. */
const PAUSES = { lively: 3, quiet: 60, silent: 5 } as const;
const LEASE_SECONDS = 60;
/** Workspaces that one process reads at the same time. */
const AT_ONCE = 4;

/** Makes statements due in `seconds`, unless they are due sooner. */
export async function wakeStatements(
  db: Pick<Database, 'execute'>,
  workspaces: readonly number[],
  seconds: number,
): Promise<void> {
  await db.execute(prepared('wake_statements')`update statement_cursor
    set due = least(due, $now + make_interval(secs => ${seconds}))
    where workspace = any(${workspaces}::int4[])`);
}

/** Claims workspaces whose statement is due. */
export async function claimStatements(db: Database, lease: string): Promise<readonly Claimed[]> {
  return db.query<Claimed>(prepared('claim_statements')`
    update statement_cursor set lease = ${lease}, due = 'infinity',
      leased_until = $now + interval '${raw(LEASE_SECONDS)} s'
    where workspace in (
      select workspace from statement_cursor c
      where ((due <= $now and lease is null) or leased_until < $now)
        and exists (select from workspace w
          where w.workspace = c.workspace and w.ended is null)
      order by due limit ${raw(AT_ONCE)} for update skip locked)
    returning workspace, cursor, lease`);
}

/**
 * Reads the page at a cursor and stores it; a repeated row is stored once. Gives where to read on,
 * whether rows were new, and whether there are more; null without an answer.
 */
export async function readPage(
  db: Database,
  { processor, workspaces }: Pick<Services, 'processor' | 'workspaces'>,
  workspace: number,
  after: string | null,
): Promise<{ readonly cursor: string; readonly fresh: boolean; readonly more: boolean } | null> {
  const page = await processor.statement(workspace, after);
  if (page === null) return null;
  const { lines, cursor, more } = page;
  const lineage = workspaces.lineageOf(workspace);
  const read = lines.length > 0 || cursor !== after;
  const fresh = read ? await store(db, { workspace, lineage, after, cursor }, lines) : 0;
  return { cursor, fresh: fresh > 0, more };
}

/**
 * Stores rows under numbers of our own, after all that were stored before: two readers of the same
 * page take turns at the cursor's row. Gives how many were new.
 */
async function store(
  db: Database,
  at: {
    readonly workspace: number;
    readonly lineage: number;
    readonly after: string | null;
    readonly cursor: string;
  },
  lines: readonly StatementLine[],
): Promise<number> {
  const column = (of: (line: StatementLine) => unknown): unknown[] => lines.map(of);
  const [row] = await db.query<{ fresh: bigint }>({
    name: 'store_statement',
    text: `with at as (
        update statement_cursor set line = line + $14,
          cursor = case when cursor is not distinct from $2 then $3 else cursor end
        where workspace = $1 returning line - $14 as line
      ), stored as (
        insert into statement_line
          (workspace, line, id, key, subject, reference, kind, part, amount, currency, reason,
            due_by, fee, available_at, seen)
        select $1::int4, at.line + n.nth, n.id, n.key, n.subject, n.reference, n.kind, n.part,
          n.amount, n.currency, n.reason, n.due_by, n.fee, n.available_at, workspace_at($1, $now)
        from at, unnest($4::uuid[], $5::text[], $6::uuid[], $7::text[], $8::text[], $9::int4[],
          $10::int8[], $11::text[], $12::text[], $13::timestamptz[], $15::int8[],
          $16::timestamptz[]) with ordinality as n (id, key, subject, reference, kind, part, amount,
            currency, reason, due_by, fee, available_at, nth)
        on conflict (workspace, id) do nothing returning 1
      ) select count(*) as fresh from stored`,
    values: [
      ...[at.workspace, at.after, at.cursor],
      column(({ row: id }) => derivedUuid(`statement/${at.lineage}/${id}`)),
      column(({ key }) => key),
      column(({ key }) => (isUuid(key) ? key : null)),
      column(({ reference }) => reference),
      column(({ kind }) => kind),
      column(({ part }) => part),
      column(({ amount }) => amount),
      column(({ currency }) => currency),
      column(({ reason }) => reason),
      column(({ due_by }) => due_by),
      lines.length,
      column(({ fee }) => fee),
      column(({ available_at }) => available_at),
    ],
  });
  return Number(row?.fresh ?? 0);
}

/** How a read of a statement ended. */
export type Look = keyof typeof PAUSES;

/** Ends a claim and sets when the next read is due, unless a webhook asked for it sooner. */
export async function releaseStatement(
  db: Database,
  { workspace, lease }: Claimed,
  look: Look,
): Promise<void> {
  await db.execute({
    name: 'release_statement',
    text: `update statement_cursor c set lease = null, leased_until = null,
        due = case when w.ended is not null then 'infinity'
          else least(due, $now + make_interval(secs => case
            when $3 = 'quiet' and exists (select from statement_line l
              where l.workspace = c.workspace and l.verdict = 'waiting') then ${PAUSES.lively}
            else $4 end)) end
      from workspace w where w.workspace = $1 and c.workspace = $1 and c.lease = $2`,
    values: [workspace, lease, look, PAUSES[look]],
  });
}
