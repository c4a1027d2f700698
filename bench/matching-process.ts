// A worker process of the matching bench: stores a share of a population as the product does, looks
// persons up one by one as the product's worker does, or does both in memory. Started by
// matching-peoples.ts.
import { Database } from '../src/db/index.ts';
import { sealedPlace } from '../src/core/labels.ts';
import { systemRandom as random } from '../src/core/random.ts';
import { fileKeys } from '../src/providers/keys/file.ts';
import type { Keys } from '../src/providers/keys/port.ts';
import { PersonSealer } from '../src/product/people/account/index.ts';
import { countedKeys } from '../src/product/people/matching/counts.ts';
import { featuresOf, type Stated } from '../src/product/people/matching/features.ts';
import { findMatches } from '../src/product/people/matching/look-up.ts';
import { keysOf, sealStatements } from '../src/product/people/matching/store.ts';
import { Peopled, ALL_POPULATIONS, type Setting } from './peoples/index.ts';
import { looks, STORED, type Asked, type Told } from './peoples/looks.ts';
import { Stored } from './peoples/memory.ts';

const BATCH = 2_000;
const WARM_UP = 100;
/** The seed of those whose look-up is timed. */
const TIMED = 88_000;

/** An order to the process. */
export type Order = {
  readonly url: string;
  readonly keyFile: string;
  readonly workspace: number;
  readonly population: string;
  readonly setting: Setting;
} & (
  | { readonly work: 'store'; readonly from: number; readonly to: number }
  | (Asked & { readonly work: 'look'; readonly timed: number })
  | (Omit<Asked, 'tax'> & { readonly work: 'memory' })
);

/** What each person stored is to be counted under, until all are. */
export const COUNTED = 'bench_counted';

/** The result of a look-up process. */
export interface Looked extends Told {
  /** Of look-ups one by one. */
  readonly milliseconds: readonly number[];
  /** Highest resident memory of the process, megabytes. */
  readonly memory: number;
}

/** The id of the n-th person stored. */
export function idOf(at: number): string {
  return `00000000-0000-7000-8000-${at.toString(16).padStart(12, '0')}`;
}

/**
 * Stores persons in as few statements as possible: no triggers, the hashes come afterwards. Gives
 * what each is to be counted under.
 */
export async function store(
  db: Database,
  keys: Keys,
  workspace: number,
  persons: readonly Stated[],
  from = 0,
): Promise<bigint[][]> {
  const rows = await Promise.all(
    persons.map(async (person, at) => {
      const [id, key] = [idOf(from + at), random.bytes(32)];
      const features = featuresOf(person);
      const statements = [{ application: random.uuid(), features }];
      return {
        id,
        wrapped: await keys.wrap(key, sealedPlace('person', workspace, id)),
        sealed: sealStatements(new PersonSealer(key, random, workspace), id, statements),
        keys: `{${keysOf(keys, workspace, features).join()}}`,
        counted: countedKeys(keys, workspace, features),
      };
    }),
  );
  const ids = rows.map(({ id }) => id);
  await db.execute({
    name: 'bench_persons',
    text: `insert into account_person (workspace, id, wrapped_key, sealed, updated)
      select $1, id, wrapped, 'x', now() from unnest($2::uuid[], $3::text[]) as p (id, wrapped)`,
    values: [workspace, ids, rows.map(({ wrapped }) => wrapped)],
  });
  await db.execute({
    name: 'bench_match_persons',
    text: `insert into match_person (workspace, id, sealed, keys)
      select $1, id, sealed, keys::bigint[]
      from unnest($2::uuid[], $3::bytea[], $4::text[]) as p (id, sealed, keys)`,
    values: [workspace, ids, rows.map(({ sealed }) => sealed), rows.map((row) => row.keys)],
  });
  return rows.map(({ counted }) => counted);
}

function peopled({ population, setting }: Order): Peopled {
  const people = ALL_POPULATIONS.find(({ key }) => key === population);
  if (people === undefined) throw new Error(`there is no population ${population}`);
  return new Peopled(people, setting);
}

async function storeShare(order: Extract<Order, { work: 'store' }>): Promise<void> {
  const settings = { session_replication_role: 'replica', synchronous_commit: 'off' };
  const db = new Database({ url: order.url, max: 2, settings });
  const keys = await fileKeys(order.keyFile);
  const source = peopled(order).persons(STORED);
  for (let at = 0; at < order.from; at += 1) source.next();
  for (let at = order.from; at < order.to; at += BATCH) {
    const some = Math.min(BATCH, order.to - at);
    const persons = Array.from({ length: some }, () => source.next().value.stated);
    const counted = await store(db, keys, order.workspace, persons, at);
    await db.execute({
      name: 'bench_counted',
      text: `insert into ${COUNTED} select keys::bigint[] from unnest($1::text[]) as p (keys)`,
      values: [counted.map((of) => `{${of.join()}}`)],
    });
  }
  await db.close();
}

async function lookAround(order: Extract<Order, { work: 'look' }>): Promise<Looked> {
  const db = new Database({ url: order.url, max: 8 });
  const keys = await fileKeys(order.keyFile);
  const nobody = { workspace: order.workspace, account: random.uuid() };
  const look = async (stated: Stated, own?: number): Promise<number> => {
    const found = await findMatches({ db, keys, random }, nobody, featuresOf(stated));
    const best = own === undefined ? found[0] : found.find((one) => one.account === idOf(own));
    return best?.score ?? 0;
  };
  const from = peopled(order);
  const fresh = from.persons(TIMED);
  const milliseconds: number[] = [];
  for (let at = 0; at < WARM_UP + order.timed; at += 1) {
    const { stated } = fresh.next().value;
    const began = performance.now();
    await look(order.tax ? stated : { ...stated, ssn_last4: '' });
    if (at >= WARM_UP) milliseconds.push(performance.now() - began);
  }
  const told = await looks(from, order, look);
  await db.close();
  // maxRSS counts kilobytes.
  return { ...told, milliseconds, memory: process.resourceUsage().maxRSS / 1024 };
}

/** Stores a population in memory, and looks up with tax digits and without. */
async function inMemory(order: Extract<Order, { work: 'memory' }>): Promise<readonly Looked[]> {
  const [from, stored] = [peopled(order), new Stored()];
  const source = from.persons(STORED);
  for (let at = 0; at < order.stored; at += 1) stored.add(source.next().value.stated);
  const population = stored.population();
  const all: Looked[] = [];
  for (const tax of [false, true]) {
    const told = await looks(from, { ...order, tax }, async (stated, own) => {
      const found = stored.find(stated, population);
      const best = own === undefined ? found[0] : found.find(({ at }) => at === own);
      return best?.score ?? 0;
    });
    all.push({ ...told, milliseconds: [], memory: 0 });
  }
  return all;
}

function worked(order: Order): Promise<unknown> {
  if (order.work === 'store') return storeShare(order);
  return order.work === 'look' ? lookAround(order) : inMemory(order);
}

if (process.send !== undefined && import.meta.main) {
  process.once('message', (order: Order) => {
    worked(order).then(
      (answer) => process.send?.(answer ?? null, () => process.disconnect()),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
