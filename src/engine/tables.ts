// What the engine keeps in the database beside the rows of modules: history steps, legal
// transitions, and the clock and lock of each workspace; with the laws of histories.
import type { Cause } from '../concurrency/cause.ts';
import type { Machine } from '../core/machine.ts';
import { law, type Proof } from '../core/proof.ts';
import { Refusal } from '../core/refusal.ts';
import { tableOf, type IdRow, type RowOf, type Table } from '../core/table.ts';
import type { Instant } from '../core/time.ts';
import { arrayValue, type Queryable, type Transaction } from '../db/index.ts';
import { engineRefusals } from './options.ts';

/** Append-only. The view of all steps; they are stored as `short-steps.ts` says. */
export const stepTable = tableOf('history', 0, {
  resource_id: 'uuid',
  version: 'int4',
  machine: 'text',
  from_state: 'text',
  event: 'text',
  to_state: 'text',
  at: 'timestamptz',
  actor: 'text',
  detail: 'json?',
  /** The request that caused it, and its trace if that is another's. Not constant in a batch. */
  request_id: 'uuid?',
  trace_id: 'uuid?',
});
export type StepRow = RowOf<typeof stepTable>;

/** What a step says of the request that caused it. */
export function causedBy(cause: Cause | undefined): Pick<StepRow, 'request_id' | 'trace_id'> {
  return { request_id: cause?.requestId ?? null, trace_id: cause?.traceId ?? null };
}

/** The transitions of all machines by column; those that only staging has are no others' law. */
function arrowsOf(machines: readonly Machine[], staging: boolean) {
  const all = machines.flatMap(({ name, moves }) => moves.map((move) => ({ name, move })));
  return [
    all.map(({ name }) => name),
    all.map(({ move }) => move.from ?? ''),
    all.map(({ move }) => move.on),
    all.map(({ move }) => move.to),
    all.map(({ move }) => staging || move.stagingOnly !== true),
  ];
}

const ARROWS = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[])
  as a(machine, from_state, event, to_state, is_legal)`;

/** Adds the machines' transitions; the staging-only ones are removed in production. */
export async function loadMoves(
  db: Queryable,
  machines: readonly Machine[],
  staging: boolean,
): Promise<void> {
  await db.query({
    text: `with removed as (delete from machine_move m using ${ARROWS}
        where not a.is_legal and (m.machine, m.from_state, m.event, m.to_state)
          = (a.machine, a.from_state, a.event, a.to_state))
      insert into machine_move (machine, from_state, event, to_state)
      select machine, from_state, event, to_state from ${ARROWS} where is_legal
      on conflict do nothing`,
    values: arrowsOf(machines, staging),
  });
}

/**
 * The machines' transitions that the database lacks, or has although they are another
 * environment's, as `machine event`. Those of a newer program are not looked at.
 */
export async function differingMoves(
  db: Queryable,
  machines: readonly Machine[],
  staging: boolean,
): Promise<string[]> {
  const rows = await db.query<{ what: string }>({
    text: `select a.machine || ' ' || a.event as what from ${ARROWS}
      left join machine_move m on (m.machine, m.from_state, m.event, m.to_state)
        = (a.machine, a.from_state, a.event, a.to_state)
      where a.is_legal <> (m.machine is not null) order by 1`,
    values: arrowsOf(machines, staging),
  });
  return rows.map(({ what }) => what);
}

/** `heads`: tables whose rows have a lifecycle. */
export function stepLaws(heads: readonly Pick<Table, 'name'>[]): Proof[] {
  return [
    law('steps_follow',
      'Each history starts at creation; every step starts where the last one ended.',
      `select resource_id::text as what from (
          select resource_id, version, from_state, at,
            lag(to_state, 1, '') over w as before,
            lag(at) over w as earlier,
            row_number() over w as n
          from history window w as (partition by workspace, resource_id order by version)) h
        where n <> version or from_state <> before or earlier > at`),
    law('steps_are_legal', 'Every step is a legal transition of its lifecycle.',
      `select distinct s.resource_id::text as what from history s
        left join machine_move m on m.machine = s.machine and m.from_state = s.from_state
          and m.event = s.event and m.to_state = s.to_state
        where m.machine is null`),
    ...heads.map(({ name }) =>
      law(`${name}_state_is_last_step`, `Each row of ${name} has the state of its last step.`,
        `select h.id::text as what from ${name} h
        left join history s on s.workspace = h.workspace and s.resource_id = h.id
        and s.version = h.version
        left join history l on l.workspace = h.workspace and l.resource_id = h.id
        and l.version = h.version + 1
        where s.to_state is distinct from h.state or l.version is not null`),
    ),
  ];
}

/** True for the refusal of an archived workspace: background work for it is dropped. */
export function isEnded(error: unknown): boolean {
  return error instanceof Refusal && error.spec === engineRefusals.WORLD_ENDED;
}

/** As `isEnded`, also for one that is being moved: there the work is done again. */
export function isAway(error: unknown): boolean {
  const moving = error instanceof Refusal && error.spec === engineRefusals.TENANT_MOVING;
  return moving || isEnded(error);
}

/** First key of the advisory lock; the second is the workspace's number. */
const WORKSPACE_CLASS = 0x776f726c;

/**
 * Tries to take the shared lock of each workspace for this transaction, without waiting; returns
 * those it got. Whether these are archived cannot change until the commit.
 */
export async function lockWorkspaces(
  tx: Transaction,
  workspaces: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await tx.query<{ workspace: number }>({
    name: 'hold_workspaces',
    text: `select workspace from unnest($1::int4[]) as w(workspace)
      where pg_try_advisory_xact_lock_shared(${WORKSPACE_CLASS}, workspace)`,
    values: [arrayValue('int4', workspaces)],
  });
  return new Set(rows.map((row) => row.workspace));
}

/**
 * Waits until no command runs in the workspace, and keeps new ones out until the transaction ends.
 */
export async function stillWorkspace(tx: Transaction, workspace: number): Promise<void> {
  await tx.query({
    text: `select pg_advisory_xact_lock(${WORKSPACE_CLASS}, $1)`,
    values: [workspace],
  });
}

/** A row for the clock to act on; `due` is null while there is nothing to do. */
interface DueRow extends IdRow {
  readonly due: Instant | null;
}

/**
 * At most `most` due rows of active workspaces, the longest overdue first. The table needs a
 * partial index on (workspace, due).
 */
export async function dueRows<R extends DueRow>(
  db: Queryable,
  { name }: Table<R>,
  most: number,
): Promise<readonly { readonly workspace: number; readonly id: string }[]> {
  return db.query({
    name: `due:${name}`,
    text: `select w.workspace, d.id from workspace w
      cross join lateral (select id, due from ${name}
        where workspace = w.workspace and due is not null
          and due <= clock_timestamp() + w.clock_offset
        order by due limit $1) d
      where w.ended is null
      order by d.due limit $1`,
    values: [most],
  });
}

/**
 * SQL: the keys of the longest overdue jobs of live tenants at `$now`, at most `most`, locked. It
 * skips from one tenant with jobs to the next; `also`: a further condition. The table needs a
 * partial index on (workspace, due).
 */
export function dueJobs(table: string, key: string, most: string, also = ''): string {
  const next = (after: string): string => `select workspace from ${table}
    where due < 'infinity'${after} order by workspace limit 1`;
  return `with recursive busy (workspace) as ((${next('')}) union all
      select n.workspace from busy b
      cross join lateral (${next(' and workspace > b.workspace')}) n)
    select q.workspace, q.${key} from busy b
    join workspace w on w.workspace = b.workspace and w.ended is null
    cross join lateral (select workspace, ${key}, due from ${table}
      where workspace = w.workspace and due < 'infinity' and due <= $now${also}
      order by due limit ${most} for update skip locked) q
    order by q.due limit ${most}`;
}
