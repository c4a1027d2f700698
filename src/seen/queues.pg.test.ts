// No queue is forgotten: whatever the database has that becomes due or is leased is a row of its
// module, and each row's query runs.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { queues } from '../catalogue.ts';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { Figures } from './figures.ts';
import { RequestCounts } from './requests.ts';
import { PARTS, Scrape } from './scrape.ts';

let base: TestDatabase;
before(async () => {
  base = await testDatabase();
});
after(() => base?.drop());

/** Tables that become due or are leased, and are no queue of the product. */
const OTHERS: Readonly<Record<string, string>> = {
  match_estimate: 'made while somebody waits at its page, which tells how far it is',
  operator_mail: 'of no tenant; the operator\'s own page tells what became of it',
  processor_due: 'what the simulated processor does later',
  processor_notice: 'webhooks of the simulated processor',
  reserve_hold: 'released with its reserve, which is due when the first of them is',
  vendor_due: 'what the simulated vendor does later',
  vendor_notice: 'webhooks of the simulated vendor',
};

test('whatever becomes due or is leased is a queue', async () => {
  const rows = await base.db.query<{ name: string }>(`select distinct table_name as name
    from information_schema.columns where table_schema = 'public'
    and (column_name in ('due', 'lease', 'leased_until') or table_name like '%\\_job')
    and table_name not in (select name || '_past' from generation)`);
  const known = new Set(queues.map(({ table }) => table));
  const lacking = rows.map(({ name }) => name).filter((name) => !known.has(name));
  assert.deepEqual(lacking.toSorted(), Object.keys(OTHERS).toSorted());
  assert.ok(rows.length > 15);
});

test('each queue has a name of its own', () => {
  const names = queues.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

test('every part is read from an empty database', async () => {
  const figures = new Figures(new RequestCounts());
  await new Scrape(base.db, figures).read();
  const text = await figures.text();
  for (const { name } of PARTS) {
    assert.ok(text.includes(`holdfast_scrape_ok{part="${name}"} 1\n`), name);
  }
  for (const { name, by } of queues) {
    assert.ok(text.includes(`holdfast_queue_entries{queue="${name}",by="${by}"} 0\n`), name);
  }
});
