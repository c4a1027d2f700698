// Pairs of one person in labelled sets, through the real look-up: the data sets of the Febrl
// generator, and the populations with a quarter of the persons twice. Splink, where a Python has
// it, is asked the same.
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { systemRandom } from '../src/core/random.ts';
import type { Database } from '../src/db/index.ts';
import type { Keys } from '../src/providers/keys/port.ts';
import { countPersons } from '../src/product/people/matching/counts.ts';
import { featuresOf, type Stated } from '../src/product/people/matching/features.ts';
import { findMatches } from '../src/product/people/matching/look-up.ts';
import {
  MATCH_THRESHOLD,
  matchWeightOf,
  REVIEW_THRESHOLD,
} from '../src/product/people/matching/score.ts';
import { emptied, spreadKeys } from './matching-peoples.ts';
import { idOf, store } from './matching-process.ts';
import { Peopled, pick, ALL_POPULATIONS, rngFor } from './peoples/index.ts';
import { again, type Wrong } from './peoples/wrongs.ts';
import type { Run } from './site.ts';

const FEBRL = process.env['HOLDFAST_BENCH_FEBRL'] ?? '../shared/data/febrl';
/** Persons of a labelled population; a quarter of them are there twice. */
const PERSONS = 4_000;
/** Look-ups under way at once. */
const AT_ONCE = 8;
/** What a second statement has wrong: most often little. */
const MISTAKES: readonly Wrong[] = [
  ...(['a field misspelt', 'a field misspelt', 'a field missing', 'a field replaced'] as const),
  ...(['moved', 'new telephone', 'moved, new telephone', 'two fields wrong'] as const),
];

export interface Labelled {
  /** The same for all records of one person. */
  readonly person: string;
  readonly stated: Stated;
}

/** What is found of the pairs of a set at a threshold. */
export interface Rated {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** A labelled set: what is listed, what is a match, and what Splink says at both thresholds. */
export interface Paired {
  readonly name: string;
  readonly pairs: number;
  readonly listed: Rated;
  readonly matched: Rated;
  /** F1; null where Splink was not asked. */
  readonly splink: { readonly listed: number; readonly matched: number } | null;
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

/** A population of which some state themselves again with mistakes. */
export function labelled(from: Peopled, count = PERSONS): Labelled[] {
  const rng = rngFor(9, from.people.key);
  const source = from.persons(500);
  const persons = Array.from({ length: count }, () => source.next().value);
  const first = persons.map(({ stated }, at) => ({ person: String(at), stated }));
  const second = persons.slice(0, count / 4).map((person, at) => {
    return { person: String(at), stated: again(rng, from, person, pick(rng, MISTAKES)) };
  });
  return [...first, ...second];
}

/** How many pairs of records are of one person. */
function truePairs(records: readonly Labelled[]): [Labelled, Labelled][] {
  const persons = Map.groupBy(records, ({ person }) => person).values();
  return [...persons].flatMap((group) =>
    group.flatMap((one, at) =>
      group.slice(at + 1).map((other): [Labelled, Labelled] => [one, other]),
    ),
  );
}

/** Stores a set, looks each record up, and counts pairs. */
async function paired(
  db: Database,
  keys: Keys,
  records: readonly Labelled[],
): Promise<Omit<Paired, 'name' | 'splink'>> {
  await emptied(db);
  const stated = records.map((record) => record.stated);
  const added = await store(db, keys, 1, stated);
  await db.transaction((tx) => countPersons(tx, 1, { added, removed: [] }));
  await spreadKeys(db);
  const personOf = new Map(records.map(({ person }, at) => [idOf(at), person]));
  const scores = new Map<string, number>();
  const look = async (one: Stated, at: number): Promise<void> => {
    const whose = { workspace: 1, account: idOf(at) };
    const found = await findMatches({ db, keys, random: systemRandom }, whose, featuresOf(one));
    for (const { account, score } of found) {
      scores.set([idOf(at), account].toSorted().join(' '), score);
    }
  };
  for (let from = 0; from < stated.length; from += AT_ONCE) {
    await Promise.all(stated.slice(from, from + AT_ONCE).map((one, at) => look(one, from + at)));
  }
  const real = truePairs(records).length;
  const isTrue = (pair: string): boolean => {
    const [one = '', other = ''] = pair.split(' ');
    return personOf.get(one) === personOf.get(other);
  };
  const rated = (least: number): Rated => {
    const pairs = [...scores].filter(([, score]) => score >= least);
    const right = pairs.filter(([pair]) => isTrue(pair)).length;
    const [precision, recall] = [right / pairs.length, right / real];
    return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
  };
  return { pairs: real, listed: rated(REVIEW_THRESHOLD), matched: rated(MATCH_THRESHOLD) };
}

/** The F1 of Splink at the same thresholds; null where it is not installed. */
function splinkOf(run: Run, name: string, records: readonly Labelled[]): Paired['splink'] {
  const python = process.env['HOLDFAST_BENCH_PYTHON'];
  if (python === undefined) return null;
  const file = join(run.folder, `${name}.json`);
  const rows = records.map(({ person, stated }, at) => ({ id: at, person, ...featuresOf(stated) }));
  writeFileSync(file, JSON.stringify(rows));
  const script = join(import.meta.dirname, 'splink-pairs.py');
  const thresholds = [REVIEW_THRESHOLD, MATCH_THRESHOLD].map(String);
  const told = execFileSync(python, [script, file, ...thresholds], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [listed = 0, matched = 0] = JSON.parse(told.trim().split('\n').at(-1) ?? '[]') as number[];
  return { listed, matched };
}

/** The labelled sets: those of Febrl where they are there, and each population in one city. */
export async function pairsPart(run: Run, db: Database, keys: Keys): Promise<Paired[]> {
  const folder = resolve(import.meta.dirname, '..', FEBRL);
  if (!existsSync(folder)) run.say(`matching: the data sets are absent (${FEBRL})`);
  const sets = new Map<string, () => Labelled[]>();
  for (const file of globSync(join(folder, '*.csv')).toSorted()) {
    sets.set(basename(file, '.csv'), () => readFebrl(file));
  }
  const { peoples, persons } = run.options;
  for (const people of ALL_POPULATIONS) {
    if (peoples !== null && !peoples.includes(people.key)) continue;
    const from = new Peopled(people, { inCity: true, tax: true });
    sets.set(people.key, () => labelled(from, Math.min(persons, PERSONS)));
  }
  const all: Paired[] = [];
  for (const [name, read] of sets) {
    const records = read();
    const splink = splinkOf(run, name, records);
    const one = { name, ...(await paired(db, keys, records)), splink };
    all.push(one);
    const { listed, matched, pairs } = one;
    const text = ({ precision, recall, f1 }: Rated): string =>
      `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}, F1 ${f1.toFixed(4)}`;
    run.say(
      `matching, ${name}, ${pairs} pairs: listed ${text(listed)}; matched ${text(matched)}; ` +
        `Splink ${splink === null ? 'was not asked' : `${splink.listed}, ${splink.matched}`}`,
    );
    run.figures.add(`matching.${name.startsWith('dataset') ? name : 'peoples'}.f1`, listed.f1);
    if (splink !== null) run.figures.add('matching.splink', splink.listed - listed.f1);
    const forms = truePairs(records).map((pair) => pair.map(({ stated }) => featuresOf(stated)));
    const uneven = forms.filter(
      ([a, b]) => a && b && matchWeightOf(a, b) !== matchWeightOf(b, a),
    );
    run.figures.add('matching.uneven', uneven.length);
  }
  return all;
}
