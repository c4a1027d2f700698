// Two escrows: one is committed, one is cancelled, each with its ledger entries. Every step asserts
// what it shows.
import assert from 'node:assert/strict';
import { call, pick, readUntilDone, showPostings, type Scene, type Step } from './scene.ts';

/** What a step shows of an escrow: its state and its invoices. */
function shown(escrow: Record<string, unknown>): Record<string, unknown> {
  const names = ['id', 'status', 'commit_invoice_id', 'cancel_invoice_id'];
  return pick(escrow, names.filter((name) => escrow[name] !== ''));
}

/** Plays them and yields the steps as they happen. */
export async function* playEscrows(scene: Scene): AsyncGenerator<Step> {
  const { buyer } = scene.platform.ready.accounts;
  const wallet = String(buyer['wallet_payment_method_id']);
  yield* playEscrow(scene, wallet, 'commit', {
    made: 'Bea orders a portrait for USD 120.00: an escrow, because it takes a week',
    paid: 'She is charged now; Sam has nothing yet',
    ended: 'The portrait has arrived: commit pays Sam, and the shop its 12.00',
    books: 'The books of the committed escrow: held, then paid on',
  });
  const card = String(buyer['card_payment_method_id']);
  yield* playEscrow(scene, card, 'cancel', {
    made: 'Another one, by card',
    paid: 'The card is charged; the answer waits for the processor',
    ended: 'Sam cannot deliver: cancel refunds the card in full',
    books: 'The books of the cancelled escrow: a charge and a refund',
  });
}

interface Titles {
  readonly made: string;
  readonly paid: string;
  readonly ended: string;
  readonly books: string;
}

async function* playEscrow(
  scene: Scene,
  method: string,
  outcome: 'commit' | 'cancel',
  titles: Titles,
): AsyncGenerator<Step> {
  const made = await call(scene, 'POST', 'invoicing', '/v2/escrow', orderOf(scene, method));
  assert.deepEqual([made.status, made.payload['status']], [201, 'OPEN']);
  const id = String(made.payload['id']);
  const step = { rows: [] };
  yield { ...made.step, ...step, title: titles.made, facts: shown(made.payload) };
  const paid = await call(scene, 'POST', 'invoicing', `/v2/escrow/${id}/pay`);
  assert.deepEqual([paid.status, paid.payload['status']], [200, 'ESCROWED']);
  yield { ...paid.step, ...step, title: titles.paid, facts: shown(paid.payload) };
  const ended = await call(scene, 'POST', 'invoicing', `/v2/escrow/${id}/${outcome}`);
  const status = outcome === 'commit' ? 'COMMITTED' : 'CANCELLED';
  assert.deepEqual([ended.status, ended.payload['status']], [200, status]);
  yield { ...ended.step, ...step, title: titles.ended, facts: shown(ended.payload) };
  const charged = String(ended.payload['escrow_invoice_id']);
  const last = String(ended.payload[`${outcome}_invoice_id`]);
  const read = await readUntilDone(scene, last, 'Its cancel invoice, once the refund has arrived');
  assert.equal(read.facts['state'], 'success');
  if (outcome === 'cancel') yield read;
  yield await showPostings(scene.platform, [charged, last], titles.books);
}

function orderOf({ platform }: Scene, method: string): object {
  const { buyer, seller } = platform.ready.accounts;
  const to = { amount: 10_800, destination_wallet_id: seller['wallet_id'], fee_amount: 1_200 };
  const line = { amount: 12_000, currency: 'USD', transaction_type: 'user_to_user' };
  return {
    account_id: buyer['account_id'],
    description: 'Portrait',
    payment_methods: [{ payment_method_id: method }],
    line_items: [{ ...line, product_sku: 'PORTRAIT-1', recipients: [to] }],
  };
}
