// Six populations in the matching bench: strangers who match or come to review, relatives, persons
// who are found again, and whether a score is the probability that it says.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Database } from '../src/db/index.ts';
import { MATCH_THRESHOLD, REVIEW_THRESHOLD } from '../src/product/people/matching/score.ts';
import { COUNTED, type Looked, type Order } from './matching-process.ts';
import { Reliabilities } from './matching-reliability.ts';
import { ALL_POPULATIONS } from './peoples/index.ts';
import type { Scores } from './peoples/looks.ts';
import type { Run } from './site.ts';

/** Persons stored of every population in memory; then as many as the options say. */
export const SMALL = 30_000;
/** The population that is stored in the database, too. */
const DENSEST = 'vietnam';
/** Processes at once. */
const SHARES = 2;
/** Megabytes for a process that has a million persons in memory. */
const HEAP = 6_000;

export interface Place {
  readonly url: string;
  readonly keyFile: string;
}

/** One line of the table: a population of a size, looked up with or without tax digits. */
export interface Row {
  readonly population: string;
  readonly inCity: boolean;
  readonly tax: boolean;
  readonly stored: number;
  /** Whether they are stored in the database. */
  readonly inDatabase: boolean;
  readonly looked: Looked;
}

/** Runs an order in a process of its own and returns its result. */
function inProcess(order: Order): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const execArgv = order.work === 'memory' ? [`--max-old-space-size=${HEAP}`] : [];
    const child = fork(join(import.meta.dirname, 'matching-process.ts'), { execArgv });
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`a process of the bench ended with ${code}`)));
    child.send(order);
  });
}

/** Rebuilds the hash index of what is stored, which is faster than one by one. */
export async function spreadKeys(db: Database): Promise<void> {
  await db.execute('alter table match_key drop constraint match_key_pkey');
  await db.execute('truncate match_key');
  await db.execute('insert into match_key select workspace, unnest(keys), id from match_person');
  await db.execute('alter table match_key add primary key (workspace, key, id)');
  await db.execute('vacuum analyze match_key');
  await db.execute('vacuum analyze match_person');
  await db.execute('vacuum analyze match_count');
}

/** Counts all who are stored at once: `counts.ts` says which keys are of pairs. */
async function countStored(db: Database): Promise<void> {
  await db.execute(`insert into match_count (workspace, key, n)
    select 1, key, count(*) from (select unnest(keys) as key from ${COUNTED}
      union all select 0 from ${COUNTED}) k where key <> 1 group by key`);
  await db.execute(`insert into match_count (workspace, key, n)
    select 1, total, sum(sign * n * (n - 1) / 2)
    from (select total, sign, key, count(*) as n from ${COUNTED}
      cross join lateral (values (1, 1, nullif(keys[1], 1)),
        (3, 1, case when keys[cardinality(keys)] = 2 then keys[cardinality(keys) - 2] end),
        (3, -1, case when keys[cardinality(keys)] = 2 then keys[cardinality(keys) - 1] end)
      ) as of (total, sign, key)
      where key is not null group by total, sign, key) p
    group by total having sum(sign * n * (n - 1) / 2) > 0`);
  await db.execute(`drop table ${COUNTED}`);
}

export async function emptied(db: Database): Promise<void> {
  await db.execute('truncate match_key, match_person, match_count, account_person');
}

type Whose = Pick<Order, 'population' | 'setting'>;

async function storeMany(db: Database, place: Place, whose: Whose, count: number): Promise<void> {
  await emptied(db);
  await db.execute(`create unlogged table ${COUNTED} (keys bigint[] not null)`);
  const step = Math.ceil(count / SHARES);
  const shares = Array.from({ length: SHARES }, (_, at) => {
    const share = { from: at * step, to: Math.min(count, (at + 1) * step) };
    return inProcess({ ...place, ...whose, workspace: 1, work: 'store', ...share });
  });
  await Promise.all(shares);
  await countStored(db);
  await spreadKeys(db);
}

export function atLeast(scores: Scores, least: number): number {
  return scores.filter((score) => score >= least).length;
}

/** Of 1,000: matched, and besides to review. */
export function rates(scores: Scores): readonly [matched: number, review: number] {
  const matched = atLeast(scores, MATCH_THRESHOLD);
  const review = atLeast(scores, REVIEW_THRESHOLD) - matched;
  const of = (count: number): number => (count * 1_000) / Math.max(1, scores.length);
  return [of(matched), of(review)];
}

export function percentile(row: Row, share: number): number {
  const sorted = row.looked.milliseconds.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * sorted.length)] ?? 0;
}

function tell(run: Run, row: Row): void {
  const { population, inCity, tax, stored, looked } = row;
  const text = (scores: Scores): string =>
    rates(scores)
      .map((rate) => rate.toFixed(1))
      .join('/');
  const of = (scores: Readonly<Record<string, Scores>>): string =>
    Object.entries(scores)
      .map(([kind, list]) => `${kind} ${text(list)}`)
      .join(', ');
  run.say(
    `matching, ${population}, ${inCity ? 'one city' : 'many towns'}, ` +
      `${tax ? '' : 'no '}tax digits, ${stored} stored: matched/review of 1,000 strangers ` +
      `${text(looked.strangers)}; p50 ${percentile(row, 0.5).toFixed(2)}, p99 ` +
      `${percentile(row, 0.99).toFixed(2)} ms; ${looked.memory.toFixed(0)} MB; ` +
      of({ ...looked.kin, ...looked.wrong }),
  );
}

/** The figures that have targets. */
function figure(run: Run, row: Row): void {
  const size = row.stored > SMALL ? 'large' : 'small';
  const [matched, review] = rates(row.looked.strangers);
  run.figures.add(`matching.${size}.matched`, matched);
  run.figures.add(`matching.${size}.review`, review);
  if (row.inDatabase) run.figures.add(`matching.${size}.p99`, percentile(row, 0.99));
}

/** Works through all, so many at once. */
async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all];
  const next = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: SHARES }, next));
}

/** What was measured of the populations. */
export interface Measured {
  readonly rows: readonly Row[];
  readonly reliability: Reliabilities;
}

/**
 * Stores each population in one city and in many towns, and looks others up. `keep` gets all that
 * is measured so far, after each stage.
 */
export async function peoplesPart(
  run: Run,
  db: Database,
  place: Place,
  keep: (measured: Measured) => void,
): Promise<Measured> {
  const { persons, peoples, rounds } = run.options;
  const rows: Row[] = [];
  const reliability = new Reliabilities();
  const isShort = rounds === 1;
  const small = Math.min(persons, SMALL);
  const [strangers, timed, ofKind] = isShort
    ? [Math.ceil(small / 10), 100, 30]
    : [10_000, 2_000, 100];
  const all = ALL_POPULATIONS.map(({ key }) => key);
  const chosen = all.filter((key) => peoples?.includes(key) ?? true);
  const told = (row: Row): void => {
    rows.push(row);
    tell(run, row);
    figure(run, row);
  };
  const inMemory = async ({ population, setting }: Whose, stored: number): Promise<void> => {
    const asked = { stored, strangers, each: setting.inCity && stored <= SMALL ? ofKind : 0 };
    const order = { ...place, population, setting, workspace: 1, ...asked };
    const both = (await inProcess({ ...order, work: 'memory' })) as readonly Looked[];
    for (const [at, looked] of both.entries()) {
      const { inCity } = setting;
      told({ population, inCity, tax: at === 1, stored, inDatabase: false, looked });
      if (inCity && stored <= SMALL) reliability.add(population, looked);
    }
  };
  const inDatabase = async (population: string, stored: number): Promise<void> => {
    const whose = { population, setting: { inCity: true, tax: true } };
    await storeMany(db, place, whose, stored);
    for (const tax of [false, true]) {
      const asked = { stored, strangers: stored > SMALL ? strangers : 0, each: 0, tax, timed };
      const order = { ...place, ...whose, workspace: 1, ...asked };
      const looked = (await inProcess({ ...order, work: 'look' })) as Looked;
      told({ population, inCity: true, tax, stored, inDatabase: true, looked });
    }
  };
  const settings = chosen.flatMap((population): Whose[] =>
    [true, false].map((inCity) => ({ population, setting: { inCity, tax: true } })),
  );
  const stage = async (work: Promise<void>): Promise<void> => {
    await work;
    rows.sort((one, other) => placeOf(one) - placeOf(other));
    keep({ rows, reliability });
  };
  await stage(each(settings, (whose) => inMemory(whose, small)));
  const densest = chosen.includes(DENSEST) ? DENSEST : (chosen[0] as string);
  await stage(inDatabase(densest, small));
  if (persons > SMALL) {
    await stage(inDatabase(densest, persons));
    const others = settings.filter((one) => one.population !== densest && one.setting.inCity);
    await stage(each(others, (whose) => inMemory(whose, persons)));
  }
  memoryOf(run, rows);
  return { rows, reliability };
}

/** Where a row stands in the table: by size, then as populations are listed. */
function placeOf({ population, inCity, tax, stored }: Row): number {
  const at = ALL_POPULATIONS.findIndex(({ key }) => key === population);
  return stored * 100 + at * 4 + (inCity ? 0 : 2) + (tax ? 1 : 0);
}

/** What a process that looks up needs more because many are stored. */
function memoryOf(run: Run, rows: readonly Row[]): void {
  const of = (isLarge: boolean): number[] =>
    rows
      .filter((row) => row.inDatabase && row.stored > SMALL === isLarge)
      .map(({ looked }) => looked.memory);
  if (of(true).length === 0) return;
  run.figures.add('matching.memory', Math.max(...of(true)) - Math.min(...of(false)));
}
