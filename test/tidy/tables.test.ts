// Each table has one owner, and only the owner writes it; who reads the table of another in SQL has
// a row with its reason. The reading of SQL is itself held by planted texts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lawfulFiles, partOf } from './import-law.ts';
import { literalsOf, mentionsOf, tableNames } from './sql-text.ts';
import { breachesOf, crossingsOf } from './table-law.ts';
import { OWNERS, READS, WRITES } from './table-rows.ts';

const files = lawfulFiles();
const crossings = crossingsOf(files);

test('every table of the migrations has one owner, a part of src', () => {
  assert.deepEqual(Object.values(OWNERS).flat().toSorted(), [...tableNames()].toSorted());
  for (const part of Object.keys(OWNERS)) {
    assert.ok(files.some(({ path }) => partOf(path) === part), part);
  }
});

test('only the owner writes a table, others read it by a row, and every row is needed', (t) => {
  const reads = crossings.filter(({ writes }) => !writes);
  const acts = (of: typeof crossings): number =>
    new Set(of.map(({ part, table }) => `${part} ${table}`)).size;
  const own = files.flatMap((file) => mentionsOf(file, tableNames())).length;
  t.diagnostic(`${own} mentions, ${reads.length} of them of another's table (${acts(reads)} acts)`);
  t.diagnostic(`${acts(crossings) - acts(reads)} writes by rows with a purpose`);
  assert.ok(own > 1_000 && reads.length > 100, `${own}, ${reads.length}`);
  assert.deepEqual(breachesOf(crossings), []);
});

test('every row says why, in a sentence', () => {
  const sentence = /^[A-Z].{15,}\.$/;
  assert.deepEqual([...WRITES, ...READS].filter(({ why }) => !sentence.test(why)), []);
});

const TABLES = new Set(['invoice', 'attempt', 'attempt_job', 'step', 'event', 'a_due', 'b_due']);

const PLANTED: readonly [text: string, found: string][] = [
  ['db.query(`select id from invoice where workspace = $1`)', 'r invoice'],
  ["'select 1 from step s join invoice i using (workspace), event e'", 'r invoice r step'],
  ["'select 1 from step s, event as e, invoice where true'", 'r event r invoice r step'],
  ['`with gone as (delete from step returning 1) insert into event select`', 'w event w step'],
  ['`update invoice i set state = $1 from attempt a where`', 'r attempt w invoice'],
  ['`select ${more(`select from step`)} from event`', 'r event r step'],
  ['`with event as (select) select from event`', ''],
  ['// select from invoice\nconst text = "Say set, and update event again.";', ''],
  ["/'/; const text = 'truncate step';", 'w step'],
  ['`delete from ${table} where workspace = $1`; ["invoice"]', 'w invoice'],
  ["`select from ${book}_due`; 'a'", 'r a_due'],
  ['`select from ${book}_due`', 'r a_due r b_due'],
  ["`update ${queue.jobs} set due = $1`; ({ jobs: 'attempt_job' })", 'w attempt_job'],
  ["tableOf('invoice', 1, {})", 'w invoice'],
];

for (const [text, found] of PLANTED) {
  test(`the reading finds ${found || 'nothing'} in ${text}`, () => {
    const read = mentionsOf({ path: 'src/a.ts', text }, TABLES);
    const shown = read.map(({ table, writes }) => `${writes ? 'w' : 'r'} ${table}`);
    assert.equal(shown.toSorted().join(' '), found);
  });
}

test('no literal of a file is lost', () => {
  for (const { path, text } of files) {
    const all = literalsOf(text);
    for (const [, name = ''] of text.matchAll(/^\s+text: '([^'\\]+)',$/gm)) {
      assert.ok(all.includes(name), `${path}: ${name}`);
    }
  }
});

test('a planted breach would be caught, and so would a row without need', () => {
  const text = 'export const lost = `delete from invoice`;';
  const planted = crossingsOf([{ path: 'src/product/money/wallet/lost.ts', text }]);
  const [first = ''] = breachesOf([...crossings, ...planted]);
  assert.equal(first, 'src/product/money/wallet/lost.ts: money/wallet writes invoice');
  const some = crossings.filter(({ part }) => part !== 'tenant/settings');
  const unneeded = ['tenant/settings reads workspace', 'tenant/settings reads tenant'];
  assert.deepEqual(breachesOf(some), unneeded.map((act) => `not needed any more: ${act}`));
});
