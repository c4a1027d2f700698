// Every table, trigger function and unique index has its sentence in the migrations; keyed texts
// have the byte order that all platforms agree on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NEEDS } from '../../src/db/migrate.ts';
import { readTables } from '../../scripts/docs/read-schema.ts';
import { digestsOfDump, digestsOfFiles } from '../migrations/dump.ts';
import { filesOf } from './tree.ts';

const migrations = filesOf('migrations/*.sql');
const { tables, functions, uniques } = readTables(migrations.map(({ text }) => text));

const KEYED = /primary key|unique/;
const LED = /primary key \(workspace\b|workspace integer primary key/;
/** Directories that are read before a workspace is known, and facts of the installation. */
const GLOBAL = [
  ...['tenant', 'workspace', 'installation', 'machine_move', 'terms_version'],
  ...['cache_invalidation', 'snapshot', 'heartbeat', 'node', 'stop', 'generation'],
  'reporting_role',
  ...['screening_list', 'screening_entry', 'screening_sighting'],
  ...['operator', 'operator_session', 'operator_throttle', 'operator_proposal'],
  ...['operator_device', 'operator_mail'],
  ...['client', 'signing_key', 'audit_key', 'refresh_token', 'revoked_token', 'link'],
];

test('the reading finds what the files create', () => {
  const all = migrations.map(({ text }) => text).join('\n');
  assert.equal(tables.length, all.match(/^create table /gm)?.length);
  assert.equal(functions.length, all.match(/^create (?:or replace )?function /gm)?.length);
  assert.equal(uniques.length, all.match(/^create unique index /gm)?.length);
  assert.ok(tables.length > 25);
});

test('every table has its sentence', () => {
  assert.deepEqual(tables.filter((table) => table.comment === '').map(({ name }) => name), []);
});

test('every index that is a rule has its sentence', () => {
  assert.deepEqual(uniques.filter((index) => index.comment === '').map(({ name }) => name), []);
});

test('every function that holds a rule has its sentence', () => {
  assert.deepEqual(functions.filter((one) => one.comment === '').map(({ name }) => name), []);
});

test('files are named by their order and open by saying what they add', () => {
  const numbers = migrations.map(({ path }) => Number(/\/(\d{4})_[a-z_]+\.sql$/.exec(path)?.[1]));
  assert.deepEqual(numbers, [...numbers].toSorted((a, b) => a - b));
  assert.equal(new Set(numbers).size, numbers.length);
  for (const { path, text } of migrations) assert.match(text, /^-- /, path);
});

test('the files of the dump are as they were, and later ones come after them', () => {
  const dumped = Object.entries(digestsOfDump());
  const files = Object.entries(digestsOfFiles());
  const advice = 'released files do not change: a change is a new file';
  assert.deepEqual(files.slice(0, dumped.length), dumped, advice);
});

/** What programs that know it cannot do without. */
const TAKEN = /^\s*(?:alter table .*)?\b(?:drop (?:table|column)|rename (?:to|column)) /im;

/** True for a file that takes something away and does not say rightly what a program must know. */
function isSilent({ path, text }: { readonly path: string; readonly text: string }): boolean {
  const needs = NEEDS.exec(text)?.[1];
  const own = /(\d{4})_\w+\.sql$/.exec(path)?.[1] ?? '';
  return needs === undefined ? TAKEN.test(text) : needs > own;
}

test('a file that takes something away says which program can live with it', () => {
  assert.deepEqual(migrations.filter(isSilent).map(({ path }) => path), []);
  const drops = '-- Drops the old names.\nalter table account\n  drop column nick;\n';
  const planted = [drops, `${drops}-- Needs a program that knows 9002.\n`,
    `${drops}-- Needs a program that knows 0033.\n`, 'alter table account rename to person;\n'];
  const silent = planted.map((text) => isSilent({ path: 'migrations/9001_less.sql', text }));
  assert.deepEqual(silent, [true, true, false, true]);
});

test('keyed texts have the order of their bytes', () => {
  const odd = tables.flatMap(({ name, body }) => {
    const keys = [...body.matchAll(/(?:primary key|unique) \(([^)]*)\)/g)]
      .flatMap((found) => (found[1] ?? '').split(/,\s*/));
    return [...body.matchAll(/^\s*(\w+) text(?! collate| \[\])(.*)$/gm)]
      .filter(([, column = '', rest = '']) => keys.includes(column) || KEYED.test(rest))
      .map(([, column]) => `${name}.${column}`);
  });
  assert.deepEqual(odd, []);
});

test('every table is led by its workspace, or is a directory', () => {
  const odd = tables.filter(({ name, body }) => !GLOBAL.includes(name) && !LED.test(body));
  assert.deepEqual(odd.map(({ name }) => name), []);
});
