// The rights of the server's role are what the sources need, table by table: no verb is missing,
// and none is given that no statement uses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RIGHTS, SANDBOX_RIGHTS } from '../../src/db/rights.ts';
import { lawfulFiles } from './import-law.ts';
import { OWNERS } from './table-rows.ts';
import { tableNames } from './sql-text.ts';
import { filesOf } from './tree.ts';

/** What the reading below cannot see, or sees and must not be given; each with its reason. */
const ROWS: readonly (readonly [table: string, verbs: string, why: string])[] = [
  ['machine_move', '', 'The owner loads the legal moves.'],
  ['generation', '', 'The owner turns generations, in a function that the server may call.'],
  ['reporting_role', '', 'The owner binds roles to tenants.'],
  ['history', '', 'A view: what the engine writes as its rows is stored as those of `step`.'],
  ['tenant_move', 'update', 'The owner moves tenants; a node only thaws one.'],
  ['posting', 'insert', 'The engine writes the postings of every unit of work.'],
  ['integrator_credit', 'insert, update, delete', 'A clone replaces what triggers have made.'],
  ['statement_cursor', 'insert, update, delete', 'A clone replaces what triggers have made.'],
  ['snapshot', 'insert, update, delete', 'A clone locks the snapshot that it is made of.'],
  ['processor_transfer', 'insert, update', 'The simulator names it by the second word alone.'],
  ['processor_statement', 'insert, delete', 'Reading a page locks the table; triggers keep it.'],
];

const NAME = String.raw`(\$\{[^}]*\}\w*|\w+)`;
const SQL: readonly (readonly [pattern: RegExp, verb: string])[] = [
  [new RegExp(String.raw`\binsert into\s+${NAME}`, 'g'), 'insert'],
  [new RegExp(String.raw`\bdelete from\s+${NAME}`, 'g'), 'delete'],
  [new RegExp(String.raw`\bupdate\s+${NAME}(?:\s+(?:as\s+)?\w+)?\s+set\b`, 'g'), 'update'],
  [
    new RegExp(String.raw`insert into ${NAME}(?:(?!insert into)[^;])*?\bdo\s+update\b`, 'g'),
    'update',
  ],
];
const BY_DEFINITION: readonly (readonly [pattern: RegExp, verbs: readonly string[]])[] = [
  [/defineMachine\('(\w+)'/g, ['insert', 'update']],
  [/\bjobs: '(\w+)'/g, ['insert', 'update']],
  [/(?<=WrappedColumn\b[\s\S]*)\btable: '(\w+)'/g, ['update']],
];

/** The verbs of every table in the sources and in the functions behind triggers. */
function needed(): Map<string, Set<string>> {
  const tables = [...tableNames()];
  const found = new Map(tables.map((table) => [table, new Set<string>()]));
  const add = (name: string, verb: string): void => {
    const suffix = /^\$\{[^}]*\}(_\w+)$/.exec(name)?.[1];
    const meant = suffix === undefined ? [name] : tables.filter((one) => one.endsWith(suffix));
    for (const table of meant) found.get(table)?.add(verb);
  };
  const files = lawfulFiles();
  const definitions = new Map(files.flatMap(({ text }) => {
    const all = text.matchAll(/const (\w+) = (?:tableOf|stateTable)\(\s*'(\w+)'/g);
    return [...all].map(([, name = '', table = '']) => [name, table] as const);
  }));
  const functions = filesOf('migrations/*.sql').map(({ text }) => {
    return text.replaceAll(/^(insert into|update).*$/gm, '');
  });
  for (const text of [...files.map((file) => file.text), ...functions]) {
    for (const [pattern, verb] of SQL) {
      for (const [, name = ''] of text.matchAll(pattern)) add(name, verb);
    }
    for (const [pattern, verbs] of BY_DEFINITION) {
      for (const [, name = ''] of text.matchAll(pattern)) verbs.forEach((verb) => add(name, verb));
    }
    for (const [, verb = '', name = ''] of text.matchAll(/\.(insert|update)\((\w+),/g)) {
      add(definitions.get(name) ?? '', verb);
    }
  }
  return found;
}

const lists = [...Object.entries(RIGHTS), ...Object.entries(SANDBOX_RIGHTS)];
// A sandbox's list comes later and goes further.
const given = [
  ...new Map(lists.flatMap(([verbs, tables]) => tables.map((table) => [table, verbs]))),
] as readonly (readonly [string, string])[];

test('every table of the migrations is in one list, and so is the list of them', () => {
  assert.deepEqual(given.map(([table]) => table).toSorted(), [...tableNames(), 'migration'].sort());
});

test('each verb that is given is used, and each that is used is given', () => {
  const found = needed();
  const rows = new Map(ROWS.map(([table, verbs]) => [table, verbs]));
  const verbsOf = (table: string): string => {
    return ['insert', 'update', 'delete'].filter((verb) => found.get(table)?.has(verb)).join(', ');
  };
  const wanted = [...found.keys()].map((table) => [table, rows.get(table) ?? verbsOf(table)]);
  const owned = given.filter(([table]) => table !== 'migration');
  assert.deepEqual(Object.fromEntries(owned.toSorted()), Object.fromEntries(wanted.toSorted()));
  for (const [table, verbs, why] of ROWS) {
    assert.notEqual(verbsOf(table), verbs, `not needed any more: ${table}. ${why}`);
  }
});

test('what ends with its generation is deleted by no statement', () => {
  const sql = filesOf('migrations/*.sql').map(({ text }) => text).join('\n');
  const calls = sql.matchAll(/^select keep_generations\('(\w+)'/gm);
  const kept = [...calls].map(([, name = '']) => name);
  assert.equal(kept.length, 5);
  const found = needed();
  assert.deepEqual(kept.filter((table) => found.get(table)?.has('delete') !== false), []);
});

test('what only a sandbox may change belongs to the sandbox', () => {
  const sandbox = Object.entries(OWNERS).filter(([part]) => part.startsWith('sandbox/'));
  const explained = sandbox.flatMap(([, tables]) => tables);
  const both = new Set(Object.values(RIGHTS).flat());
  const only = Object.values(SANDBOX_RIGHTS).flat().filter((table) => !both.has(table));
  // The clock's own history has a row for each new workspace, in production as well.
  assert.deepEqual(only.toSorted(), explained.filter((table) => table !== 'clock_move').sort());
});
