// kill -9 during each kind of processor call: before it is noted, with nothing done, with all done
// but not answered, and with the answer not stored. After the restart each ends as the processor's
// records say, once. [crash points C4 to C10; M5, M12, M13, OP2]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Crashes, type Case, type Operation } from '../faults/crashes.ts';
import type { Api, Call, Reply } from '../kit/api.ts';
import { openEscrow } from '../kit/escrow.ts';

const PRICE = 700;

let crashes: Crashes;
before(async () => {
  crashes = await Crashes.open();
});
after(() => crashes?.end());

let people = 0;

/** Somebody with money, accepted, who has one card or bank account of his own. */
async function person(test_card: string): Promise<{
  readonly account_id: string;
  readonly wallet: string;
  readonly method: string;
}> {
  people += 1;
  const { api } = crashes;
  const { account_id, method: wallet } = await api.register(`crash_${people}`);
  await api.setKyc(account_id, { state: 'ACCEPT' });
  return { account_id, wallet, method: await api.attach(account_id, test_card) };
}

function post(one: Api, path: string, more: Call): Promise<Reply> {
  return one.send('invoicing', 'POST', path, more);
}

async function sale(operation: Operation): Promise<Case> {
  const { api } = crashes;
  const { account_id, method } = await person('visa');
  const id = await api.created(api.sale(PRICE, [{ payment_method_id: method }], { account_id }));
  return {
    name: `sale ${operation}`,
    operation,
    method,
    send: (one, key) => one.pay(id, key),
    end: ['select state from invoice where id::text = $1', id],
    state: 'success',
    lines: ['capture'],
  };
}

const STATE_OF_ESCROW = `select state from escrow where workspace = (select i.workspace
  from invoice i
    where i.id::text = $1) and id::text = (select sale_term(id::text, document, 'escrow')
    from invoice_document where id::text = $1)`;

async function escrow(operation: Operation): Promise<Case> {
  const { api } = crashes;
  const { account_id, method } = await person('visa');
  const parts = [{ payment_method_id: method }];
  const { id, escrow_invoice_id } = await openEscrow(api, PRICE, parts, { account_id });
  const refunds = operation === 'remit';
  if (refunds) await crashes.paid(id);
  const path = `/v2/escrow/${id}/${refunds ? 'cancel' : 'pay'}`;
  return {
    name: `escrow ${operation}`,
    operation,
    method,
    send: (one, key) => post(one, path, { key }),
    end: [STATE_OF_ESCROW, escrow_invoice_id],
    state: refunds ? 'CANCELLED' : 'ESCROWED',
    lines: refunds ? ['capture', 'refund'] : ['capture'],
  };
}

/** The part that takes the last cent of an escrow goes back to the card. */
async function escrowPart(): Promise<Case> {
  const { api } = crashes;
  const whole = await escrow('remit');
  const invoice = whole.end[1];
  type Invoice = { line_items: Record<string, unknown> };
  const at = `/v2/invoice/${invoice}`;
  const { line_items } = await api.must<Invoice>(200, 'invoicing', 'GET', at);
  const [line_item_id] = Object.keys(line_items);
  type Found = { id: string };
  const of = `/v2/escrow/by_invoice/${invoice}`;
  const path = `/v2/escrow/${(await api.must<Found>(200, 'invoicing', 'GET', of)).id}`;
  const release = { line_items: [{ line_item_id, amount: 1 }] };
  await api.must(200, 'invoicing', 'POST', `${path}/release`, { body: release });
  const body = { line_items: [{ line_item_id }] };
  return {
    ...whole,
    name: 'escrow part',
    send: (one, key) => post(one, `${path}/return`, { body, key }),
  };
}

async function refund(): Promise<Case> {
  const { method, send, end } = await sale('remit');
  const { api } = crashes;
  await send(api, `paid-${end[1]}`);
  assert.equal((await api.finished(end[1])).state, 'success');
  const body = { invoice_id: end[1], reason: 'other' };
  return {
    name: 'refund',
    operation: 'remit',
    method,
    send: (one, key) => post(one, '/v2/refund', { body, key }),
    end: ['select state from refund where invoice_id::text = $1', end[1]],
    state: 'REFUND-SUCCESS',
    lines: ['capture', 'refund'],
  };
}

async function payout(): Promise<Case> {
  const { api } = crashes;
  const { account_id, wallet, method } = await person('paypal');
  await api.fund(account_id, PRICE);
  const ids = { source_payment_method_id: wallet, destination_payment_method_id: method };
  const path = `/v2/${account_id}/payout`;
  const body = { ...ids, amount: PRICE, currency: 'USD' };
  type Made = { payout_status_id: string };
  const made = await api.must<Made>(201, 'invoicing', 'POST', path, { body });
  const id = made.payout_status_id;
  return {
    name: 'payout',
    operation: 'remit',
    method,
    send: (one, key) => one.send('invoicing', 'PATCH', `${path}/${id}`, { key }),
    end: ['select state from payout where id::text = $1', id],
    state: 'SUCCESS',
    lines: ['payout'],
  };
}

const FIRST_CALLS = [
  () => sale('authorize'),
  () => escrow('authorize'),
  () => escrow('remit'),
  escrowPart,
  refund,
  payout,
];
const ALL_CALLS = [...FIRST_CALLS, () => sale('capture'), () => escrow('capture')];

function made(makers: readonly (() => Promise<Case>)[]): Promise<Case[]> {
  return Promise.all(makers.map((make) => make()));
}

test('calls that the processor has not noted, and that are lost with it [C6]', async () => {
  await crashes.lost(await made(FIRST_CALLS));
});

test('calls that were received with nothing done, or done and not answered [C7, C8]', async () => {
  const [without, done] = await Promise.all([made(ALL_CALLS), made(ALL_CALLS)]);
  await crashes.cut(without, done);
});

test('answers that were received and not stored [C9, C10]', async () => {
  await crashes.unstored(await made(ALL_CALLS));
});
