// Pairs of one person in labelled sets, through the real look-up: the data sets of the Febrl
// generator, and sets of the populations with a fifth of the persons twice. Splink, where Python has
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
import { MATCH_THRESHOLD, matchWeightOf } from '../src/product/people/matching/score.ts';
import { emptied, spreadKeys } from './matching-peoples.ts';
import { idOf, store } from './matching-process.ts';
import { Peopled, pick, POPULATIONS, rngFor } from './peoples/index.ts';
import { again, type Wrong } from './peoples/wrongs.ts';
import type { Run } from './site.ts';

const FEBRL = process.env['HOLDFAST_BENCH_FEBRL'] ?? '../shared/data/febrl';
/** Persons of a labelled population, and how many of them are there twice. */
const PERSONS = 4_000;
const TWICE = 1_000;
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

/** What is found of the pairs of a set, by the product and by Splink; null: was not asked. */
export interface Paired {
  readonly name: string;
  readonly pairs: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  readonly splink: number | null;
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
export function labelled(from: Peopled): Labelled[] {
  const rng = rngFor(9, from.people.key);
  const source = from.persons(500);
  const persons = Array.from({ length: PERSONS }, () => source.next().value);
  const first = persons.map(({ stated }, at) => ({ person: String(at), stated }));
  const second = persons.slice(0, TWICE).map((person, at) => {
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
  const pairs = new Map<string, boolean>();
  for (const [at, one] of stated.entries()) {
    const whose = { workspace: 1, account: idOf(at) };
    const found = await findMatches({ db, keys, random: systemRandom }, whose, featuresOf(one));
    for (const { account, score } of found) {
      if (score < MATCH_THRESHOLD) continue;
      const pair = [idOf(at), account].toSorted().join(' ');
      pairs.set(pair, personOf.get(idOf(at)) === personOf.get(account));
    }
  }
  const right = [...pairs.values()].filter(Boolean).length;
  const real = truePairs(records).length;
  const [precision, recall] = [right / pairs.size, right / real];
  return { pairs: real, precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

/** The F1 of Splink at the same threshold; null where it is not installed. */
function splinkOf(run: Run, name: string, records: readonly Labelled[]): number | null {
  const python = process.env['HOLDFAST_BENCH_PYTHON'];
  if (python === undefined) return null;
  const file = join(run.folder, `${name}.json`);
  const rows = records.map(({ person, stated }, at) => ({ id: at, person, ...featuresOf(stated) }));
  writeFileSync(file, JSON.stringify(rows));
  const script = join(import.meta.dirname, 'splink-pairs.py');
  const told = execFileSync(python, [script, file, String(MATCH_THRESHOLD)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return (JSON.parse(told.trim().split('\n').at(-1) ?? '{}') as { f1: number }).f1;
}

/** The labelled sets: those of Febrl where they are there, and each population in many towns. */
export async function pairsPart(run: Run, db: Database, keys: Keys): Promise<Paired[]> {
  const folder = resolve(import.meta.dirname, '..', FEBRL);
  if (!existsSync(folder)) run.say(`matching: the data sets are absent (${FEBRL})`);
  const sets = new Map<string, () => Labelled[]>();
  for (const file of globSync(join(folder, '*.csv')).toSorted()) {
    sets.set(basename(file, '.csv'), () => readFebrl(file));
  }
  const { peoples } = run.options;
  for (const people of POPULATIONS) {
    if (peoples !== null && !peoples.includes(people.key)) continue;
    const from = new Peopled(people, { inCity: true, tax: true });
    sets.set(people.key, () => labelled(from));
  }
  const all: Paired[] = [];
  for (const [name, read] of sets) {
    const records = read();
    const one = { name, ...(await paired(db, keys, records)), splink: splinkOf(run, name, records) };
    all.push(one);
    const { precision, recall, f1, pairs, splink } = one;
    run.say(
      `matching, ${name}: precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}, ` +
        `F1 ${f1.toFixed(4)} of ${pairs} pairs; Splink ${splink?.toFixed(4) ?? 'was not asked'}`,
    );
    run.figures.add(`matching.${name.startsWith('dataset') ? name : 'peoples'}.f1`, f1);
    if (splink !== null) run.figures.add('matching.splink', splink - f1);
    const forms = truePairs(records).map((pair) => pair.map(({ stated }) => featuresOf(stated)));
    const uneven = forms.filter(
      ([a, b]) => a && b && matchWeightOf(a, b) !== matchWeightOf(b, a),
    );
    run.figures.add('matching.uneven', uneven.length);
  }
  return all;
}
