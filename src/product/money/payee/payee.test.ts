// Sellers' accounts at the processor: opened once, followed, and a destination of payouts exactly
// while the processor requires nothing; and what that means for the seller's identity. [G-91, G-92]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { uuidOfWireId } from '../../../core/ids.ts';
import { openBench, type Bench, type Reply } from '../../../../test/kit/domain-bench.ts';
import { FakePayees } from '../../../../test/kit/payees.ts';
import { Payouts, type Person } from '../../../../test/kit/payouts.ts';
import { startExchangeWorker } from '../wallet/index.ts';
import { payeeQueue, settlePayee, wakePayee } from './index.ts';

interface Payee {
  readonly payment_method_id: string;
  readonly status: string;
  readonly requirements: readonly string[];
  readonly url: string;
}

let bench: Bench;
let payees: FakePayees;
let payouts: Payouts;
before(async () => {
  bench = await openBench();
  payees = new FakePayees();
  const urls = { widget: 'http://widget.test' };
  Object.assign(bench.services, { payees, urls });
  payouts = new Payouts(bench);
});
after(async () => {
  await bench.proved();
  await bench.close();
});

const link = (account_id: string, more: object = {}, key?: string): Promise<Reply> => {
  const body = { account_id, ...more };
  return bench.call('createPayeeLink', { body, ...(key === undefined ? {} : { key }) });
};

async function linked(account_id: string): Promise<Payee> {
  const reply = await link(account_id);
  assert.equal(reply.status, 201, String(reply.code));
  return reply.payload as Payee;
}

const seen = (account_id: string): Promise<Payee> =>
  bench.must<Payee>('getPayee', { query: { account_id } });

async function method(account_id: string, id: string) {
  type Method = { id: string; provider: string; pm_state: string; psp_reference: string };
  const all = await bench.must<Method[]>('listPaymentMethods', { params: { account_id } });
  return all.find((one) => one.id === id);
}

async function referenceOf(account_id: string, { payment_method_id }: Payee): Promise<string> {
  return (await method(account_id, payment_method_id))?.psp_reference ?? '';
}

async function kycOf(account_id: string): Promise<string> {
  const values = [uuidOfWireId('acct', account_id)];
  const text = 'select state from kyc where id = $1';
  const [row] = await bench.db.query<{ state: string }>({ text, values });
  return row?.state ?? '';
}

/** The processor says that something changed, and the worker asks it until nothing is due. */
async function follow(reference: string): Promise<void> {
  const { db, engine, random, workspaces } = bench.services;
  await wakePayee(db, bench.home.workspace, reference);
  const queue = payeeQueue({
    ...{ db, payees, workspaces },
    settle: (workspace, said) => engine.run(settlePayee, said, { workspace, actor: 'processor' }),
  });
  const fault = (error: unknown): void => assert.fail(String(error));
  const worker = startExchangeWorker(
    { db, fault, newId: random.uuid, chance: () => 0, beat: 5 },
    queue,
  );
  const waits = `select 1 from payee_job where due <= clock_timestamp() or lease is not null`;
  while ((await db.query(waits)).length > 0) await new Promise((later) => setTimeout(later, 5));
  await worker.stop();
}

/** A seller with an account that takes payouts. */
async function ready(account_id: string): Promise<{ payee: Payee; reference: string }> {
  const payee = await linked(account_id);
  const reference = await referenceOf(account_id, payee);
  payees.require(reference, []);
  await follow(reference);
  return { payee, reference };
}

test('a seller opens an account, and once nothing is due it takes payouts', async () => {
  const account_id = await bench.newAccount();
  const none = await bench.call('getPayee', { query: { account_id } });
  assert.deepEqual([none.status, none.code], [404, 'PAYEE_NOT_FOUND']);
  const { payee, reference } = await ready(account_id);
  assert.deepEqual([payee.status, payee.requirements], ['restricted', ['external_account']]);
  assert.match(payee.url, /^https:\/\/setup\.example\//);
  assert.ok(payee.url.endsWith('?to=http://widget.test/ui/v1/returned'));
  const now = await seen(account_id);
  assert.deepEqual([now.status, now.requirements], ['ready', []]);
  const destination = await method(account_id, payee.payment_method_id);
  assert.deepEqual([destination?.provider, destination?.pm_state], ['payee', 'ACTIVE']);
  assert.equal(await kycOf(account_id), 'ACCEPT');
  const told = await bench.events('payment-method-updated');
  assert.equal(JSON.stringify(told).includes(reference), false);
  await bench.must('sandboxDeposit', { body: { account_id, currency: 'USD', amount: 1_000 } });
  const who = await personOf(account_id, payee);
  const id = await payouts.asked(who);
  await payouts.execute(who, id);
  assert.equal((await payouts.seen(who, id)).status, 'CREDIT-TRANSFER-INITIATED');
  const [sent] = await bench.db.query<{ target: string; rail: string }>({
    text: 'select target, rail from transfer where resource_id = $1',
    values: [id],
  });
  assert.deepEqual(sent, { target: reference, rail: 'processor' });
});

/** The account as the fixtures of payouts know one. */
async function personOf(account_id: string, { payment_method_id }: Payee): Promise<Person> {
  type Method = { id: string; provider: string; processing_currency: string };
  const all = await bench.must<Method[]>('listPaymentMethods', { params: { account_id } });
  const wallet = all.find((one) => one.provider === 'wallet' && one.processing_currency === 'USD');
  const ids = { wallet: wallet?.id ?? '', bank: payment_method_id };
  return { account_id, ...ids, euros: '', paypal: '', card: '' };
}

test('what is due later holds payouts back, and the identity, until it is done', async () => {
  const account_id = await bench.newAccount();
  const { payee, reference } = await ready(account_id);
  await bench.must('sandboxDeposit', { body: { account_id, currency: 'USD', amount: 5_000 } });
  const who = await personOf(account_id, payee);
  const waiting = await payouts.asked(who);
  payees.require(reference, ['individual.id_number']);
  await follow(reference);
  await follow(reference);
  const now = await seen(account_id);
  assert.deepEqual([now.status, now.requirements], ['restricted', ['individual.id_number']]);
  assert.equal(await kycOf(account_id), 'REVERIFY');
  assert.equal((await payouts.ask(who)).code, 'PAYOUT_REQUIREMENTS_DUE');
  await payouts.pass(3_700);
  assert.equal((await payouts.seen(who, waiting)).status, 'FUNDS-IN-ESCROW-ON-HOLD');
  const history = `select detail from history where resource_id = $1 and event = 'hold_back'`;
  const [held] = await bench.db.query<{ detail: string }>({ text: history, values: [waiting] });
  assert.match(held?.detail ?? '', /PAYOUT_REQUIREMENTS_DUE/);
  payees.require(reference, []);
  await follow(reference);
  assert.equal(await kycOf(account_id), 'ACCEPT');
  await payouts.pass(3_700);
  assert.equal((await payouts.seen(who, waiting)).status, 'CREDIT-TRANSFER-INITIATED');
});

test('a decision of ours stands, and a tenant may verify sellers itself', async () => {
  const denied = await bench.newAccount();
  await payouts.setKyc(denied, { state: 'DENY' });
  await ready(denied);
  assert.equal(await kycOf(denied), 'DENY');
  const accepted = await bench.newAccount();
  await payouts.setKyc(accepted, { state: 'ACCEPT' });
  const { reference } = await ready(accepted);
  payees.accounts.delete(reference);
  await follow(reference);
  assert.equal(await kycOf(accepted), 'ACCEPT');
  const own = { body: { processor_verifies: false } };
  assert.deepEqual(await bench.must('changePayeeSettings', own), own.body);
  assert.deepEqual(await bench.must('getPayeeSettings'), own.body);
  const other = await bench.newAccount();
  const { payee } = await ready(other);
  assert.equal(await kycOf(other), 'NODATA');
  assert.equal((await payouts.ask(await personOf(other, payee))).code, 'PAYOUT_KYC_REQUIRED');
  await bench.must('changePayeeSettings', { body: { processor_verifies: true } });
});

test('an account that the processor closed is replaced by a new one', async () => {
  const account_id = await bench.newAccount();
  const { payee, reference } = await ready(account_id);
  payees.accounts.delete(reference);
  await follow(reference);
  assert.equal((await seen(account_id)).status, 'closed');
  assert.equal((await method(account_id, payee.payment_method_id))?.pm_state, 'INACTIVE');
  assert.equal(await kycOf(account_id), 'REVERIFY');
  const next = await ready(account_id);
  assert.notEqual(next.reference, reference);
  assert.equal((await seen(account_id)).status, 'ready');
});

test('a lost answer and racing requests open one account', async () => {
  const account_id = await bench.newAccount();
  const before = payees.keys.length;
  payees.silent = true;
  assert.equal((await link(account_id)).code, 'PAYEE_UNAVAILABLE');
  payees.silent = false;
  const replies = await Promise.all([1, 2, 3].map(() => linked(account_id)));
  assert.equal(payees.keys.length, before + 1);
  assert.equal(new Set(replies.map((one) => one.payment_method_id)).size, 1);
  assert.equal(new Set(replies.map(({ url }) => url)).size, 3);
  const [one, two] = [await link(account_id, {}, 'again'), await link(account_id, {}, 'again')];
  assert.deepEqual(one.payload, two.payload);
});

test('a processor that opens none, and one that does not answer, are told apart', async () => {
  const account_id = await bench.newAccount();
  payees.instead = { state: 'refused' };
  assert.equal((await link(account_id)).code, 'PAYEE_NOT_OFFERED');
  payees.instead = { state: 'unknown' };
  assert.equal((await link(account_id)).code, 'PAYEE_UNAVAILABLE');
  payees.instead = null;
  payees.noPage = true;
  assert.equal((await link(account_id)).code, 'PAYEE_UNAVAILABLE');
  payees.noPage = false;
  assert.equal((await linked(account_id)).status, 'restricted');
  const foreign = { return_url: 'https://elsewhere.example/' };
  assert.equal((await link(account_id, foreign)).code, 'RETURN_URL_NOT_ALLOWED');
});

test('an account that its seller removed takes payouts again once they ask for it', async () => {
  const account_id = await bench.newAccount();
  const { payee, reference } = await ready(account_id);
  const params = { payment_method_id: payee.payment_method_id };
  await bench.must('removePaymentMethod', { params });
  await follow(reference);
  assert.equal((await method(account_id, payee.payment_method_id))?.pm_state, 'INACTIVE');
  await linked(account_id);
  assert.equal((await method(account_id, payee.payment_method_id))?.pm_state, 'ACTIVE');
  const body = { ...params, account_id, currency: 'USD', amount: 100 };
  const reply = await bench.call('createDeposit', { body });
  assert.deepEqual(reply.errors, { payment_method_id: 'only receives payouts' });
});
