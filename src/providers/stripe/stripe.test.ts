// The adapter of Stripe against a server shaped as Stripe describes its own: the processor's
// contract suite, and what is Stripe's alone: codes, signed bytes, two feeds in one statement, and
// the page on which cards are saved.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { declareOnce } from '../processor/once.contract.ts';
import { DECLINE_CODES } from '../processor/port.ts';
import {
  AMOUNT,
  payment,
  processorContract,
  statementOf,
} from '../processor/processor.contract.ts';
import { declareDisputes } from '../dispute.contract.ts';
import { declarePayouts } from '../processor/payout.contract.ts';
import { declareWaiting } from '../waiting.contract.ts';
import {
  connectTo,
  happening,
  savedIn,
  secretOf,
  stripeBench,
  WEBHOOK_SECRET,
  type StripeBench,
} from '../../../test/kit/stripe/bench.ts';
import { FEE, type Account } from '../../../test/kit/stripe/account.ts';
import { declineCode } from './codes.ts';
import { openLink } from './connection.ts';
import { provider } from './index.ts';

processorContract(
  ...(['Stripe', stripeBench, declareWaiting, declareOnce] as const),
  ...([declareDisputes, declarePayouts] as const),
);

const [HERE] = [7] as const;
let bench: StripeBench;
let account: Account;
before(async () => {
  bench = await stripeBench();
  account = bench.server.account(secretOf(HERE));
});
after(() => bench.close());

/** A captured charge. */
async function taken() {
  const order = payment(HERE, await bench.goodCard(HERE));
  await bench.processor.authorize(order);
  const outcome = await bench.processor.capture(order);
  assert.ok(outcome.state === 'captured');
  return { ...order, reference: outcome.reference };
}

test('every reason of the catalogue can be told, and no code of Stripe is shown', () => {
  const told = new Set(
    ['do_not_honor', 'insufficient_funds', 'expired_card', 'incorrect_cvc', 'processing_error']
      .concat(['authentication_required', 'card_velocity_exceeded', 'never_heard_of'])
      .map((decline_code) => declineCode({ code: 'card_declined_by_nobody', decline_code })),
  );
  assert.deepEqual([...told].toSorted(), DECLINE_CODES.toSorted());
  for (const quiet of ['lost_card', 'stolen_card', 'fraudulent', 'pickup_card']) {
    assert.equal(declineCode({ code: 'card_declined', decline_code: quiet }), 'card_declined');
  }
  assert.equal(declineCode({ code: 'expired_card' }), 'card_expired');
  assert.equal(declineCode({}), 'generic_error');
});

test('a key opens one mode, and unreadable credentials are refused', async () => {
  const good = { secret_key: 'sk_live_abcdefgh12', webhook_secrets: [WEBHOOK_SECRET] };
  assert.equal(provider.modeOf(good), 'live');
  assert.equal(provider.modeOf({ ...good, secret_key: 'rk_test_abcdefgh12' }), 'test');
  const wrong = [{ secret_key: 'pk_live_abcdefgh12' }, { webhook_secrets: ['x'] }, { more: 1 }];
  for (const odd of wrong) {
    assert.equal(provider.credentials.safeParse({ ...good, ...odd }).success, false);
  }
  const known = connectTo(bench.server, HERE);
  assert.deepEqual(await known.check(), []);
  const nobody = connectTo({ url: 'http://127.0.0.1:1' }, HERE);
  assert.equal((await nobody.check()).length, 1);
  assert.match((await known.merchant?.()) ?? '', /^acct_/);
  assert.equal(await nobody.merchant?.(), null);
  const unheard = provider.connect({
    ...{ workspace: HERE, baseUrl: bench.server.url, timeoutMs: 5_000 },
    ...{ noticeUrl: '', returnUrl: '' },
    credentials: { secret_key: secretOf(HERE), webhook_secrets: [] },
  });
  assert.match((await unheard.check()).join(' '), /^webhook_secrets is empty/);
  await Promise.all([known.close(), nobody.close(), unheard.close()]);
});

test('an answer of the other mode is no answer', async () => {
  const order = payment(HERE, await bench.goodCard(HERE));
  bench.server.misbehave(({ method }) => (method === 'POST' ? 'wrong_mode' : null));
  assert.deepEqual(await bench.processor.authorize(order), { state: 'unknown' });
  bench.server.misbehave(() => null);
});

test('what Stripe counts in other units is declined before any call', async () => {
  const token = await bench.goodCard(HERE);
  bench.server.misbehave(() => null);
  for (const currency of ['ISK', 'UGX', 'MGA']) {
    const outcome = await bench.processor.authorize({ ...payment(HERE, token), currency });
    assert.equal(outcome.state, 'declined');
  }
  assert.deepEqual(bench.server.calls, []);
});

const link = openLink({
  workspace: HERE,
  credentials: { secret_key: secretOf(HERE), webhook_secrets: [WEBHOOK_SECRET] },
  baseUrl: 'http://127.0.0.1:1',
  noticeUrl: '',
  returnUrl: '',
  timeoutMs: 100,
});
const { processor: reader } = connectTo({ url: 'http://127.0.0.1:1' }, HERE);

/** A webhook as Stripe signs it. */
function signed(event: object, secret = WEBHOOK_SECRET, age = 0) {
  const payload = JSON.stringify(event);
  const timestamp = Math.floor(Date.now() / 1_000) - age;
  const header = link.stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return { headers: { 'stripe-signature': header }, body: Buffer.from(payload) };
}

const EVENT = { id: 'evt_1', object: 'event', livemode: false, type: 'payment_intent.succeeded' };
const about = (object: object, more: object = {}) => ({ ...EVENT, data: { object }, ...more });
const OURS = { id: 'pi_1', metadata: { holdfast_key: 'k-1' } };

test('a webhook is read from the bytes that Stripe signed, and only says what to ask', () => {
  const notice = { workspace: HERE, id: 'evt_1', key: 'k-1', about: 'charge' };
  assert.deepEqual(reader.readNotice(signed(about(OURS)), HERE), notice);
  const refund = about({ ...OURS, id: 're_1' }, { type: 'refund.updated' });
  assert.equal(reader.readNotice(signed(refund), HERE)?.about, 'remittance');
  const dispute = about({ id: 'dp_1' }, { type: 'charge.dispute.created' });
  assert.equal(reader.readNotice(signed(dispute), HERE)?.about, 'statement');
  const foreign = about({ id: 'pi_2', metadata: {} });
  assert.equal(reader.readNotice(signed(foreign), HERE)?.about, 'statement');
});

test('a forged, old, altered or misdirected webhook is none', () => {
  const right = signed(about(OURS));
  const none = (raw: Parameters<typeof reader.readNotice>[0], why: string): void =>
    assert.equal(reader.readNotice(raw, HERE), null, why);
  none({ ...right, headers: {} }, 'no signature');
  none({ ...right, headers: { 'stripe-signature': ['t=1,v1=2'] } }, 'two signatures');
  none({ ...right, headers: { 'stripe-signature': 't=1,v1=00' } }, 'a made-up one');
  none({ ...right, body: Buffer.concat([right.body, Buffer.from(' ')]) }, 'one byte more');
  none({ ...right, body: right.body.subarray(0, -1) }, 'cut');
  none(signed(about(OURS), 'whsec_ofsomebodyelse'), 'another secret');
  none(signed(about(OURS), WEBHOOK_SECRET, 301), 'too old');
  none(signed(about(OURS, { livemode: true })), 'of the other mode');
  none(signed([]), 'no event');
});

test('while a secret is replaced both count', () => {
  const webhook_secrets = ['whsec_newsecret1', WEBHOOK_SECRET];
  const both = provider.connect({
    workspace: HERE,
    credentials: { secret_key: secretOf(HERE), webhook_secrets },
    ...{ baseUrl: null, noticeUrl: '', returnUrl: '', timeoutMs: 100 },
  });
  for (const secret of ['whsec_newsecret1', WEBHOOK_SECRET]) {
    assert.ok(both.processor.readNotice(signed(about(OURS), secret), HERE));
  }
  return both.close();
});

test('the statement tells the course of a dispute, money and all', async () => {
  const order = await taken();
  const { cursor } = await statementOf(bench, HERE);
  happening(account, order.key, 'chargeback');
  happening(account, order.key, 'dispute_under_review');
  happening(account, order.key, 'dispute_won');
  const { lines } = await statementOf(bench, HERE, cursor);
  const mine = lines.filter(({ key, kind }) => key === order.key && kind !== 'capture');
  const [opened] = mine;
  assert.deepEqual(
    mine.map(({ kind }) => kind).toSorted(),
    ['chargeback', 'dispute_under_review', 'dispute_won'],
  );
  assert.equal(new Set(mine.map(({ reference }) => reference)).size, 1);
  assert.deepEqual([opened?.kind, opened?.reason], ['chargeback', 'fraudulent']);
  assert.match(opened?.due_by ?? '', /^\d{4}-.*\.000000Z$/);
  for (const line of mine) assert.deepEqual([line.amount, line.currency], [AMOUNT, 'USD']);
});

test('a lost dispute ends without money, and a returned bank debit is final', async () => {
  const order = await taken();
  happening(account, order.key, 'chargeback');
  happening(account, order.key, 'dispute_lost');
  const debit = payment(HERE, savedIn(account, { type: 'us_bank_account' }));
  await bench.processor.authorize(debit);
  await bench.processor.capture(debit);
  for (const event of ['settle', 'chargeback', 'dispute_lost']) {
    happening(account, debit.key, event);
  }
  const { lines } = await statementOf(bench, HERE);
  const of = (key: string) => lines.filter((line) => line.key === key).map(({ kind }) => kind);
  assert.deepEqual(of(order.key), ['capture', 'chargeback', 'dispute_lost']);
  assert.deepEqual(of(debit.key), ['capture', 'return']);
});

test('a statement of several pages is read once from its oldest row on', async () => {
  const mine: string[] = [];
  for (let n = 0; n < 120; n += 1) mine.push((await taken()).key);
  const { lines, cursor } = await statementOf(bench, HERE);
  const read = lines.filter(({ key, kind }) => mine.includes(key) && kind === 'capture');
  assert.deepEqual(read.map(({ key }) => key), mine);
  const later = (await taken()).key;
  const rest = await statementOf(bench, HERE, cursor);
  assert.ok(rest.lines.some(({ key }) => key === later));
});

test('a row that Stripe lists after younger ones is read, among however many', async () => {
  const begun = `${account.transactions.at(-1)?.id},`;
  for (let n = 0; n < 101; n += 1) {
    account.move(['topup', 'topup'], { amount: 1, currency: 'usd', source: `tu_${n}` });
  }
  const { cursor } = await statementOf(bench, HERE, begun);
  account.move(['topup', 'topup'], { amount: 2, currency: 'usd', source: 'tu_late' });
  const [late] = account.transactions.splice(-1);
  assert.ok(late);
  account.transactions.splice(-60, 0, late);
  const { lines } = await statementOf(bench, HERE, cursor);
  assert.ok(lines.some(({ key }) => key === 'tu_late'));
});

test('a cursor that Stripe has forgotten, or of another account, begins anew', async () => {
  const order = await taken();
  for (const event of ['chargeback', 'dispute_under_review']) happening(account, order.key, event);
  const event = account.events.findLast(({ type }) => type === 'charge.dispute.updated');
  const cursor = `${account.transactions.at(-1)?.id},${event?.id}`;
  assert.deepEqual((await statementOf(bench, HERE, cursor)).lines, []);
  // Stripe keeps events for 30 days.
  account.events.length = 0;
  happening(account, order.key, 'dispute_lost');
  const { lines } = await statementOf(bench, HERE, cursor);
  assert.deepEqual(lines.map(({ kind }) => kind), ['dispute_lost']);
  const [, there = HERE] = bench.workspaces;
  const foreign = payment(there, await bench.goodCard(there));
  await bench.processor.authorize(foreign);
  await bench.processor.capture(foreign);
  const other = await statementOf(bench, there, cursor);
  assert.ok(other.lines.some(({ key }) => key === foreign.key));
});

test('money that is none of a payment is told by what it is, under an id of Stripe', async () => {
  const money = { amount: -5_000, currency: 'usd' };
  account.move(['payout', 'payout'], { ...money, source: 'po_1' });
  account.move(['payout_failure', 'payout'], { ...money, amount: 5_000, source: 'po_1' });
  account.move(['stripe_fee', 'fee'], { ...money, source: 'fee_1' });
  account.move(['topup', 'topup'], { ...money, amount: 5_000, source: 'tu_1' });
  const lines = (await statementOf(bench, HERE)).lines.slice(-4);
  assert.deepEqual(
    lines.map(({ kind, key, amount, fee }) => [kind, key, amount, fee]),
    [
      ['provider_payout', 'po_1', 5_000n, 0n],
      ['provider_payout_returned', 'po_1', 5_000n, 0n],
      ['fee', 'fee_1', 5_000n, 0n],
      ['capture', 'tu_1', 5_000n, 0n],
    ],
  );
});

test('what Stripe takes from the bank for a negative balance did not go to the bank', async () => {
  account.move(['payout', 'payout'], { amount: 700, currency: 'usd', source: 'po_2' });
  const last = (await statementOf(bench, HERE)).lines.at(-1);
  assert.deepEqual([last?.kind, last?.key, last?.amount], ['capture', 'po_2', 700n]);
});

test('an answer without an amount is no answer', async () => {
  const order = payment(HERE, await bench.goodCard(HERE));
  const held = await bench.processor.authorize(order);
  assert.ok(held.state === 'authorized');
  const intent = account.intent(held.reference) as { amount_capturable: number | undefined };
  intent.amount_capturable = undefined;
  assert.deepEqual(await bench.processor.retrieve(order), { state: 'unknown' });
});

test('each movement has its fee and the day on which it may be paid out', async () => {
  const order = await taken();
  happening(account, order.key, 'chargeback');
  const { lines } = await statementOf(bench, HERE);
  const mine = lines.filter(({ key }) => key === order.key);
  assert.deepEqual(mine.map(({ kind, fee }) => [kind, fee]), [
    ['capture', BigInt(FEE)],
    ['chargeback', 1_500n],
  ]);
  for (const { available_at } of mine) assert.ok((available_at ?? '') > new Date().toISOString());
});

test('a card is saved on a page of Stripe, once the person has finished it', async () => {
  const { methodEntry, close } = connectTo(bench.server, HERE);
  const request = {
    ...{ workspace: HERE, parentOrigin: 'http://x', ancestors: [], returnUrl: null, label: '' },
    look: { background: '#ffffff', primary: '#000000', dir: 'ltr' },
  } as const;
  const begun = await methodEntry.begin({ ...request, kind: 'card' });
  assert.ok(begun);
  assert.equal(begun.framed, false);
  assert.equal(await methodEntry.take(HERE, begun.id), 'pending');
  bench.server.complete(secretOf(HERE), begun.id, { type: 'card' });
  const saved = await methodEntry.take(HERE, begun.id);
  assert.ok(saved !== null && typeof saved === 'object');
  assert.deepEqual([saved.brand, saved.last4], ['visa', '4242']);
  assert.deepEqual(await methodEntry.take(HERE, begun.id), saved);
  const outcome = await bench.processor.authorize(payment(HERE, saved.token));
  assert.equal(outcome.state, 'authorized');
  const bank = await methodEntry.begin({ ...request, kind: 'bank' });
  bench.server.expire(bank?.id ?? '');
  assert.equal(await methodEntry.take(HERE, bank?.id ?? ''), 'absent');
  assert.equal(await methodEntry.take(HERE, 'cs_test_unknown'), 'absent');
  assert.equal(await methodEntry.begin({ ...request, kind: 'paypal' }), null);
  await close();
});
