// The story of the first page: a token, a sale with a fee, its event, the ledger behind it, and a
// declined card. Every step asserts what it shows, so that a story that plays is true.
import assert from 'node:assert/strict';
import { proofs } from '../../src/catalogue.ts';
import { runProofs } from '../../src/ledger/index.ts';
import { playEscrows } from './escrow-story.ts';
import type { Platform } from './platform.ts';
import {
  call,
  look,
  openScene,
  pick,
  readUntilDone,
  showPostings,
  verified,
  type Answered,
  type Scene,
  type Step,
} from './scene.ts';

/** Plays the story and yields its steps as they happen. */
export async function* playStory(platform: Platform): AsyncGenerator<Step> {
  const { scene, step } = await openScene(platform);
  yield step;
  const { buyer, seller } = platform.ready.accounts;
  const wallet = String(buyer['wallet_payment_method_id']);
  const order = orderOf(platform, wallet, 'Ceramic mug');
  const made = await call(scene, 'POST', 'invoicing', '/v2/invoice', order);
  assert.equal(made.status, 201);
  const id = String(made.payload['invoice_id']);
  yield {
    ...made.step,
    title: 'Bea buys a mug from Sam for USD 25.00; the shop keeps 2.50',
    facts: pick(made.payload, ['invoice_id', 'state']),
    rows: [],
  };
  const paid = await call(scene, 'POST', 'invoicing', `/v2/invoice/${id}/pay`);
  assert.deepEqual([paid.status, paid.payload['state']], [200, 'processing']);
  yield {
    ...paid.step,
    title: 'She pays from her wallet; the answer is the invoice as submitted',
    facts: pick(paid.payload, ['state']),
    rows: [],
  };
  yield await readUntilDone(scene, id, 'A moment later it has succeeded');
  yield await showEvent(platform, id);
  const wrote = 'What it wrote into the books: lines that sum to zero';
  yield await showPostings(platform, [id], wrote);
  yield await showBalances(scene, [
    ['Bea', String(buyer['account_id'])],
    ['Sam', String(seller['account_id'])],
  ]);
  yield* declinedCard(scene);
  yield* playEscrows(scene);
  yield await proveBooks(platform);
}

async function* declinedCard(scene: Scene): AsyncGenerator<Step> {
  const card = String(scene.platform.ready.accounts.buyer['declined_card_payment_method_id']);
  const order = orderOf(scene.platform, card, 'Teapot');
  const made = await call(scene, 'POST', 'invoicing', '/v2/invoice', order);
  const id = String(made.payload['invoice_id']);
  await call(scene, 'POST', 'invoicing', `/v2/invoice/${id}/pay`);
  yield await readUntilDone(scene, id, 'A card that the bank declines: nobody is charged');
}

/** What Bea orders for USD 25.00, from Sam unless another wallet is named. */
export function orderOf(
  platform: Platform,
  method: string,
  description: string,
  wallet = platform.ready.accounts.seller['wallet_id'],
): object {
  const { buyer } = platform.ready.accounts;
  const recipient = {
    amount: 2250,
    currency: 'USD',
    destination_wallet_id: wallet,
    fee_amount: 250,
  };
  const line = {
    amount: 2500,
    currency: 'USD',
    transaction_type: 'user_to_user',
    product_sku: 'MUG-1',
    recipients: [recipient],
  };
  return {
    account_id: buyer['account_id'],
    description,
    payment_methods: [{ payment_method_id: method }],
    line_items: [line],
  };
}

/** The receiver's side of the sale. */
async function showEvent(platform: Platform, invoice: string): Promise<Step> {
  const received = await platform.event(
    ({ event_name, message }) =>
      event_name === 'invoice-completed' && message['invoice_id'] === invoice,
  );
  const { id, body } = verified(platform, received);
  return look('The event has arrived at your server, and its signature holds', {
    'webhook-id': id,
    event_name: body.event_name,
    sequence: body.sequence,
    'message.state': body.message['state'],
    signature: 'verified',
    'one byte changed': 'refused',
  });
}

/** The interface's rule for finding a wallet, and what is in it. */
async function showBalances(
  scene: Scene,
  people: readonly (readonly [string, string])[],
): Promise<Step> {
  const rows: string[][] = [['Whose', 'Currency', 'wallet_balance']];
  let last: Answered | null = null;
  for (const [name, account] of people) {
    last = await call(scene, 'GET', 'payments', `/v1/${account}/payment_methods`);
    const methods = last.payload as unknown as readonly Record<string, string>[];
    const wallet = methods.find(
      (one) => one['provider'] === 'wallet' && one['processing_currency'] === 'USD',
    );
    rows.push([name, 'USD', String(wallet?.['wallet_balance'])]);
  }
  return {
    ...(last?.step ?? { call: null, sent: null, status: null }),
    title: 'Their wallets, as their payment methods show them',
    facts: {},
    rows,
  };
}

async function proveBooks(platform: Platform): Promise<Step> {
  const results = await runProofs(platform.db, proofs);
  const broken = results.filter(({ breaches }) => breaches > 0);
  assert.deepEqual(broken, []);
  return look('And the books prove themselves, as `holdfast verify` does at any time', {
    'laws that hold': `${results.length} of ${results.length}`,
  });
}
