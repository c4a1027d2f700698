// The words that a column may hold, such as states, are those of its table's declaration wherever
// SQL names them: in checks, partial indexes, triggers and functions of the database, and in the
// statements of the sources. A misspelled word, or one that a renamed state left behind, is found.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { machines } from '../../src/catalogue.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';
import { literalsOf, tableNames } from '../tidy/sql-text.ts';
import { filesOf, isTest } from '../tidy/tree.ts';
import { declared } from './declared.ts';

interface Definition {
  readonly name: string;
  readonly text: string;
}

/** The words of each `table.column`. */
type Known = ReadonlyMap<string, readonly string[]>;

const OF_TABLES = `
  select conrelid::regclass::text as name, pg_get_constraintdef(oid) as text from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace
  union all select indrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
    where indpred is not null
  union all select tgrelid::regclass::text, pg_get_triggerdef(oid) from pg_trigger
    where not tgisinternal`;
const OF_FUNCTIONS = `select proname as name, prosrc as text from pg_proc
  where pronamespace = 'public'::regnamespace`;

const LIST = String.raw`((?:'[^']*'(?:::text)?(?:,\s+)?)+)`;
const COMPARED = new RegExp(
  String.raw`(?:(\w+)\.)?(\w+)\)? (?:=|<>|in|not in) (?:ANY |ALL )?\(*(?:ARRAY\[)?${LIST}(?! \|\|)`,
  'g',
);
const WHOLE = new RegExp(String.raw`^CHECK \(\((\w+) = (?:ANY \(ARRAY\[)?${LIST}(?:\]\))?\)\)$`);
const TABLE =
  /\b(?:from|join|update|into|using)\s+(\w+)(?:\s+(?:as\s+)?(?!set|where|on|join)(\w+))?/g;

const REAL = tableNames();

/** A comparison of a column with words; `of`: the table, its alias, or '' where none is named. */
interface Comparison {
  readonly of: string;
  readonly column: string;
  readonly words: readonly string[];
}

function wordsIn(list: string): string[] {
  return [...list.matchAll(/'([^'$]*)'/g)].map(([, word = '']) => word);
}

function comparisonsIn(text: string): Comparison[] {
  const found = [...text.matchAll(COMPARED)].map(([, of = '', column = '', list = '']) => {
    return { of, column, words: wordsIn(list) };
  });
  const cases = /CASE state\b([^]*?)\bEND/.exec(text)?.[1] ?? '';
  return [...found, { of: '', column: 'state', words: wordsIn(cases) }];
}

let base: TestDatabase;
let definitions: readonly Definition[];
let functions: readonly Definition[];
let known: Known;
before(async () => {
  base = await testDatabase();
  definitions = await base.db.query<Definition>(OF_TABLES);
  functions = await base.db.query<Definition>(OF_FUNCTIONS);
  known = new Map([
    ...whole(),
    ...(await listed()),
    ['step.machine', machines.map(({ name }) => name)],
    ['step.event', machines.flatMap(({ moves }) => moves.map(({ on }) => on))],
  ]);
});
after(() => base?.drop());

/** The columns that a check of their own limits to a list. */
function whole(): Map<string, readonly string[]> {
  const found = definitions.flatMap(({ name, text }) => {
    const [, column = '', list = ''] = WHOLE.exec(text) ?? [];
    return list === '' ? [] : [[`${name}.${column}`, wordsIn(list)] as const];
  });
  return new Map(found);
}

/** The columns that are declared with a list. */
async function listed(): Promise<Map<string, readonly string[]>> {
  const { tables } = await declared();
  const found = tables.flatMap(({ name, words = {} }) => {
    return Object.entries(words).map(([column, list]) => {
      return [`${name}.${column}`, list.filter((word) => word !== null)] as const;
    });
  });
  return new Map(found);
}

/** The tables behind a name in a text: the table itself or, of an alias, all that bear it. */
function tablesIn(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, table = '', alias = table] of text.matchAll(TABLE)) {
    for (const name of new Set([table, alias, ''])) {
      found.set(name, [...(found.get(name) ?? []), table]);
    }
  }
  return found;
}

/** What a text compares with words that are none, and how many comparisons were judged. */
function judged(text: string, table?: string): { readonly odd: string[]; readonly count: number } {
  const tables = table === undefined ? tablesIn(text) : new Map<string, string[]>();
  const comparisons = comparisonsIn(text).filter(({ words }) => words.length > 0);
  const results = comparisons.map(({ of, column, words }) => {
    const meant = table === undefined ? tables.get(of) : [table];
    const real = meant?.every((name) => REAL.has(name)) === true ? meant : [];
    const keys = real.map((name) => `${name}.${column}`).filter((key) => known.has(key));
    // Of a row by another name, such as that of a common table expression, any state will do.
    const any = column === 'state' && table === undefined && keys.length === 0;
    const all = any ? [...known.keys()].filter((key) => key.endsWith('.state')) : keys;
    if (all.length === 0) return null;
    const allowed = new Set(all.flatMap((key) => known.get(key) ?? []));
    return words.filter((word) => !allowed.has(word)).map((word) => `${of} ${column} '${word}'`);
  });
  const found = results.filter((one) => one !== null);
  return { odd: found.flat(), count: found.length };
}

test('a list of words is the same in its declaration and in the check of its column', async () => {
  const checks = whole();
  const { tables } = await declared();
  let compared = 0;
  for (const { name, words = {}, columns } of tables) {
    for (const column of Object.keys(columns)) {
      const check = checks.get(`${name}.${column}`);
      if (check === undefined) continue;
      const given = words[column]?.filter((word) => word !== null);
      assert.deepEqual(given?.toSorted(), check.toSorted(), `${name}.${column}`);
      compared += 1;
    }
  }
  assert.ok(compared > 20, `${compared} checks were compared`);
});

test('checks, indexes, triggers and functions name words of their columns', () => {
  const results = [
    ...definitions.map(({ name, text }) => ({ name, ...judged(text, name) })),
    ...functions.map(({ name, text }) => ({ name, ...judged(text) })),
  ];
  const odd = results.filter((one) => one.odd.length > 0);
  assert.deepEqual(odd.map(({ name, ...one }) => `${name}: ${one.odd.join()}`), []);
  const count = results.reduce((sum, one) => sum + one.count, 0);
  assert.ok(count > 100, `${count} comparisons were read`);
});

test('statements of the sources name words of their columns', () => {
  const files = filesOf('src/**/*.ts').filter(({ path }) => !isTest(path));
  const results = files.flatMap(({ path, text }) => {
    return literalsOf(text).map((literal) => ({ path, ...judged(literal) }));
  });
  const odd = results.flatMap((one) => one.odd.map((word) => `${one.path}: ${word}`));
  assert.deepEqual(odd, []);
  const count = results.reduce((sum, one) => sum + one.count, 0);
  assert.ok(count > 150, `${count} comparisons were read`);
  const planted = `select 1 from payout p join escrow e on true
    where p.state in ('SUCCESS', 'FIALED') and e.state <> 'SUCCESS'`;
  assert.deepEqual(judged(planted).odd, [`p state 'FIALED'`, `e state 'SUCCESS'`]);
});
