// Six populations in the matching bench: strangers who match or come to review, relatives, persons
// who are found again, and whether a score is the probability that it says.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Database } from '../src/db/index.ts';
import { MATCH_THRESHOLD, REVIEW_THRESHOLD } from '../src/product/people/matching/score.ts';
import type { Looked, Order } from './matching-process.ts';
import { Reliability } from './matching-reliability.ts';
import { POPULATIONS } from './peoples/index.ts';
import type { Scores } from './peoples/looks.ts';
import type { Run } from './site.ts';

/** Persons stored of every population; of some, as many as the options say. */
export const SMALL = 30_000;
const LARGE = ['vietnam', 'korea'];
/** Processes that store persons. */
const SHARES = 2;

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
  readonly looked: Looked;
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

export async function emptied(db: Database): Promise<void> {
  await db.execute('truncate match_key, match_person, match_count, account_person');
}

type Whose = Pick<Order, 'population' | 'setting'>;

async function storeMany(db: Database, place: Place, whose: Whose, count: number): Promise<void> {
  await emptied(db);
  const step = Math.ceil(count / SHARES);
  const shares = Array.from({ length: SHARES }, (_, at) => {
    const share = { from: at * step, to: Math.min(count, (at + 1) * step) };
    return inProcess({ ...place, ...whose, workspace: 1, work: 'store', ...share });
  });
  await Promise.all(shares);
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
function keep(run: Run, row: Row): void {
  const size = row.stored > SMALL ? 'large' : 'small';
  const [matched, review] = rates(row.looked.strangers);
  run.figures.add(`matching.${size}.matched`, matched);
  run.figures.add(`matching.${size}.review`, review);
  run.figures.add(`matching.${size}.p99`, percentile(row, 0.99));
}

/** Stores each population in one city and in many towns, and looks others up. */
export async function peoplesPart(
  run: Run,
  db: Database,
  place: Place,
): Promise<{ rows: Row[]; reliability: Reliability }> {
  const { persons, peoples, rounds } = run.options;
  const rows: Row[] = [];
  const reliability = new Reliability();
  const look = async (whose: Whose, stored: number, ofKind: number): Promise<void> => {
    for (const tax of [false, true]) {
      const few = Math.ceil(Math.min(persons, SMALL) / 10);
      const [strangers, timed] = rounds === 1 ? [few, 100] : [10_000, 2_000];
      const asked = { stored, strangers, each: ofKind, tax, timed };
      const order = { ...place, ...whose, workspace: 1, ...asked };
      const looked = (await inProcess({ ...order, work: 'look' })) as Looked;
      const { inCity } = whose.setting;
      const row = { population: whose.population, inCity, tax, stored, looked };
      rows.push(row);
      tell(run, row);
      keep(run, row);
      if (inCity && stored <= SMALL) reliability.add(looked);
    }
  };
  const chosen = POPULATIONS.filter(({ key }) => peoples === null || peoples.includes(key));
  const small = Math.min(persons, SMALL);
  const each = rounds === 1 ? 30 : 300;
  for (const { key: population } of chosen) {
    for (const inCity of [true, false]) {
      const whose = { population, setting: { inCity, tax: true } };
      await storeMany(db, place, whose, small);
      await look(whose, small, inCity ? each : 0);
    }
  }
  for (const population of LARGE) {
    if (persons <= SMALL || !chosen.some(({ key }) => key === population)) continue;
    const whose = { population, setting: { inCity: true, tax: true } };
    await storeMany(db, place, whose, persons);
    await look(whose, persons, each);
  }
  memoryOf(run, rows);
  return { rows, reliability };
}

/** What a process that looks up needs more because many are stored. */
function memoryOf(run: Run, rows: readonly Row[]): void {
  const of = (isLarge: boolean): number[] =>
    rows.filter(({ stored }) => stored > SMALL === isLarge).map(({ looked }) => looked.memory);
  if (of(true).length === 0) return;
  run.figures.add('matching.memory', Math.max(...of(true)) - Math.min(...of(false)));
}

