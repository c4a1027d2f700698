// No queue is forgotten: whatever the database has that becomes due or is leased is a row of its
// module, and each row's query runs, as the role of a server.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { queues } from '../catalogue.ts';
import { Database, sql } from '../db/index.ts';
import { productionDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { Figures } from './figures.ts';
import { RequestCounts } from './requests.ts';
import { PARTS, Scrape } from './scrape.ts';

let base: TestDatabase;
let server: Database;
before(async () => {
  base = await productionDatabase();
  server = new Database({ url: base.served, max: 1 });
});
after(async () => {
  await server?.close();
  await base?.drop();
});

async function scraped(): Promise<string> {
  const figures = new Figures(new RequestCounts());
  await new Scrape(server, figures).read();
  return figures.text();
}

/** Tables that become due or are leased, and are no queue of the product. */
const OTHERS: Readonly<Record<string, string>> = {
  match_estimate: 'made while somebody waits at its page, which tells how far it is',
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
  const text = await scraped();
  for (const { name } of PARTS) {
    assert.ok(text.includes(`holdfast_scrape_ok{part="${name}"} 1\n`), name);
  }
  for (const { name, by } of queues) {
    assert.ok(text.includes(`holdfast_queue_entries{queue="${name}",by="${by}"} 0\n`), name);
  }
  assert.match(text, /^holdfast_database_synchronous 0$/m);
  assert.doesNotMatch(text, /^holdfast_archive_/m, 'there is no archive');
});

test('mails to operators are a queue of no tenant, counted once', async () => {
  const [id, mail] = [randomUUID(), randomUUID()];
  await base.db.execute(sql`insert into operator (id, username_key, wrapped_key, sealed_name,
      sealed_username, sealed_totp, password_hash, password_initial, roles)
    values (${id}, ${id}, '', '', '', '', '', false, array['viewer'])`);
  await base.db.execute(sql`insert into operator_mail (id, operator_id, kind, due)
    values (${mail}, ${id}, 'invited', clock_timestamp() - interval '400 seconds')`);
  const text = await scraped();
  const labels = '{queue="operator_mail",by="worker"}';
  assert.ok(text.includes(`holdfast_queue_entries${labels} 1\n`));
  assert.match(text, /^holdfast_queue_oldest_seconds\{queue="operator_mail",[^}]*\} 40\d\b/m);
});
