// `holdfast/testing` on a platform that it starts itself: each helper does what its page says, and
// errors say what to do.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform, type World } from '../../testing/index.ts';
import { secondsOf } from '../../testing/clock.ts';
import { checkoutWish } from '../client/kit.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.stop());

function deposit(world: World, amount: number): Promise<{ readonly deposit_id: string }> {
  const { account_id } = world.accounts.buyer;
  return world.client.invoicing.sandboxDeposit({ account_id, currency: 'USD', amount });
}

async function balance({ client, accounts }: World): Promise<number> {
  const { wallet_id } = accounts.buyer;
  return (await client.wallets.getWallet({ wallet_id })).current_balance;
}

test('spans are written as people write them', () => {
  assert.deepEqual(
    [secondsOf(90), secondsOf('15m'), secondsOf('36h'), secondsOf('2w')],
    [90, 900, 129_600, 1_209_600],
  );
  assert.equal(secondsOf({ days: 1, hours: 2, seconds: 3 }), 93_603);
  assert.throws(() => secondsOf('1y' as '1d'), /90s, 15m, 36h/);
});

test('an option that nobody knows is refused, with the one that was meant', async () => {
  const start = startPlatform as (options: object) => Promise<Platform>;
  const meant = { name: 'TypeError', message: /^startPlatform: .* share\. Did you mean shared\?/ };
  await assert.rejects(start({ share: false }), meant);
  await assert.rejects(start({ port: 1 }), /no option port; there are shared, env, timeoutMs\./);
  assert.throws(() => secondsOf({ day: 1 } as object), /^TypeError: a span: .* days\?/);
  const { world } = platform;
  await assert.rejects(world.webhooks({ event: [] } as object), /^TypeError: webhooks: .* events/);
  await assert.rejects(world.scenario('exchange.busy', { time: 2 } as object), / times\?$/);
  const late = world.events.next('refund-completed', { timeout: 1 } as object);
  await assert.rejects(late, / timeoutMs\?$/);
});

test('a world begins as the sandbox began, whatever happened in the main one', async () => {
  await deposit(platform.world, 100);
  await using world = await platform.newWorld({ name: 'fresh' });
  assert.equal(world.name, 'fresh');
  assert.equal(await balance(world), 100_000);
  assert.deepEqual(await world.events.list(), []);
  const answer = await world.fetch('wallets', `/v2/wallet/${world.accounts.buyer.wallet_id}`);
  assert.equal(answer.status, 200);
});

test('events are given once each, in order, whatever is asked for first', async () => {
  await using world = await platform.newWorld();
  const [one, two] = [await deposit(world, 1), await deposit(world, 2)];
  const { account_id } = await world.client.accounts.registerAccount({
    username: 'late',
    email: { address: 'late@example.test', requires_verification: false },
    full_name: 'Late Comer',
  });
  const registered = await world.events.next('register-account-completed');
  assert.equal(registered.message.account_id, account_id);
  const first = await world.events.next('deposit-completed');
  const second = await world.events.next('deposit-completed', {
    where: ({ message }) => message.deposit_id === two.deposit_id,
  });
  assert.equal(first.message.deposit_id, one.deposit_id);
  assert.ok(second.sequence > first.sequence);
  await deposit(world, 3);
  await assert.rejects(world.events.next('refund-completed', { timeoutMs: 200 }), {
    name: 'EventMissing',
    message: /No matching refund-completed .* 200 ms\. .*: deposit-completed\. .*untilIdle/,
  });
  assert.equal((await world.events.list()).length, 4);
});

test('a receiver in the process sees each try, and believes only signed ones', async () => {
  await using world = await platform.newWorld();
  const hooks = await world.webhooks({ events: ['deposit-completed'], signing: 'v1a' });
  hooks.answerWith(500);
  const { deposit_id } = await deposit(world, 5);
  const refused = await hooks.arrival();
  assert.deepEqual([refused.status, refused.event?.event_name], [500, 'deposit-completed']);
  hooks.answerWith(() => 204);
  await world.clock.untilIdle();
  const event = await hooks.next('deposit-completed');
  assert.equal(event.message.deposit_id, deposit_id);
  assert.equal(event.event_id, refused.event?.event_id);
  const forged = await fetch(hooks.url, { method: 'POST', body: '{}' });
  assert.equal(forged.status, 400);
  assert.match(hooks.deliveries.at(-1)?.fault ?? '', /webhook-id/);
  await hooks.close();
});

test('a state is saved, restored and cloned; a reset returns to the beginning', async () => {
  await using world = await platform.newWorld();
  // Its event may come after the snapshot, and is of the time before it all the same.
  await deposit(world, 50);
  const kept = await world.snapshot('fifty');
  await deposit(world, 25);
  await kept.rollBack();
  assert.equal(await balance(world), 100_050);
  assert.deepEqual(await world.events.list(), []);
  await deposit(world, 7);
  assert.equal((await world.events.next('deposit-completed')).message.request_amount, 7);
  await using other = await kept.fork();
  assert.equal(await balance(other), 100_050);
  await world.reset();
  assert.equal(await balance(world), 100_000);
  await kept.delete();
});

test('the clock moves one world only', async () => {
  await using world = await platform.newWorld();
  const before = await world.clock.now();
  const moved = await world.clock.advance({ days: 2 });
  assert.ok(new Date(moved.now).getTime() - before.getTime() >= 2 * 86_400_000);
  assert.ok((await platform.world.clock.now()).getTime() - before.getTime() < 86_400_000);
  await assert.rejects(world.clock.advanceTo(before), { codes: ['CLOCK_BACKWARDS'] });
});

test('counterparties do as scripted, and everything can be explained', async () => {
  await using world = await platform.newWorld();
  const { buyer } = world.accounts;
  const { provider } = await world.scenario('card.card_declined', { on: buyer.account_id });
  assert.equal(provider, 'card');
  await world.scenario('exchange.busy', { times: 2 });
  assert.deepEqual((await world.counterparties.waiting()).map(({ remaining }) => remaining), [2]);
  await world.counterparties.clear();
  await assert.rejects(world.scenario('person.accepted'), /a person's own act: see http/);
  const names = (await world.counterparties.list()).map(({ name }) => name);
  assert.deepEqual(names.toSorted(), ['bank', 'processor', 'receiver', 'vendor']);
  await assert.rejects(world.scenario('no such'), /There is no scenario no such; there are /);
  await assert.rejects(world.scenario('card.vissa'), /Did you mean card\.visa\?/);
  const receiver = await world.receiver({ events: ['deposit-completed'] });
  const { deposit_id } = await deposit(world, 9);
  await world.clock.untilIdle();
  assert.equal((await receiver.requests()).length, 1);
  const [seen] = await world.counterparties.book('receiver');
  assert.deepEqual([seen?.receiver_id, seen?.status], [receiver.receiver_id, 200]);
  const { kind, timeline } = await world.explain(deposit_id);
  assert.equal(kind, 'deposit');
  assert.ok(timeline.length > 2);
});

test('a person pays in a browser', async () => {
  await using world = await platform.newWorld();
  const { redirect } = await world.client.invoicing.authorizeInvoice(checkoutWish(world));
  await using browser = await world.browser();
  const flow = await browser.openWidget({ flow: 'checkout', redirect });
  await flow.agree();
  await flow.addCard('visa');
  await flow.payWithCard();
  await flow.done();
  assert.equal((await flow.result()).state, 'complete');
  assert.equal((await world.events.next('invoice-completed')).message.state, 'success');
});

test('a call after release is refused with a sentence', async () => {
  const own = await startPlatform({ shared: false, env: { HOLDFAST_ESCROW_HOLD_DAYS: '2' } });
  assert.notEqual(own.urls.auth, platform.urls.auth);
  await own.stop();
  const failed = own.client.invoicing.listEvents({}, { timeoutMs: 4_000 });
  await assert.rejects(failed, ({ cause }: Error) => /was stopped/.test(String(cause)));
});
