// Gives committed events their gapless sequence and moves them from the outbox to the stream, one
// transaction per workspace and block, under that workspace's row of `seal`. Numbering them inside
// the write transactions limited eight parallel batches to 228 a second.
import { arrayValue, type Database, type Statement, type Transaction } from '../db/index.ts';
import type { ColumnType } from '../core/table.ts';
import { eventBody } from './stream.ts';
import type { OutboxRow } from './tables.ts';

/** A sealed event as the deliveries need it. */
export interface SealedEvent {
  readonly workspace: number;
  readonly sequence: bigint;
  readonly name: string;
  readonly resource_id: string;
}

/** Builds the statement that adds the delivery rows to the sealing transaction. */
export type FanOut = (sealed: readonly SealedEvent[]) => Statement;

/** The result of sealing one block. */
export interface SealedBlock {
  readonly events: number;
  readonly deliveries: number;
}

export interface SealOptions {
  readonly db: Database;
  /** Shown as bucket_key. [G-60] */
  readonly environment: string;
  readonly fanOut: FanOut;
  /** Events in a block. */
  readonly block?: number;
}

interface Waiting extends Omit<OutboxRow, 'workspace'> {
  /** Sequence of the newest sealed event of the workspace. */
  readonly last: bigint;
}

/** Begins the stream of a new workspace. */
export async function openStream(tx: Transaction, workspace: number): Promise<void> {
  await tx.execute({ text: 'insert into seal (workspace) values ($1)', values: [workspace] });
}

/** Active workspaces with waiting events. */
export async function waitingWorkspaces(db: Database): Promise<number[]> {
  // A loose index scan: one probe per workspace, however many events wait.
  const rows = await db.query<{ workspace: number }>({
    name: 'waiting_workspaces',
    text: `select w.workspace from workspace w
      where w.ended is null and exists (select from outbox o where o.workspace = w.workspace)`,
  });
  return rows.map((row) => row.workspace);
}

const BEGIN = { name: 'begin', text: 'begin' };
const COMMIT = { name: 'commit', text: 'commit' };
const NOTHING: SealedBlock = { events: 0, deliveries: 0 };

// The `seal` row is locked before the outbox is read. What another node has sealed since the
// statement began is still visible there but not taken: the delete finds it gone.
const TAKE = `
  with head as materialized (
    select sequence from seal where workspace = $1 and exists (
      select from workspace w where w.workspace = $1 and w.ended is null)
    for no key update skip locked
  ), taken as (
    delete from outbox where (workspace, at, resource_id, resource_version, event_id) in (
      select workspace, at, resource_id, resource_version, event_id from outbox
      where workspace = $1 and exists (select from head)
      order by at, resource_id, resource_version limit $2)
    returning resource_id, resource_version, event_id, name, at, record, message)
  select h.sequence as last, t.* from head h cross join taken t
  order by at, resource_id, resource_version`;

/** Seals one block of a workspace; nothing if none waits or another node is sealing it. */
export async function sealBlock(options: SealOptions, workspace: number): Promise<SealedBlock> {
  return options.db.ownTransaction(async (tx) => {
    const values = [workspace, options.block ?? 500];
    const [, waiting] = await tx.together(() =>
      Promise.all([
        tx.execute(BEGIN),
        tx.query<Waiting>({ name: 'seal_take', text: TAKE, values }),
      ]),
    );
    if (waiting.length > 0) {
      return { events: waiting.length, deliveries: await store(options, tx, workspace, waiting) };
    }
    await tx.execute('rollback');
    return NOTHING;
  });
}

/** Stores the events, commits, and returns the number of deliveries made. */
async function store(
  options: SealOptions,
  tx: Transaction,
  workspace: number,
  waiting: readonly Waiting[],
): Promise<number> {
  const events = waiting.map((event, at) => ({ ...event, sequence: event.last + BigInt(at + 1) }));
  // Built before anything is sent, because COMMIT is sent without waiting for answers.
  const statements = [
    storing(options, workspace, events),
    {
      name: 'seal_advance',
      text: 'update seal set sequence = $2 where workspace = $1',
      values: [workspace, events.at(-1)?.sequence],
    },
    options.fanOut(
      events.map(({ sequence, name, resource_id }) => ({ workspace, sequence, name, resource_id })),
    ),
    COMMIT,
  ];
  const counts = await tx.together(() => Promise.all(statements.map((one) => tx.execute(one))));
  return counts[2] ?? 0;
}

type Event = Waiting & { readonly sequence: bigint };

function storing(
  { environment }: SealOptions,
  workspace: number,
  events: readonly Event[],
): Statement {
  return {
    name: 'seal_store',
    text: `insert into event
        (workspace, sequence, event_id, name, resource_id, resource_version, at, record, body)
      select $1, * from unnest($2::int8[], $3::uuid[], $4::text[], $5::uuid[], $6::int4[],
        $7::timestamptz[], $8::text[], $9::text[])`,
    values: [
      workspace,
      ...columnArrays([
        ['int8', events.map((event) => event.sequence)],
        ['uuid', events.map((event) => event.event_id)],
        ['text', events.map((event) => event.name)],
        ['uuid', events.map((event) => event.resource_id)],
        ['int4', events.map((event) => event.resource_version)],
        ['timestamptz', events.map((event) => event.at)],
        ['text', events.map((event) => event.record)],
        ['text', events.map((event) => storedBody(environment, event))],
      ]),
    ],
  };
}

function columnArrays(columns: readonly (readonly [ColumnType, readonly unknown[]])[]): unknown[] {
  return columns.map(([type, values]) => arrayValue(type, values));
}

/** The bytes of an event that carries its message; null if they are rendered from a record. */
function storedBody(environment: string, event: Event): string | null {
  return event.message === null ? null : eventBody(environment, event, event.message);
}
