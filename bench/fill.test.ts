// Copied invoices pass the ledger's own laws and equal their sources.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestServer } from '../src/db/embedded/test-server.ts';
import { Database } from '../src/db/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { bookProofs } from '../src/catalogue.ts';
import { runProofs } from '../src/ledger/index.ts';
import { fill } from './fill.ts';

/** UUIDs of the test: a kind and a number. */
function id(kind: number, number: number): string {
  return `0000000${kind}-0000-7000-8000-${String(number).padStart(12, '0')}`;
}

const BUYER = id(1, 1);
const WALLETS = { buyer: id(2, 1), seller: id(2, 2), funding: id(2, 3) };
const AT = '2026-01-02 03:04:05.678901+00';

const ARROWS = [
  ['deposit', '', 'fund', 'success'],
  ['invoice', '', 'create', 'open'],
  ['invoice', 'open', 'pay', 'success'],
] as const;

/** A deposit of a million and `count` settled invoices of 200, as the engine stores them. */
function rows(count: number): string[] {
  const sql = [
    `insert into tenant (integrator, name) values ('${id(9, 1)}', 't')`,
    `insert into workspace (lineage, main, integrator) values (1, true, '${id(9, 1)}')`,
    `insert into workspace_currency values (1, 'USD', 2)`,
    `insert into seal values (1, ${count})`,
    `insert into account values (1, '${BUYER}', 'buyer', false, '${AT}', '${AT}')`,
  ];
  for (const arrow of ARROWS) sql.push(`insert into machine_move values ('${arrow.join(`','`)}')`);
  const step = (of: string, version: number, move: readonly string[]): void => {
    sql.push(
      `insert into step values (1, '${of}', ${version}, '${move.join(`','`)}', '${AT}', 'test')`,
    );
  };
  const chain = { [WALLETS.buyer]: [0, 0], [WALLETS.seller]: [0, 0] };
  const post = (of: string, version: number, lineage: number, account: string, amount: number) => {
    const last = chain[account];
    if (last !== undefined) chain[account] = [(last[0] ?? 0) + 1, (last[1] ?? 0) + amount];
    const [number = null, after = null] = chain[account] ?? [];
    sql.push(
      `insert into posting values (1, '${of}', ${version}, ${lineage}, '${account}', 'USD',
        ${amount}, ${number}, ${after})`,
    );
  };
  for (const [name, account] of Object.entries(WALLETS)) {
    const kind = name === 'funding' ? 'sandbox_funding' : 'wallet';
    sql.push(`insert into ledger_account values (1, '${account}', '${kind}', 'USD')`);
  }
  const deposit = id(3, 1);
  step(deposit, 1, ARROWS[0]);
  post(deposit, 1, 1, WALLETS.funding, -1_000_000);
  post(deposit, 1, 2, WALLETS.buyer, 1_000_000);
  for (let n = 1; n <= count; n += 1) {
    const invoice = id(4, n);
    const agreed = { account_id: BUYER, currency: 'USD', total: 200 };
    const document = JSON.stringify({ ...agreed, invoice_id: invoice });
    sql.push(`insert into invoice_document values (1, '${invoice}', '${document}')`);
    step(invoice, 1, ARROWS[1]);
    step(invoice, 2, ARROWS[2]);
    sql.push(
      `insert into invoice values (1, '${invoice}', '${BUYER}', 'success', 2, null, '${AT}')`,
    );
    post(invoice, 2, 1, WALLETS.buyer, -200);
    post(invoice, 2, 2, WALLETS.seller, 200);
    const body = JSON.stringify({ event_id: id(5, n), sequence: n, message: { id: invoice } });
    sql.push(
      `insert into event values (1, ${n}, '${id(5, n)}', 'invoice-completed', '${invoice}', 2,
        '${AT}', '${body}')`,
      `insert into idempotency
        (workspace, scope, fingerprint, status, record, record_id, record_version)
        values (1, 'scope-${n}', 'f', 201, 'invoice', '${invoice}', 1)`,
    );
  }
  for (const account of [WALLETS.buyer, WALLETS.seller]) {
    const [version, amount] = chain[account] ?? [];
    sql.push(`insert into balance values (1, '${account}', ${amount}, ${version}, true, '${AT}')`);
  }
  return sql;
}

async function proofs(db: Database): Promise<string[]> {
  const results = await runProofs(db, bookProofs);
  assert.ok(results.length > 5);
  return results.filter((result) => result.breaches > 0).map((result) => result.name);
}

test('copied invoices pass every trigger, are complete and break no law', async (t) => {
  const server = await startTestServer(null);
  const setup = { session_replication_role: 'replica' };
  const db = new Database({ url: server.url, max: 2, settings: setup });
  t.after(async () => {
    await db.close();
    await server.stop();
  });
  await migrate(db, new URL('../migrations/', import.meta.url));
  for (const statement of rows(3)) await db.query(statement);
  assert.deepEqual(await proofs(db), [], 'the rows of the test itself are sound');

  await fill(server.url, 10);
  await fill(server.url, 7);
  assert.deepEqual(await proofs(db), []);
  const [counts] = await db.query<Record<string, number>>(`select
    (select count(*)::int from invoice) as invoices,
    (select count(*)::int from idempotency) as keys,
    (select count(*)::int from event) as events,
    (select count(*)::int from event
      where (body::json ->> 'sequence')::bigint = sequence
        and (body::json ->> 'event_id')::uuid = event_id
        and (body::json #>> '{message,id}')::uuid = resource_id) as true_events,
    (select count(*)::int from invoice_document
      where (sale_terms(id::text, document) ->> 'invoice_id')::uuid = id) as true_documents,
    (select amount::int from balance where id = '${WALLETS.seller}') as earned`);
  assert.deepEqual(counts, {
    invoices: 20,
    keys: 20,
    events: 20,
    true_events: 20,
    true_documents: 20,
    earned: 4000,
  });
});
