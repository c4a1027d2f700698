// The sealing loop: gives committed events their gapless sequence, composes the bytes that
// receivers will get, and moves them from the outbox to the stream. One transaction for each world
// and block, under that world's row of `seal`, which nobody else touches: a counter inside the
// write transactions held eight batches in flight to 228 a second. Knows no module and no receiver.
import type { Database, Transaction } from '../db/index.ts';
import { jsonTextOf } from '../kernel/json-text.ts';
import type { Instant } from '../kernel/time.ts';
import type { Records } from './records.ts';

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
  readonly records: Records;
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

/** Worlds that have events waiting. */
export async function waitingWorlds(db: Database): Promise<number[]> {
  // A loose scan: one probe for each world, however many events wait.
  const rows = await db.query<{ world: number }>({
    name: 'waiting_worlds',
    text: `select w.world from world w
      where exists (select from outbox o where o.world = w.world)`,
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
  const messages = await composeMessages(options.records, tx, world, waiting);
  const sequences = waiting.map((_, at) => last + BigInt(at + 1));
  const bodies = waiting.map((event, at) =>
    bodyOf(options.environment, event, sequences[at] ?? 0n, messages[at] ?? 'null'),
  );
  await tx.execute({
    name: 'seal_store',
    text: `insert into event
        (world, sequence, event_id, name, resource_id, resource_version, at, body)
      select $1, * from unnest($2::int8[], $3::uuid[], $4::text[], $5::uuid[], $6::int4[],
        $7::timestamptz[], $8::text[])`,
    values: [
      world,
      sequences,
      waiting.map((event) => event.event_id),
      waiting.map((event) => event.name),
      waiting.map((event) => event.resource_id),
      waiting.map((event) => event.resource_version),
      waiting.map((event) => event.at),
      bodies,
    ],
  });
  await tx.execute({
    name: 'seal_advance',
    text: 'update seal set sequence = $2 where world = $1',
    values: [world, sequences.at(-1) ?? last],
  });
  await options.fanOut(
    tx,
    waiting.map((event, at) => ({
      world,
      sequence: sequences[at] ?? 0n,
      name: event.name,
      resource_id: event.resource_id,
    })),
  );
}

async function composeMessages(
  records: Records,
  tx: Transaction,
  world: number,
  waiting: readonly Waiting[],
): Promise<string[]> {
  const messages = waiting.map((event) => event.message);
  const kinds = new Set(waiting.map((event) => event.record).filter((kind) => kind !== null));
  for (const kind of kinds) {
    const places = waiting.flatMap((event, at) => (event.record === kind ? [at] : []));
    const keys = places.map((at) => ({
      world,
      id: waiting[at]?.resource_id ?? '',
      version: waiting[at]?.resource_version ?? 0,
    }));
    const composed = await records.compose(tx, kind, keys);
    places.forEach((at, n) => (messages[at] = jsonTextOf(composed[n])));
  }
  return messages.map((message) => message ?? 'null');
}

/** The exact bytes of the notification. [G-60] */
function bodyOf(environment: string, event: Waiting, sequence: bigint, message: string): string {
  const head = JSON.stringify({
    event_id: event.event_id,
    event_name: event.name,
    bucket_key: environment,
    sent_at: event.at,
    sequence: Number(sequence),
    resource_version: event.resource_version,
  });
  return `${head.slice(0, -1)},"message":${message}}`;
}
