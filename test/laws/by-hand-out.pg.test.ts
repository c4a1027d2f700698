// SQL typed by hand against the tables of escrows and outgoing money: the database refuses each
// illegal fact by itself, and the laws find what it cannot refuse in one statement. [M3, M4, M10,
// M12, M14, M15, R2]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { proofs } from '../../src/catalogue.ts';
import {
  cancelEscrow,
  commitEscrow,
  createEscrow,
  invoiceOf,
  payEscrow,
  settleEscrowPayment,
} from '../../src/product/money/escrow/index.ts';
import { setKycState } from '../../src/product/people/identity/index.ts';
import { prepareInvoice } from '../../src/product/money/invoice/index.ts';
import { executePayout, requestPayout } from '../../src/product/money/payout/index.ts';
import { requestRefund } from '../../src/product/money/refund/decide.ts';
import { openDispute } from '../../src/product/money/dispute/index.ts';
import { depositFromNowhere } from '../../src/sandbox/control/api.ts';
import type { Command } from '../../src/engine/index.ts';
import { accountId } from '../../src/core/ids.ts';
import { foldCredits, systemAccountId, runProofs } from '../../src/ledger/index.ts';
import { proved } from '../kit/books.ts';
import { attempt, step, type Known, type Refused } from './adversary.ts';
import { Market } from './market.ts';
import { freshId, type Person } from './market-people.ts';
import { CURRENCY, INTEGRATOR, OTHER_WORKSPACE, submit, WORKSPACE } from './memory-core.ts';
import { openFixture, say, type Fixture } from './fixture.ts';

let place: Fixture;
/** Ids that the statements below speak of. */
const known: Known = {
  workspace: String(WORKSPACE),
  otherWorkspace: String(OTHER_WORKSPACE),
  fresh: freshId(),
};
const AMOUNT = 700;

async function must<I>(command: Command<I>, input: I): Promise<void> {
  assert.match(await say(place, submit(command, input)), /^20\d$/, command.name);
}

/** An escrow that was paid with a method of the buyer; gives its id. */
async function paid(buyer: Person, seller: Person, method: number): Promise<string> {
  const id = freshId();
  const recipients = [{ amount: AMOUNT, destination_wallet_id: seller.wallet }];
  const line = { amount: AMOUNT, currency: CURRENCY, transaction_type: 'user_to_user' as const };
  const prepared = prepareInvoice(
    {
      account_id: accountId(buyer.id),
      payment_methods: [{ payment_method_id: buyer.methods[method] ?? '' }],
      line_items: [{ ...line, recipients }],
    },
    freshId,
    invoiceOf(id, 'escrow'),
  );
  await must(createEscrow, { id, prepared, holdSeconds: 3_600, integrator: 'laws' });
  await must(payEscrow, { escrowId: id, integrator: 'laws' });
  const charge = prepared.methods[0]?.subitemId ?? '';
  for (const state of method === 0 ? [] : (['authorized', 'captured'] as const)) {
    const outcome = { state, reference: 'ch', amount: BigInt(AMOUNT), currency: CURRENCY };
    await must(settleEscrowPayment, { attemptId: charge, outcome });
    known['charge'] = charge;
  }
  return id;
}

before(async () => {
  place = await openFixture();
  for (const submitted of Market.opening) await say(place, submitted);
  const [buyer, seller] = new Market(0, false, null, new Map()).people as [Person, Person];
  const of = { integrator: 'laws' };
  for (const name of ['held', 'committed']) known[name] = await paid(buyer, seller, 0);
  known['cancelled'] = await paid(buyer, seller, 1);
  await must(cancelEscrow, { escrowId: known['cancelled'], ...of });
  await must(commitEscrow, { escrowId: known['committed'] ?? '', ...of });
  known['sold'] = invoiceOf(known['committed'] ?? '', 'escrow');
  known['heldInvoice'] = invoiceOf(known['held'] ?? '', 'escrow');
  known['commitInvoice'] = invoiceOf(known['committed'] ?? '', 'commit');
  const money = { account: null, currency: CURRENCY, amount: 10_000n };
  await must(depositFromNowhere, { id: freshId(), ...money });
  await foldCredits(place.database.db, WORKSPACE, INTEGRATOR);
  const ids = { id: freshId(), refundInvoiceId: freshId(), invoiceId: known['sold'] };
  const why = { reason: 'other', sub_reason: '', sealed_note: null, mayWait: false } as const;
  await must(requestRefund, { ...ids, line: null, ...why });
  known['refund'] = ids.id;
  const back = { kind: 'chargeback', reference: 'cb', amount: 1n, currency: CURRENCY } as const;
  known['reversal'] = freshId();
  const attemptId = known['charge'] ?? '';
  known['dispute'] = freshId();
  const disputed = { id: known['dispute'], reason: 'fraudulent', due_by: null };
  await must(openDispute, { ...disputed, reversalId: known['reversal'], attemptId, ...back });
  const accepted = { state: 'ACCEPT', kyc_requirements: 'NONE' } as const;
  await must(setKycState, { account: buyer.id, ...accepted, fresh_application_id: freshId() });
  known['payout'] = freshId();
  const [source_payment_method_id, , , destination_payment_method_id] = buyer.methods as string[];
  const methods = { source_payment_method_id, destination_payment_method_id } as {
    source_payment_method_id: string;
    destination_payment_method_id: string;
  };
  const asked = { id: known['payout'], account: buyer.id, amount: 100n, currency: CURRENCY };
  await must(requestPayout, { ...asked, ...methods, holdSeconds: null });
  const choice = { account: buyer.id, payoutId: known['payout'] };
  await must(executePayout, { ...choice, transferId: freshId() });
  for (const kind of ['escrow', 'payout_pending', 'reversals', 'unexplained'] as const) {
    known[kind] = systemAccountId(WORKSPACE, kind, CURRENCY);
  }
  known['share'] = INTEGRATOR;
});
after(async () => {
  await place.engine.stop();
  await place.database.drop();
});

/** Inserts a row again with some columns changed, after its first step. */
function again(table: string, where: string, changes: string, birth: readonly string[]): string[] {
  const copy = `insert into ${table}
    select (jsonb_populate_record(r, jsonb_build_object(${changes}))).* from ${table} r
    where ${where}`;
  return [...birth, copy];
}

const born = (machine: string, on: string, to: string): string[] => [
  step(':workspace, :fresh, 1', '', on, to, machine),
];
const sent = "resource_id = (select id from invoice where state = 'processing')";
const anew = "'id', :fresh, 'version', 1";

const REFUSED: readonly Refused[] = [
  ['an escrow without its invoice', 'escrow_references', again(
    'escrow',
    'id = :held',
    `${anew}, 'state', 'OPEN', 'due', null`,
    born('escrow', 'create', 'OPEN'),
  )],
  ['an escrow moved without a step', 'escrow_head', [
    `update escrow set state = 'COMMITTED', due = null where id = :held`,
  ]],
  ['an escrow that nobody ends', 'escrow_clock', [`update escrow set due = null where id = :held`]],
  ['an escrow that has ended, and is due', 'escrow_clock', [
    `update escrow set due = now() where id = :committed`,
  ]],
  ['an escrow that may be held for no time', 'escrow_hold_seconds_check', [
    `update escrow set hold_seconds = 0 where id = :held`,
  ]],
  ['a commit and a cancel', 'step_legal', [
    step(':workspace, :committed, 4', 'COMMITTED', 'cancel', 'CANCELLED', 'escrow'),
  ]],
  ['a cancel and a commit', 'step_legal', [
    step(':workspace, :cancelled, 4', 'CANCELLED', 'commit', 'COMMITTED', 'escrow'),
  ]],
  ['a commit of what was never paid', 'step_legal', [
    step(':workspace, :held, 3', 'OPEN', 'commit', 'COMMITTED', 'escrow'),
  ]],
  ['a second commit invoice', 'invoice_document_pkey', [
    `insert into invoice_document values (:workspace, :commitInvoice, '{}')`,
  ]],
  ['a second transfer for one charge', 'transfer_once', again(
    'transfer',
    sent,
    anew,
    born('transfer', 'begin', 'sending'),
  )],
  ['a second transfer for one payout', 'transfer_once', again(
    'transfer',
    'resource_id = :payout',
    anew,
    born('transfer', 'begin', 'sending'),
  )],
  ['a transfer of nothing', 'transfer_amount_check', [
    `update transfer set amount = 0 where resource_id = :payout`,
  ]],
  ['a transfer paid without a step', 'transfer_head', [
    `update transfer set state = 'paid' where resource_id = :payout`,
  ]],
  ['an integrator below zero', 'integrator_balance_amount_check', [
    `update integrator_balance set amount = -1 where id = :share`,
  ]],
  ['an earning below zero', 'integrator_credit_amount_check', [
    `insert into integrator_credit (workspace, account_id, amount) values (:workspace, :share, -1)`,
  ]],
  ['a sum of refunds above the charge', 'refunded_amounts_check', [
    `update refunded_amounts set refunded = charged + 1 where id = :sold`,
  ]],
  ['a sum that is not its refunds', 'refunded_amounts_sum', [
    `update refunded_amounts set refunded = refunded - 1 where id = :sold`,
  ]],
  ['a refund above what it counts', 'refund_check1', [
    `update refund set counted = 0 where id = :refund`,
  ]],
  ['a refund that counts more than it is', 'refund_check', [
    `update refund set counted = amount + 1 where id = :refund`,
  ]],
  ['a refund without a sum', 'refund_workspace_invoice_id_fkey', again(
    'refund',
    'id = :refund',
    `${anew}, 'invoice_id', :heldInvoice, 'refund_invoice_id', :fresh`,
    born('refund', 'request', 'REFUND-SUCCESS'),
  )],
  ['two refunds with one refund invoice', 'refund_once', again(
    'refund',
    'id = :refund',
    anew,
    born('refund', 'request', 'REFUND-SUCCESS'),
  )],
  ['a refund moved without a step', 'refund_head', [
    `update refund set state = 'REFUND-PENDING' where id = :refund`,
  ]],
  ['a reversal twice', 'reversal_workspace_reference_key', again(
    'reversal',
    'id = :reversal',
    `${anew}, 'state', 'received'`,
    born('reversal', 'receive', 'received'),
  )],
  ['a reversal uncovered without a step', 'reversal_head', [
    `update reversal set state = 'received', version = 1 where id = :reversal`,
  ]],
  ['a dispute twice', 'dispute_reference_workspace_key', again(
    'dispute',
    'id = :dispute',
    anew,
    born('dispute', 'open', 'needs_response'),
  )],
  ['a dispute won without a step', 'dispute_head', [
    `update dispute set state = 'won', version = 2 where id = :dispute`,
  ]],
  ['a dispute that is lost and then won', 'step_legal', [
    step(':workspace, :dispute, 2', 'needs_response', 'close', 'lost', 'dispute'),
    step(':workspace, :dispute, 3', 'lost', 'close', 'won', 'dispute'),
  ]],
  ['two answers to one dispute', 'dispute_answer_once', [
    `insert into dispute_answer (workspace, id, dispute_id, purpose, state, version, created,
        updated)
      select :workspace, gen_random_uuid(), :dispute, 'dispute', 'accepted', 1, now(), now()
      from generate_series(1, 2)`,
  ]],
  ['a wallet that owes less than nothing', 'balance_owes_check', [
    `update balance set owes = -1 where amount > 0`,
  ]],
  ['more taken out of an escrow than was taken', 'reversal_secured', [
    `update reversal set secured = amount + 1 where id = :reversal`,
  ]],
  ['a frozen escrow whose clock runs', 'escrow_clock', [
    `update escrow set time_left = 1, disputes = '{}' where id = :held`,
  ]],
  ['a payout that is all fee', 'payout_check', [
    `update payout set fee_amount = amount where id = :payout`,
  ]],
  ['a payout that failed for no reason', 'payout_check1', [
    `update payout set state = 'FAILED' where id = :payout`,
  ]],
  ['a payout paid without a step', 'payout_head', [
    `update payout set state = 'SUCCESS' where id = :payout`,
  ]],
  ['a payout cancelled while it is sent', 'step_legal', [
    step(
      ':workspace, :payout, 4',
      'CREDIT-TRANSFER-INITIATED',
      'cancel',
      'SUPPORT-REJECT-TRANSFER-INITIATED',
      'payout',
    ),
  ]],
];

test('each illegal fact is refused by name, and leaves nothing', async () => {
  const { db } = place.database;
  for (const [what, constraint, statements] of REFUSED) {
    assert.equal(await attempt(db, known, statements), constraint, what);
  }
  await proved(db);
});

test('none of these rows can be deleted', async () => {
  const tables = ['escrow', 'transfer', 'refund', 'refunded_amounts', 'reversal', 'payout'];
  for (const table of [...tables, 'dispute', 'integrator_balance']) {
    for (const statement of [`delete from ${table}`, `truncate ${table} cascade`]) {
      const refused = await attempt(place.database.db, known, [statement]);
      assert.match(refused ?? 'accepted', /_append_only$/, statement);
    }
  }
});

/** Ledger entries that balance but belong to no step. */
function posted(account: string): string[] {
  const line = (n: number, id: string, amount: number): string =>
    `(:workspace, :fresh, 1, ${n}, ${id}, '${CURRENCY}', ${amount}, null, null)`;
  const lines = `${line(1, account, 5)}, ${line(2, ':unexplained', -5)}`;
  return [...born('invoice', 'create', 'open'), `insert into posting values ${lines}`];
}

test('the laws find what one statement cannot show', async () => {
  const found: readonly (readonly [law: string, statements: readonly string[]])[] = [
    ['escrow_money_is_open_escrows', posted(':escrow')],
    ['payout_money_is_open_payouts', posted(':payout_pending')],
    ['reversals_are_owed', posted(':reversals')],
    ['escrow_moves_are_announced', [
      step(':workspace, :held, 3', 'ESCROWED', 'commit', 'COMMITTED', 'escrow'),
      `update escrow set state = 'COMMITTED', version = 3, due = null where id = :held`,
    ]],
    ['escrow_has_one_outcome', [
      step(':workspace, :held, 3', 'ESCROWED', 'cancel', 'CANCELLED', 'escrow'),
      `update escrow set state = 'CANCELLED', version = 3, due = null where id = :held`,
    ]],
    ['frozen_escrows_are_disputed', [
      `update escrow set due = null, time_left = 5, disputes = '{"open": 1, "taken": {}}'
        where id = :held`,
    ]],
    ['disputes_are_their_money', [
      step(':workspace, :reversal, 3', 'covered', 'give_back', 'given_back', 'reversal'),
      `update reversal set state = 'given_back', version = 3 where id = :reversal`,
    ]],
    ['dispute_moves_are_announced', [
      step(':workspace, :dispute, 2', 'needs_response', 'review', 'under_review', 'dispute'),
      `update dispute set state = 'under_review', version = 2 where id = :dispute`,
    ]],
    ['refunded_amounts_is_its_refunds', [
      `update refunded_amounts set lines = '{"x": 1}' where id = :sold`,
    ]],
  ];
  const { db } = place.database;
  for (const [law, statements] of found) {
    let broken: string[] = [];
    const outcome = await attempt(db, known, statements, async (tx) => {
      const results = await runProofs(tx, proofs);
      broken = results.filter((proof) => proof.breaches > 0).map((proof) => proof.name);
    });
    assert.equal(outcome, null, law);
    assert.ok(broken.includes(law), `${law} is not among ${broken.join(', ')}`);
  }
  await proved(db);
});
