// The sealing loop: gives committed events their gapless sequence, composes the bytes that
// receivers will get, and moves them from the outbox to the stream. One transaction for each world
// and block, under that world's row of `seal`, which nobody else touches: a counter inside the
// write transactions held eight batches in flight to 228 a second. Knows no module and no receiver.
import type { Database, Transaction } from '../db/index.ts';
import { arrayValue, type ColumnType } from '../engine/index.ts';
import type { Instant } from '../kernel/time.ts';
import { eventBody } from './stream.ts';

/** A sealed event as the deliveries need it. */
export interface SealedEvent {
  readonly world: number;
  readonly sequence: bigint;
  readonly name: string;
  readonly resource_id: string;
}

/** Called in the sealing transaction: makes delivery rows for who listens. */
export type FanOut = (tx: Transaction, sealed: readonly SealedEvent[]) => Promise<void>;

export interface SealOptions {
  readonly db: Database;
  /** Shown as bucket_key. [G-60] */
  readonly environment: string;
  readonly fanOut: FanOut;
  /** Events in a block. */
  readonly block?: number;
}

interface Waiting {
  readonly resource_id: string;
  readonly resource_version: number;
  readonly event_id: string;
  readonly name: string;
  readonly at: Instant;
  readonly record: string | null;
  readonly message: string | null;
}

/** Live worlds that have events waiting. */
export async function waitingWorlds(db: Database): Promise<number[]> {
  // A loose scan: one probe for each world, however many events wait.
  const rows = await db.query<{ world: number }>({
    name: 'waiting_worlds',
    text: `select w.world from world w
      where w.ended is null and exists (select from outbox o where o.world = w.world)`,
  });
  return rows.map((row) => row.world);
}

/**
 * Seals one block of a world; gives how many events it sealed (0: none, or another node is at it).
 */
export async function sealBlock(options: SealOptions, world: number): Promise<number> {
  const { db } = options;
  return db.transaction(async (tx) => {
    const heads = await tx.query<{ sequence: bigint }>({
      name: 'seal_head',
      text: 'select sequence from seal where world = $1 for no key update skip locked',
      values: [world],
    });
    const head = heads[0];
    if (head === undefined) return 0;
    const waiting = await tx.query<Waiting>({
      name: 'seal_take',
      text: `with taken as (
          delete from outbox where ctid = any(array(
            select ctid from outbox where world = $1
            order by at, resource_id, resource_version limit $2))
          returning resource_id, resource_version, event_id, name, at, record, message)
        select * from taken order by at, resource_id, resource_version`,
      values: [world, options.block ?? 500],
    });
    if (waiting.length === 0) return 0;
    await store(options, tx, world, head.sequence, waiting);
    return waiting.length;
  });
}

async function store(
  options: SealOptions,
  tx: Transaction,
  world: number,
  last: bigint,
  waiting: readonly Waiting[],
): Promise<void> {
  const events = waiting.map((event, at) => ({ ...event, sequence: last + BigInt(at + 1) }));
  await tx.together(() =>
    Promise.all([
      tx.execute({
        name: 'seal_store',
        text: `insert into event
            (world, sequence, event_id, name, resource_id, resource_version, at, record, body)
          select $1, * from unnest($2::int8[], $3::uuid[], $4::text[], $5::uuid[], $6::int4[],
            $7::timestamptz[], $8::text[], $9::text[])`,
        values: [
          world,
          ...columnArrays([
            ['int8', events.map((event) => event.sequence)],
            ['uuid', events.map((event) => event.event_id)],
            ['text', events.map((event) => event.name)],
            ['uuid', events.map((event) => event.resource_id)],
            ['int4', events.map((event) => event.resource_version)],
            ['timestamptz', events.map((event) => event.at)],
            ['text', events.map((event) => event.record)],
            ['text', events.map((event) => storedBody(options.environment, event))],
          ]),
        ],
      }),
      tx.execute({
        name: 'seal_advance',
        text: 'update seal set sequence = $2 where world = $1',
        values: [world, events.at(-1)?.sequence ?? last],
      }),
      options.fanOut(
        tx,
        events.map(({ sequence, name, resource_id }) => ({ world, sequence, name, resource_id })),
      ),
    ]),
  );
}

function columnArrays(columns: readonly (readonly [ColumnType, readonly unknown[]])[]): unknown[] {
  return columns.map(([type, values]) => arrayValue(type, values));
}

/** The bytes of an event that carries its message; null where they are composed from a record. */
function storedBody(
  environment: string,
  event: Waiting & { readonly sequence: bigint },
): string | null {
  return event.message === null ? null : eventBody(environment, event, event.message);
}
