// Every table that the sources declare is the one in the database: names, types, what may be null,
// and the words of a column that is one of a list, such as states. What is spelled wrongly is found
// here, before a command meets it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { machines } from '../../src/catalogue.ts';
import type { Table } from '../../src/engine/index.ts';
import { testDatabase, type TestDatabase } from '../kit/database.ts';

const ROOT = new URL('../../src/', import.meta.url).pathname;
const DECLARED = /= tableOf\(/g;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
});
after(() => base?.drop());

/** The table that an export is, or is an index of. */
function tableIn(value: unknown): Table | null {
  if (typeof value !== 'object' || value === null) return null;
  if ('table' in value) return tableIn(value.table);
  return 'columns' in value && 'rank' in value ? (value as Table) : null;
}

/** The tables that the sources export, alone or in an index, and how many they declare. */
async function declared(): Promise<{ readonly tables: Table[]; readonly count: number }> {
  const tables = new Set<Table>();
  let count = 0;
  for (const name of globSync('**/*.ts', { cwd: ROOT })) {
    const text = name.endsWith('.test.ts') ? '' : readFileSync(ROOT + name, 'utf8');
    const found = text.match(DECLARED)?.length ?? 0;
    if (found === 0) continue;
    count += found;
    const exports = (await import(ROOT + name)) as Record<string, unknown>;
    for (const value of Object.values(exports)) {
      const table = tableIn(value);
      if (table !== null) tables.add(table);
    }
  }
  return { tables: [...tables], count };
}

test('every declared table is the one in the database', async () => {
  const { tables, count } = await declared();
  assert.equal(tables.length, count, 'every declared table is exported');
  assert.ok(count > 20);
  for (const { name, columns, nullable } of tables) {
    const there = await base.db.query<Column>({
      text: `select column_name as name, udt_name as type, is_nullable = 'YES' as nullable
        from information_schema.columns where table_schema = 'public' and table_name = $1`,
      values: [name],
    });
    const byName = new Map(there.map((column) => [column.name, column]));
    for (const [column, type] of Object.entries(columns)) {
      const expected = type === 'json' ? 'text' : type;
      const found = byName.get(column);
      assert.equal(found?.type, expected, `${name}.${column}`);
      assert.equal(found?.nullable, nullable?.includes(column), `${name}.${column} may be null`);
    }
  }
});

interface Definition {
  readonly name: string;
  readonly text: string;
}

/** Where the database spells words: checks, partial indexes, conditions of triggers. */
const OF_TABLES = `
  select conrelid::regclass::text as name, pg_get_constraintdef(oid) as text from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace
  union all select indrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
    where indpred is not null
  union all select tgrelid::regclass::text, pg_get_triggerdef(oid) from pg_trigger
    where not tgisinternal`;
const OF_FUNCTIONS = `select proname as name, prosrc as text from pg_proc
  where pronamespace = 'public'::regnamespace`;
const COMPARED = new RegExp(
  String.raw`(\w+)\)? (?:=|<>|in|not in) (?:ANY |ALL )?\(*(?:ARRAY\[)?` +
    String.raw`((?:'[^']*'(?:::text)?(?:,\s+)?)+)`,
  'g',
);
const WHOLE = /^CHECK \(\((\w+) = (?:ANY \(ARRAY\[)?((?:'[^']*'::text(?:, )?)+)(?:\]\))?\)\)$/;

function wordsIn(list: string): string[] {
  return [...list.matchAll(/'([^']*)'/g)].map(([, word = '']) => word);
}

/** The words that a definition compares each column with. */
function compared({ text }: Definition): { readonly column: string; readonly words: string[] }[] {
  const found = [...text.matchAll(COMPARED)].map(([, column = '', list = '']) => {
    return { column, words: wordsIn(list) };
  });
  const cases = /CASE state\b([^]*?)\bEND/.exec(text)?.[1] ?? '';
  return [...found, { column: 'state', words: wordsIn(cases) }];
}

test('every word that the database compares a column with is one of its words', async () => {
  const { tables } = await declared();
  const definitions = await base.db.query<Definition>(OF_TABLES);
  const whole = new Map<string, string[]>();
  for (const { name, text } of definitions) {
    const [, column = '', list = ''] = WHOLE.exec(text) ?? [];
    if (list !== '') whole.set(`${name}.${column}`, wordsIn(list).toSorted());
  }
  const known = new Map(whole);
  known.set('step.machine', machines.map((machine) => machine.name));
  known.set('step.event', machines.flatMap(({ moves }) => moves.map(({ on }) => on)));
  for (const { name, words = {}, columns } of tables) {
    for (const column of Object.keys(columns)) {
      const given = words[column]?.filter((word) => word !== null).toSorted();
      const listed = whole.get(`${name}.${column}`);
      if (listed !== undefined) assert.deepEqual(given, listed, `the check of ${name}.${column}`);
      if (given !== undefined) known.set(`${name}.${column}`, given);
    }
  }
  const states = [...known].filter(([key]) => key.endsWith('.state')).flatMap(([, all]) => all);
  const functions = await base.db.query<Definition>(OF_FUNCTIONS);
  let compares = 0;
  for (const one of [...definitions, ...functions]) {
    for (const { column, words } of compared(one)) {
      const anyState = functions.includes(one) && column === 'state' ? states : undefined;
      const allowed = known.get(`${one.name}.${column}`) ?? anyState;
      if (allowed === undefined || words.length === 0) continue;
      compares += 1;
      const odd = words.filter((word) => !allowed.includes(word));
      assert.deepEqual(odd, [], `${one.name}.${column} in ${one.text}`);
    }
  }
  assert.ok(compares > 60, `${compares} comparisons were read`);
  const planted = { name: 'toy', text: "WHERE (state = ANY (ARRAY['up'::text, 'dwon'::text]))" };
  assert.deepEqual(compared(planted)[0], { column: 'state', words: ['up', 'dwon'] });
});
