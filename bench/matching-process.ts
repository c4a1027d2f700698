// A worker process of the matching bench: stores a share of the invented persons as the product
// does, or looks persons up one by one as the product's worker does. Started by matching.ts.
import { Database } from '../src/db/index.ts';
import { fileKeys } from '../src/providers/keys/file.ts';
import { PersonSealer } from '../src/product/people/account/index.ts';
import { featuresOf, type Stated } from '../src/product/people/matching/features.ts';
import { findMatches } from '../src/product/people/matching/look-up.ts';
import { keysOf, sealStatements } from '../src/product/people/matching/store.ts';
import { sealedPlace } from '../src/core/labels.ts';
import { systemRandom as random } from '../src/core/random.ts';
import type { Keys } from '../src/providers/keys/port.ts';
import { rngOf, housemate, mistaken, strangers } from './strangers.ts';

const BATCH = 2_000;
const WARM_UP = 200;

/** An order to the process. */
export type Order = {
  readonly url: string;
  readonly keyFile: string;
  readonly workspace: number;
} & (
  | { readonly work: 'store'; readonly seed: number; readonly from: number; readonly to: number }
  | { readonly work: 'look'; readonly strangers: number; readonly mistaken: number }
);

/** The result of a look-up process. */
export interface Looked {
  readonly milliseconds: readonly number[];
  /** Strangers who matched somebody. */
  readonly falseMatches: number;
  /** Persons with one wrong field who were found. */
  readonly found: number;
  /** Highest resident memory of the process, megabytes. */
  readonly memory: number;
}

/** Stores persons in as few statements as possible: no triggers, the hashes come afterwards. */
export async function store(
  db: Database,
  keys: Keys,
  workspace: number,
  persons: readonly Stated[],
): Promise<string[]> {
  const rows = await Promise.all(
    persons.map(async (person) => {
      const [id, key] = [random.uuid(), random.bytes(32)];
      const features = featuresOf(person);
      const statements = [{ application: random.uuid(), features }];
      return {
        id,
        wrapped: await keys.wrap(key, sealedPlace('person', workspace, id)),
        sealed: sealStatements(new PersonSealer(key, random, workspace), id, statements),
        keys: `{${keysOf(keys, workspace, features).join()}}`,
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
  return ids;
}

async function storeShare(order: Extract<Order, { work: 'store' }>): Promise<void> {
  const settings = { session_replication_role: 'replica', synchronous_commit: 'off' };
  const db = new Database({ url: order.url, max: 2, settings });
  const keys = await fileKeys(order.keyFile);
  const source = strangers(order.seed);
  for (let at = 0; at < order.from; at += 1) source.next();
  let under: Promise<unknown> = Promise.resolve();
  for (let at = order.from; at < order.to; at += BATCH) {
    const count = Math.min(BATCH, order.to - at);
    const persons = Array.from({ length: count }, () => source.next().value);
    await under;
    under = store(db, keys, order.workspace, persons);
  }
  await under;
  await db.close();
}

async function lookAround(order: Extract<Order, { work: 'look' }>): Promise<Looked> {
  const db = new Database({ url: order.url, max: 1 });
  const keys = await fileKeys(order.keyFile);
  const nobody = { workspace: order.workspace, account: random.uuid() };
  const milliseconds: number[] = [];
  const look = async (person: Stated): Promise<number> => {
    const began = performance.now();
    const found = await findMatches({ db, keys, random }, nobody, featuresOf(person));
    milliseconds.push(performance.now() - began);
    return found.length;
  };
  // Nobody of this seed is stored; every tenth shares a household with someone who is.
  const [fresh, stored, rng] = [strangers(77_000), strangers(1), rngOf(5)];
  for (let at = 0; at < WARM_UP; at += 1) await look(fresh.next().value);
  milliseconds.length = 0;
  let falseMatches = 0;
  for (let at = 0; at < order.strangers; at += 1) {
    const one = fresh.next().value;
    const person = at % 10 === 0 ? housemate(rng, stored.next().value) : one;
    if ((await look(person)) > 0) falseMatches += 1;
  }
  let found = 0;
  for (let at = 0; at < order.mistaken; at += 1) {
    if ((await look(mistaken(rng, stored.next().value))) > 0) found += 1;
  }
  await db.close();
  // maxRSS counts kilobytes.
  return { milliseconds, falseMatches, found, memory: process.resourceUsage().maxRSS / 1024 };
}

if (process.send !== undefined && import.meta.main) {
  process.once('message', (order: Order) => {
    const work = order.work === 'store' ? storeShare(order) : lookAround(order);
    work.then(
      (answer) => process.send?.(answer ?? null, () => process.disconnect()),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
