// `holdfast trigger`: every event of the catalogue is caused on a running sandbox, on new and on
// named resources, and what it prints is the event itself.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { events } from '../../src/catalogue.ts';
import { EVENT_RECIPES } from '../../src/cli/event-recipes.ts';
import type { EventName } from '../../src/product/events.ts';
import type { Registered } from '../kit/api.ts';
import { endAll } from '../start/launch.ts';
import { linesOf, run, speak, speakUntil, startSandbox } from '../cli/terminal.ts';
import type { Ran, Sandbox } from '../cli/terminal.ts';

let sandbox: Sandbox;
before(async () => {
  sandbox = await startSandbox();
});
after(async () => {
  await sandbox?.stop();
  endAll();
});

function trigger(...args: string[]): Promise<Ran> {
  return speak(sandbox.env, 'trigger', ...args);
}

interface Happened {
  readonly calls: readonly string[];
  readonly message: Readonly<Record<string, unknown>>;
}

/** Triggers an event that must come; gives the calls and the message. */
async function happens(...args: string[]): Promise<Happened> {
  const { code, out, err } = await trigger('--json', ...args);
  assert.deepEqual([code, err], [0, ''], `${args.join(' ')}: ${out}`);
  const lines = linesOf(out);
  const event = lines.at(-1);
  assert.deepEqual([event?.['kind'], event?.['event_name']], ['event', args[0]]);
  const calls = lines.filter(({ kind }) => kind === 'call');
  return {
    calls: calls.map(({ method, path, status }) => `${method} ${path} ${status}`),
    message: event?.['message'] as Happened['message'],
  };
}

async function newcomer(): Promise<Registered> {
  const person = await sandbox.api.register(`named ${crypto.randomUUID()}`);
  await sandbox.api.fund(person.account_id, 50_000);
  return person;
}

test('every event of the catalogue has a recipe, and nothing else has', () => {
  const names = events.map(({ name }) => name);
  assert.deepEqual(Object.keys(EVENT_RECIPES).toSorted(), names.toSorted());
});

test('every event can be caused with new resources', async (t) => {
  const names = Object.keys(EVENT_RECIPES) as EventName[];
  for (const name of names) {
    await t.test(name, async () => {
      const { calls, message } = await happens(name);
      assert.ok(calls.length > 0 && calls.every((call) => /20[01]$|204$/.test(call)), calls.join());
      assert.ok(Object.keys(message).length > 1);
    });
  }
});

test('an escrow that is named is paid, then committed, then refused', async () => {
  const { api } = sandbox;
  const { account_id, method } = await newcomer();
  const body = api.sale(900, [{ payment_method_id: method }], { account_id });
  type Made = { id: string };
  const { id } = await api.must<Made>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  const name = 'escrow-transaction-update';
  assert.equal((await happens(name, '--on', id)).message['status'], 'ESCROWED');
  const committed = await happens(name, '--on', id);
  assert.equal(committed.message['status'], 'COMMITTED');
  assert.equal(committed.calls.at(-1), `POST /v2/escrow/${id}/commit 200`);
  const refused = await trigger(name, '--on', id);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^holdfast: The escrow is COMMITTED: it cannot change any more\.\n$/);
});

test("time passes in a clone that is deleted, or in the named escrow's workspace", async () => {
  const { api } = sandbox;
  type Clock = { offset_seconds: number };
  type Listed = { worlds: object[] };
  const look = async (): Promise<[number, number]> => {
    const clock = await api.must<Clock>(200, 'invoicing', 'GET', '/sandbox/clock');
    const { worlds } = await api.must<Listed>(200, 'invoicing', 'GET', '/sandbox/worlds');
    return [clock.offset_seconds, worlds.length];
  };
  const before = await look();
  const away = await happens('escrow-expiring');
  assert.deepEqual(await look(), before);
  const { promise: asked, resolve: ask } = Promise.withResolvers<string>();
  const cut = speakUntil(asked, sandbox.env, 'trigger', 'escrow-expiring');
  while ((await look())[1] === before[1]) await new Promise((resolve) => setTimeout(resolve, 5));
  ask('stopping');
  assert.match((await cut).err, /Stopped before/);
  assert.deepEqual(await look(), before, 'the clone of a trigger that was cut short stays');
  const unknown = await trigger('escrow-expiring', '--on', String(away.message['id']));
  assert.match(unknown.err, /^holdfast: esc_\w+ has nothing scheduled/);
  const { account_id, method } = await newcomer();
  const body = api.sale(900, [{ payment_method_id: method }], { account_id });
  type Made = { id: string };
  const { id } = await api.must<Made>(201, 'invoicing', 'POST', '/v2/escrow', { body });
  await api.must(200, 'invoicing', 'POST', `/v2/escrow/${id}/pay`);
  const { code, out } = await trigger('escrow-expiring', '--on', id);
  assert.equal(code, 0, out);
  assert.match(out, /\nThe clock went from \d{4}-\S+Z to \d{4}-\S+Z; \d+ scheduled actions ran\./);
  const [offset = 0, workspaces] = await look();
  assert.ok(offset > 80 * 86_400 && workspaces === before[1]);
});

test('a wallet that is named gets a transfer; its payout is settled, then returned', async () => {
  const { api } = sandbox;
  const { account_id } = await newcomer();
  await api.setKyc(account_id, { state: 'ACCEPT' });
  type Method = { id: string; psp_reference: string; processing_currency: string };
  const methods = `/v1/${account_id}/payment_methods`;
  const all = await api.must<Method[]>(200, 'payments', 'GET', methods);
  const euros = all.find(({ processing_currency }) => processing_currency === 'EUR');
  const arrived = await happens('deposit-completed', '--on', euros?.psp_reference ?? '');
  assert.equal(arrived.message['deposit_provider'], 'bank');
  const holder = { account_id, iban: 'NL91ABNA0417164300', holder_name: 'Ann Seller' };
  const bank = '/v1/payment_method/bank_account';
  const to = await api.must<Method>(201, 'payments', 'POST', bank, { body: holder });
  const from = { source_payment_method_id: euros?.id, destination_payment_method_id: to.id };
  const path = `/v2/${account_id}/payout`;
  type Made = { payout_status_id: string };
  const body = { ...from, amount: 2_000, currency: 'EUR' };
  const { payout_status_id: id } = await api.must<Made>(201, 'invoicing', 'POST', path, { body });
  await api.must(200, 'invoicing', 'PATCH', `${path}/${id}`);
  assert.equal((await happens('payout-completed', '--on', id)).message['status'], 'SUCCESS');
  assert.equal((await happens('payout-completed', '--on', id)).message['status'], 'FAILED');
});

test('an invoice that is named is paid, then refunded', async () => {
  const { api } = sandbox;
  const { account_id, method } = await newcomer();
  const body = api.sale(900, [{ payment_method_id: method }], { account_id });
  const id = await api.created(body);
  assert.equal((await happens('invoice-completed', '--on', id)).message['state'], 'success');
  const { message } = await happens('refund-completed', '--on', id);
  assert.equal(message['payment_invoice_id'], id);
  const again = await trigger('refund-completed', '--on', id);
  assert.equal(again.code, 1);
  assert.match(again.err, /INVOICE_(NOTHING_TO|ALREADY)_REFUND/);
});

test('an account that is named is verified, paid out, blocked and unblocked', async () => {
  const { account_id: id } = await newcomer();
  const state = async (name: EventName, member: string, on = id): Promise<unknown> =>
    (await happens(name, '--on', on)).message[member];
  assert.equal(await state('kyc-webhook', 'state'), 'ACCEPT');
  assert.equal(await state('payout-completed', 'account_id'), id);
  assert.equal(await state('kyc-webhook', 'state'), 'DENY');
  assert.equal(await state('deposit-completed', 'account_id'), id);
  const method = String(await state('payment-method-updated', 'payment_method_id'));
  assert.equal(await state('payment-method-updated', 'payment_method_id', method), method);
  assert.equal(await state('account-block-unblock-webhook', 'is_blocked'), true);
  assert.equal(await state('account-block-unblock-webhook', 'is_blocked'), false);
});

test('a business that is named is accepted, then denied', async () => {
  const { account_id } = await newcomer();
  const begun = await happens('kyb-webhook', '--on', account_id);
  const id = String(begun.message['entity_id']);
  for (const status of ['ACCEPT', 'DENY']) {
    const { message } = await happens('kyb-webhook', '--on', id);
    assert.deepEqual([message['entity_id'], message['entity_status']], [id, status]);
  }
});

test('the list says of each event what causes it', async () => {
  const { code, out } = await trigger('--list');
  assert.equal(code, 0);
  for (const { name } of events) assert.match(out, new RegExp(`^${name}\\n {2}[A-Z].*\\.\\n`, 'm'));
  const listed = linesOf((await trigger('--list', '--json')).out);
  assert.deepEqual(listed.map(({ event_name }) => event_name), events.map(({ name }) => name));
});

test('people read the calls with their statuses, and the event', async () => {
  const { code, out } = await run(sandbox.env, 'trigger', 'register-account-completed');
  assert.equal(code, 0);
  assert.match(out, /^POST {3}accounts {3}\/register {2}200\n/);
  assert.match(out, /\n\nregister-account-completed #\d+\n\{\n {2}"event_id": /);
});

const REFUSED: readonly [string[], RegExp][] = [
  [[], /^holdfast: Which event\?/],
  [['invoice-complete'], /^holdfast: There is no event \S+ Did you mean invoice-completed\?/],
  [['register-account-completed', '--on', 'x'], /always uses new objects: leave out --on/],
  [['invoice-completed', '--on', '../x'], /^holdfast: --on must be an id, not/],
  [['invoice-completed', '--on', 'x'], /refused: 404 INVOICE_NOT_FOUND\. /],
];

test('an impossible request is one sentence', async () => {
  for (const [args, sentence] of REFUSED) {
    const refused = await trigger(...args);
    assert.equal(refused.code, 1, args.join(' '));
    assert.match(refused.err, sentence);
    assert.equal(refused.err.split('\n').length, 2);
  }
});
