// Reads the processor's statement: which workspace is read next, and which rows are new. A lease
// gives each workspace to one process at a time; every row is stored once, unchanged.
import type { Database } from '../../../db/index.ts';
import { derivedUuid, isUuid } from '../../../core/ids.ts';
import type { StatementLine } from '../../../providers/processor/port.ts';
import type { Services } from '../../context.ts';

/** A workspace whose statement is to be read, and the last row stored so far. */
export interface Claimed {
  readonly workspace: number;
  readonly line: bigint;
  readonly lease: string;
}

/** Seconds until the next read: after rows or while some wait, without any, without an answer. */
const PAUSES = { lively: 3, quiet: 60, silent: 5 } as const;
const LEASE_SECONDS = 60;
/** Rows of a full page. */
const PAGE = 1_000;
/** Workspaces that one process reads at the same time. */
const AT_ONCE = 4;

/** Makes statements due in `seconds`, unless they are due sooner. */
export async function wakeStatements(
  db: Pick<Database, 'execute'>,
  workspaces: readonly number[],
  seconds: number,
): Promise<void> {
  await db.execute({
    name: 'wake_statements',
    text: `update statement_cursor
      set due = least(due, clock_timestamp() + make_interval(secs => $2))
      where workspace = any($1::int4[])`,
    values: [workspaces, seconds],
  });
}

/** Claims workspaces whose statement is due. */
export async function claimStatements(db: Database, lease: string): Promise<readonly Claimed[]> {
  await db.execute({
    name: 'claim_statements',
    text: `update statement_cursor set lease = $1, due = 'infinity',
        leased_until = clock_timestamp() + interval '${LEASE_SECONDS} s'
      where workspace in (
        select workspace from statement_cursor
        where (due <= clock_timestamp() and lease is null) or leased_until < clock_timestamp()
        order by due limit ${AT_ONCE} for update skip locked)`,
    values: [lease],
  });
  return db.query<Claimed>({
    name: 'claimed_statements',
    text: 'select workspace, line, lease from statement_cursor where lease = $1',
    values: [lease],
  });
}

/**
 * Reads the page after a row and stores it; a repeated page is stored once. Gives the last row, and
 * whether there may be more; null without an answer.
 */
export async function readPage(
  db: Database,
  { processor, workspaces }: Pick<Services, 'processor' | 'workspaces'>,
  workspace: number,
  after: bigint,
): Promise<{ readonly last: bigint; readonly more: boolean } | null> {
  const lines = await processor.statement(workspace, after);
  if (lines === null) return null;
  if (lines.length > 0)
    await store(db, { workspace, lineage: workspaces.lineageOf(workspace) }, lines);
  return { last: lines.at(-1)?.line ?? after, more: lines.length >= PAGE };
}

async function store(
  db: Database,
  at: { readonly workspace: number; readonly lineage: number },
  lines: readonly StatementLine[],
): Promise<void> {
  const column = (of: (line: StatementLine) => unknown): unknown[] => lines.map(of);
  await db.execute({
    name: 'store_statement',
    text: `with stored as (
        insert into statement_line
          (workspace, id, line, key, subject, reference, kind, part, amount, currency, reason,
            due_by, fee, available_at, seen)
        select $1::int4, n.*, workspace_now($1) from unnest($2::uuid[], $3::int8[], $4::text[],
          $5::uuid[], $6::text[], $7::text[], $8::int4[], $9::int8[], $10::text[], $11::text[],
          $12::timestamptz[], $14::int8[], $15::timestamptz[]) as n
        on conflict (workspace, line) do nothing
      )
      update statement_cursor set line = greatest(line, $13) where workspace = $1`,
    values: [
      at.workspace,
      column(({ line }) => derivedUuid(`statement/${at.lineage}/${line}`)),
      column(({ line }) => line),
      column(({ key }) => key),
      column(({ key }) => (isUuid(key) ? key : null)),
      column(({ reference }) => reference),
      column(({ kind }) => kind),
      column(({ part }) => part),
      column(({ amount }) => amount),
      column(({ currency }) => currency),
      column(({ reason }) => reason),
      column(({ due_by }) => due_by),
      lines.at(-1)?.line,
      column(({ fee }) => fee),
      column(({ available_at }) => available_at),
    ],
  });
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
          else least(due, clock_timestamp() + make_interval(secs => case
            when $3 = 'quiet' and exists (select from statement_line l
              where l.workspace = c.workspace and l.verdict = 'waiting') then ${PAUSES.lively}
            else $4 end)) end
      from workspace w where w.workspace = $1 and c.workspace = $1 and c.lease = $2`,
    values: [workspace, lease, look, PAUSES[look]],
  });
}
