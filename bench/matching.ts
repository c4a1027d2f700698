// The matching part of the bench: precision and recall on data sets of the Febrl generator, false
// matches among invented strangers, and the cost of a look-up with many stored. It uses the
// product's own store and look-up; the targets are in figures.ts.
import { fork } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileKeys } from '../src/providers/keys/file.ts';
import { Database } from '../src/db/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { featuresOf, type Features, type Stated } from '../src/product/people/matching/features.ts';
import { findMatches } from '../src/product/people/matching/look-up.ts';
import { matchWeightOf } from '../src/product/people/matching/score.ts';
import { systemRandom } from '../src/core/random.ts';
import type { Keys } from '../src/providers/keys/port.ts';
import { store, type Looked, type Order } from './matching-process.ts';
import type { Run } from './site.ts';

const DATABASE = 'bench_matching';
const FEBRL = '../shared/data/febrl';
const STRANGERS_WORKSPACE = 1;
/** Processes that store persons. */
const SHARES = 2;

interface Labelled {
  /** The same for all records of one person. */
  readonly person: string;
  readonly stated: Stated;
}

/** A data set of the Febrl generator; its ids tell which records are of one person. */
function readFebrl(file: string): Labelled[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const names = head.split(',').map((name) => name.trim());
  return lines.map((line) => {
    const texts = line.split(',').map((text) => text.trim());
    const of = (name: string): string => texts[names.indexOf(name)] ?? '';
    const stated = {
      ...{ first: of('given_name'), middle: '', last: of('surname') },
      date_of_birth: of('date_of_birth'),
      street: `${of('street_number')} ${of('address_1')}`,
      ...{ street2: of('address_2'), city: of('suburb'), zip: of('postcode'), region: of('state') },
      ...{ country: 'AU', phone_number: '', ssn_last4: of('soc_sec_id').slice(-4) },
    };
    return { person: of('rec_id').split('-')[1] ?? '', stated };
  });
}

/** Every pair of records of one person. */
function truePairs(records: readonly Labelled[]): [Features, Features][] {
  const persons = Map.groupBy(records, ({ person }) => person).values();
  return [...persons].flatMap((group) => {
    const forms = group.map(({ stated }) => featuresOf(stated));
    return forms.flatMap((one, at) =>
      forms.slice(at + 1).map((other): [Features, Features] => [one, other]),
    );
  });
}

/** Stores a data set in a workspace of its own, looks each record up, and counts pairs. */
async function febrlPart(run: Run, db: Database, keys: Keys): Promise<void> {
  const root = join(import.meta.dirname, '..');
  const folder = join(root, FEBRL);
  if (!existsSync(folder)) {
    run.say(`matching: the data sets are absent (${FEBRL}), so precision and recall are not told`);
    return;
  }
  const parts = { db, keys, random: systemRandom };
  for (const [at, file] of globSync(join(folder, '*.csv')).toSorted().entries()) {
    const workspace = STRANGERS_WORKSPACE + 1 + at;
    const records = readFebrl(file);
    const ids = await store(
      db,
      keys,
      workspace,
      records.map(({ stated }) => stated),
    );
    await spreadKeys(db, workspace);
    const personOf = new Map(ids.map((id, n) => [id, records[n]?.person]));
    const pairs = new Map<string, boolean>();
    for (const [n, account] of ids.entries()) {
      const features = featuresOf((records[n] as Labelled).stated);
      for (const other of await findMatches(parts, { workspace, account }, features)) {
        const pair = [account, other.account].toSorted().join(' ');
        pairs.set(pair, personOf.get(account) === personOf.get(other.account));
      }
    }
    const right = [...pairs.values()].filter(Boolean).length;
    const real = truePairs(records);
    const [precision, recall] = [right / pairs.size, right / real.length];
    const f1 = (2 * precision * recall) / (precision + recall);
    const name = basename(file, '.csv');
    run.say(
      `matching, ${name}: precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}, ` +
        `F1 ${f1.toFixed(4)} of ${real.length} pairs`,
    );
    const uneven = real.filter(
      ([one, other]) => matchWeightOf(one, other) !== matchWeightOf(other, one),
    );
    run.figures.add('matching.uneven', uneven.length);
    run.figures.add(`matching.${name}.f1`, f1);
  }
}

function spreadKeys(db: Database, workspace: number): Promise<number> {
  return db.execute({
    text: `insert into match_key select workspace, unnest(keys), id from match_person
      where workspace = $1`,
    values: [workspace],
  });
}

/** Runs an order in a process of its own and returns its result. */
function inProcess(order: Order): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'matching-process.ts'));
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`a process of the bench ended with ${code}`)));
    child.send(order);
  });
}

type Place = Pick<Order, 'url' | 'keyFile' | 'workspace'>;

/** Stores persons `from` to `to` and rebuilds the hash index, which is faster than one by one. */
async function storeMany(db: Database, place: Place, from: number, to: number): Promise<void> {
  const step = Math.ceil((to - from) / SHARES);
  const shares = Array.from({ length: SHARES }, (_, at) => {
    const share = { from: from + at * step, to: Math.min(to, from + (at + 1) * step) };
    return inProcess({ ...place, work: 'store', seed: 1, ...share });
  });
  await Promise.all(shares);
  await db.execute('alter table match_key drop constraint match_key_pkey');
  await db.execute({
    text: 'delete from match_key where workspace = $1',
    values: [place.workspace],
  });
  await spreadKeys(db, place.workspace);
  await db.execute('alter table match_key add primary key (workspace, key, id)');
  await db.execute('vacuum analyze');
}

async function lookedUp(run: Run, place: Place, stored: number, fast: boolean): Promise<Looked> {
  const order = { work: 'look', strangers: fast ? 1_000 : 5_000, mistaken: 1_000 } as const;
  const looked = (await inProcess({ ...place, ...order })) as Looked;
  const sorted = looked.milliseconds.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? 0;
  const key = `matching.${stored === run.options.persons ? 'full' : 'tenth'}`;
  const false1000 = (looked.falseMatches * 1_000) / order.strangers;
  const recall = looked.found / order.mistaken;
  run.say(
    `matching against ${stored}: p50 ${at(0.5).toFixed(2)}, p99 ${at(0.99).toFixed(2)}, ` +
      `p99.9 ${at(0.999).toFixed(2)} ms; ${looked.falseMatches} of ${order.strangers} strangers ` +
      `matched; ${looked.found} of ${order.mistaken} with one wrong field found; ` +
      `${looked.memory.toFixed(0)} MB`,
  );
  run.figures.add(`${key}.p99`, at(0.99));
  if (stored !== run.options.persons) return looked;
  run.figures.add('matching.false', false1000);
  run.figures.add('matching.recall', recall);
  run.figures.add('matching.memory', looked.memory);
  return looked;
}

/** Everything about matching, on a database of its own. */
export async function matchingPart(run: Run): Promise<void> {
  const { persons, rounds } = run.options;
  await run.postgres.createDatabase(DATABASE);
  const owner = new Database({ url: run.postgres.url(DATABASE, 'holdfast'), max: 1 });
  await migrate(owner, new URL('../migrations/', import.meta.url));
  await owner.close();
  const url = run.postgres.url(DATABASE);
  const settings = {
    session_replication_role: 'replica',
    statement_timeout: '0',
    maintenance_work_mem: '512MB',
  };
  const db = new Database({ url, max: 1, settings });
  const keyFile = join(run.folder, 'matching-keys.json');
  const keys = await fileKeys(keyFile);
  const place = { url, keyFile, workspace: STRANGERS_WORKSPACE };
  try {
    await febrlPart(run, db, keys);
    const began = performance.now();
    const tenth = Math.round(persons / 10);
    await storeMany(db, place, 0, tenth);
    await lookedUp(run, place, tenth, true);
    await storeMany(db, place, tenth, persons);
    const [row] = await db.query<{ size: string }>(
      `select pg_size_pretty(pg_total_relation_size('match_key')
        + pg_total_relation_size('match_person')) as size`,
    );
    const seconds = ((performance.now() - began) / 1_000).toFixed(0);
    run.say(`matching: ${persons} persons stored in ${seconds} s; they take ${row?.size}`);
    await lookedUp(run, place, persons, rounds === 1);
  } finally {
    await db.close();
  }
}
