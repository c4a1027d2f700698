// The ledger's laws catch what they should: with the database's guards off, each planted breach is
// found by its law. An auditor that sees nothing would be worse than none.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { testDatabase, type TestDatabase } from '../../test/kit/database.ts';
import { bookProofs } from '../catalogue.ts';
import type { Transaction } from '../db/index.ts';
import { createWorkspace } from '../product/tenant/tenant/index.ts';
import {
  entryLaws,
  integratorLaws,
  SYSTEM_ACCOUNT_KINDS,
  systemAccountId,
  runProofs,
  type SystemAccountKind,
} from './index.ts';

let base: TestDatabase;
let workspace = 0;
before(async () => {
  base = await testDatabase();
  ({ workspace } = await createWorkspace(base.db, { name: 'proofs', currencies: ['USD'] }));
});
after(() => base.drop());

const INVOICE = '00000000-0000-7000-8000-000000000001';
const WALLET = '00000000-0000-7000-8000-000000000002';
const ATTEMPT = '00000000-0000-7000-8000-000000000003';

class Undo extends Error {}

/** Names of the laws broken by these statements, run with the guards off. */
async function brokenBy(statements: readonly string[]): Promise<string[]> {
  let names: string[] = [];
  const work = async (tx: Transaction): Promise<void> => {
    await tx.execute("set local session_replication_role = 'replica'");
    for (const statement of statements) await tx.execute(statement);
    const broken = (await runProofs(tx, bookProofs)).filter((proof) => proof.breaches > 0);
    names = broken.map((proof) => proof.name);
    throw new Undo();
  };
  await base.db.transaction(work).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return names;
}

function step(version: number, from: string, on: string, to: string, at = 'now()'): string {
  return `insert into step values
    (${workspace}, '${INVOICE}', ${version}, 'invoice', '${from}', '${on}', '${to}',
      ${at}, 'test', null)`;
}

/** A ledger entry; `chain`: number and balance after, for the wallet. */
function line(number: number, account: string, amount: number, chain = 'null, null'): string {
  return `insert into posting values
    (${workspace}, '${INVOICE}', 1, ${number}, '${account}', 'USD', ${amount}, ${chain})`;
}

/** A line of the same entry in another currency. */
function otherCurrency(number: number, amount: number): string {
  return line(number, systemAccountId(workspace, 'holding', 'EUR'), amount).replace(
    "'USD'",
    "'EUR'",
  );
}

/** A credit of the integrator that no entry stands behind. */
function credit(amount: number): string {
  return `insert into integrator_credit (workspace, account_id, amount) values
    (${workspace}, '${systemAccount('integrator_share')}', ${amount})`;
}

function systemAccount(kind: SystemAccountKind): string {
  return systemAccountId(workspace, kind, 'USD');
}

function invoice(state: string, version: number): string {
  const failure = state === 'failed' ? "'generic_error'" : 'null';
  return `insert into invoice values
    (${workspace}, '${INVOICE}', '${WALLET}', '${state}', ${version}, ${failure}, now())`;
}

function attempt(state: string): string {
  return `insert into attempt values
    (${workspace}, '${ATTEMPT}', '${INVOICE}', 'invoice', '${WALLET}', '', 'USD', 5,
      '${state}', 1, null, null, now())`;
}

const wallet = (amount: number, version: number): string =>
  `insert into balance values (${workspace}, '${WALLET}', ${amount}, ${version}, true, now())`;

/** Each planted breach, and a law that must find it. */
function plantedBreaches(): readonly (readonly [law: string, statements: readonly string[]])[] {
  const event = (sequence: number): string => `insert into event
    (workspace, sequence, event_id, name, resource_id, resource_version, at, body)
    values (${workspace}, ${sequence}, gen_random_uuid(), 'toy', '${INVOICE}', 1, now(), '{}')`;
  return [
    ['entries_balance', [line(1, systemAccount('holding'), 5)]],
    ['entries_balance', [line(1, systemAccount('holding'), 5), otherCurrency(2, -5)]],
    ['books_balance', [line(1, systemAccount('holding'), 5)]],
    ['integrator_balance_is_its_postings', [credit(5)]],
    ['integrator_balance_is_its_postings', [line(1, systemAccount('integrator_share'), 5)]],
    ['balances_are_sums', [wallet(7, 0)]],
    ['balances_are_sums', [wallet(5, 2), line(1, WALLET, 5, '1, 5')]],
    ['chains_are_whole', [line(1, WALLET, 5, '2, 5')]],
    ['chains_are_whole', [line(1, WALLET, 5, '1, 6')]],
    ['steps_follow', [step(2, 'open', 'pay', 'processing')]],
    ['steps_follow', [step(1, '', 'create', 'open'), step(3, 'open', 'pay', 'processing')]],
    ['steps_follow', [step(1, '', 'create', 'open'), step(2, 'failed', 'pay', 'processing')]],
    [
      'steps_follow',
      [
        step(1, '', 'create', 'open'),
        step(2, 'open', 'pay', 'processing', "now() - interval '1 s'"),
      ],
    ],
    ['steps_are_legal', [step(1, '', 'wish', 'success')]],
    ['invoice_state_is_last_step', [invoice('open', 1)]],
    ['invoice_state_is_last_step', [step(1, '', 'create', 'open'), invoice('success', 1)]],
    ['attempt_state_is_last_step', [attempt('captured')]],
    ['captures_match', [invoice('failed', 1), attempt('captured')]],
    ['captures_match', [invoice('success', 1), attempt('authorizing')]],
    ['finished_invoices_are_announced', [invoice('success', 1)]],
    [
      'holding_is_open_work',
      [
        invoice('failed', 1),
        line(1, systemAccount('holding'), 5),
        line(2, systemAccount('integrator_share'), -5),
      ],
    ],
    ['events_have_no_gap', [event(1), event(3)]],
    ['events_have_no_gap', [event(2)]],
    ['events_have_no_gap', [event(1)]],
  ];
}

test('an intact ledger breaks no law', async () => {
  const results = await runProofs(base.db, bookProofs);
  assert.equal(results.length, bookProofs.length);
  assert.ok(results.every((proof) => proof.breaches === 0 && proof.examples.length === 0));
});

test('books of two wallets and two currencies that add up break no law of the ledger', async () => {
  const other = WALLET.replace(/2$/, '4');
  const share = systemAccountId(workspace, 'integrator_share', 'EUR');
  const holding = systemAccount('holding');
  const broken = await brokenBy([
    `insert into integrator_balance (workspace, id) values (${workspace}, '${share}')`,
    ...[wallet(5, 1), wallet(7, 1).replace(WALLET, other)],
    ...[line(1, WALLET, 5, '1, 5'), line(2, other, 7, '1, 7'), line(3, holding, -12)],
    ...[line(4, systemAccount('integrator_share'), 3), line(5, holding, -3), credit(3)],
    otherCurrency(6, -9),
    otherCurrency(7, 9).replace(systemAccountId(workspace, 'holding', 'EUR'), share),
    credit(9).replace(systemAccount('integrator_share'), share),
  ]);
  const own = [...entryLaws, ...integratorLaws].map(({ name }) => name);
  assert.deepEqual(broken.filter((name) => own.includes(name)), []);
});

test('histories of two invoices that follow are no breach of a step or a state', async () => {
  const begun = [step(1, '', 'create', 'open'), step(2, 'open', 'pay', 'processing')];
  const other = [step(1, '', 'create', 'open'), invoice('open', 1)];
  const broken = await brokenBy([
    ...[...begun, invoice('processing', 2)],
    ...other.map((text) => text.replace(INVOICE, INVOICE.replace(/1$/, '5'))),
  ]);
  const own = ['steps_follow', 'invoice_state_is_last_step'];
  assert.deepEqual(broken.filter((name) => own.includes(name)), []);
});

test('each planted breach is found by the law that it breaks', async () => {
  for (const [law, statements] of plantedBreaches()) {
    const found = await brokenBy(statements);
    assert.ok(found.includes(law), `${law} does not see ${statements.join('; ')}`);
  }
});

test('a system account has one fixed id per workspace, kind and currency', () => {
  const ids = new Set<string>();
  for (const kind of Object.keys(SYSTEM_ACCOUNT_KINDS) as SystemAccountKind[]) {
    for (const currency of ['USD', 'EUR']) {
      for (const owner of [1, 2, 11]) ids.add(systemAccountId(owner, kind, currency));
    }
  }
  assert.equal(ids.size, Object.keys(SYSTEM_ACCOUNT_KINDS).length * 6);
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-/);
  // Stored in every ledger entry: deriving the id differently would orphan the books.
  assert.equal(systemAccountId(1, 'holding', 'USD'), '793369aa-6e65-87ef-8e98-6fa11c0cc5da');
});
