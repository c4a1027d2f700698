// Each workspace reaches the provider that it is connected to and no other, a change is followed,
// and what cannot be connected stays unknown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderRow, StoredConnection } from './port.ts';
import { readCredentials } from './port.ts';
import { routeProviders, type RouterParts } from './router.ts';
import type { ChargeOrder } from './processor/port.ts';
import { open, provider, signatureOf } from '../../test/kit/fake-provider/index.ts';

const SECRET = 'sk_test_0123456789';

function orderOf(workspace: number): ChargeOrder {
  return { workspace, key: 'k', token: 't', amount: 100n, currency: 'USD' };
}

/** A router over connections that a test changes, and how often anything was loaded or read. */
function bench(given: Partial<RouterParts> = {}) {
  const stored: StoredConnection[] = [];
  const seen = { loads: 0, reads: 0, faults: [] as unknown[], now: 0 };
  const row: ProviderRow = {
    kind: 'processor',
    name: 'fake',
    holdDays: 30,
    load: async () => {
      seen.loads += 1;
      return { provider };
    },
  };
  const routed = routeProviders({
    ...{ rows: [row], env: 'staging', outbound: true, simulators: null, timeoutMs: 1_000 },
    async read(workspace) {
      seen.reads += 1;
      return stored.filter((one) => one.workspace === workspace);
    },
    find: async (id) => stored.find((one) => one.id === id) ?? null,
    stopped: () => [],
    noticeUrlOf: (kind, id) => `http://payments.test/${kind}/${id}`,
    returnUrl: 'http://127.0.0.1/returned',
    fault: (error) => seen.faults.push(error),
    now: () => seen.now,
    ...given,
  });
  const set = (workspace: number, account: string, more: Partial<StoredConnection> = {}): void => {
    const at = stored.findIndex((one) => one.workspace === workspace);
    if (at >= 0) stored.splice(at, 1);
    const id = `c${workspace}`;
    const open = async () => ({ account, secret_key: SECRET });
    const named = { workspace, integrator: 'i', kind: 'processor', id, merchant: null } as const;
    const of = { provider: 'fake', base_url: null, version: account, open };
    stored.push({ ...named, ...of, ...more });
  };
  return { routed, stored, seen, set };
}

test('nothing is loaded before a workspace is connected, and then once', async () => {
  const { routed, seen, set } = bench();
  assert.deepEqual(await routed.processor.authorize(orderOf(1)), { state: 'unknown' });
  assert.equal(seen.loads, 0);
  set(2, 'two');
  const all = Array.from({ length: 5 }, () => routed.processor.authorize(orderOf(2)));
  for (const outcome of await Promise.all(all)) assert.equal(outcome.state, 'authorized');
  assert.deepEqual([seen.loads, seen.reads, open], [1, 2, ['two']]);
  await routed.close();
  assert.deepEqual(open, []);
});

test('how long money may wait is what the row of the provider says', async () => {
  const { routed, set } = bench();
  set(1, 'one');
  assert.equal(await routed.providers.holdSeconds(1), 30 * 86_400);
  assert.equal(await routed.providers.holdSeconds(2), null);
  await routed.close();
});

test('two workspaces reach two accounts of the provider', async () => {
  const { routed, set } = bench();
  set(1, 'one');
  set(2, 'two');
  for (const [workspace, account] of [[1, 'one'], [2, 'two']] as const) {
    const outcome = await routed.processor.capture(orderOf(workspace));
    assert.ok('reference' in outcome && outcome.reference === `${account} k`);
    assert.equal((await routed.methodEntry.take(workspace, 'e') as { token: string }).token, 'e');
  }
  assert.deepEqual(open.toSorted(), ['one', 'two']);
  await routed.close();
});

test('a change is followed within seconds, and what was open before is closed', async () => {
  const { routed, stored, seen, set } = bench();
  set(1, 'first');
  await routed.processor.authorize(orderOf(1));
  set(1, 'second');
  const early = await routed.processor.authorize(orderOf(1));
  assert.ok('reference' in early && early.reference === 'first k', 'cached');
  seen.now += 3_001;
  const late = await routed.processor.authorize(orderOf(1));
  assert.ok('reference' in late && late.reference === 'second k');
  stored.length = 0;
  seen.now += 3_001;
  assert.deepEqual(await routed.processor.authorize(orderOf(1)), { state: 'unknown' });
  assert.deepEqual(open, []);
  await routed.close();
});

test('a payment is asked for where it was made, and nowhere where that was removed', async () => {
  const { routed, stored, seen, set } = bench({
    read: async (workspace) => stored.filter((one) => one.workspace === workspace).slice(-1),
  });
  set(1, 'old');
  const [old] = stored;
  set(1, 'new', { id: 'new' });
  const at = async (connection: string, workspace = 1) => {
    const outcome = await routed.processor.capture({ ...orderOf(workspace), connection });
    return 'reference' in outcome ? outcome.reference : outcome.state;
  };
  assert.equal(await at('new'), 'new k');
  assert.equal(await at('c1'), 'unknown');
  assert.match(String(seen.faults.at(-1)), /connection c1 was removed/);
  if (old !== undefined) stored.unshift(old);
  assert.equal(await at('c1'), 'old k');
  assert.equal(await at('new'), 'new k');
  assert.equal(await at('c1', 2), 'unknown', 'of another workspace');
  assert.deepEqual(open.toSorted(), ['new', 'old']);
  await routed.close();
});

test('what cannot be connected stays unknown, is said, and heals by itself', async () => {
  const { routed, seen, set } = bench();
  const broken: [Partial<StoredConnection>, RegExp][] = [
    [{ provider: 'other' }, /This release has no processor provider named other\./],
    [{ open: () => Promise.reject(new Error('sealed')) }, /sealed/],
    [{ open: async () => ({ secret_key: 'pasted' }) }, /account .*secret_key \(must be/],
  ];
  for (const [more, sentence] of broken) {
    set(1, 'one', more);
    seen.now += 3_001;
    assert.deepEqual(await routed.processor.authorize(orderOf(1)), { state: 'unknown' });
    assert.equal(await routed.methodEntry.take(1, 'e'), null);
    // Not a refusal, which would close the seller's account for good.
    const payee = await routed.payees.open({ workspace: 1, key: 'k', country: 'US' });
    assert.deepEqual(payee, { state: 'unknown' });
    assert.match(String(seen.faults.at(-1)), sentence);
    assert.doesNotMatch(String(seen.faults.at(-1)), /pasted/);
  }
  set(1, 'one');
  seen.now += 3_001;
  assert.equal((await routed.processor.authorize(orderOf(1))).state, 'authorized');
  await routed.close();
});

test('an environment takes its own mode only, and no sentence quotes what was given', () => {
  const good = { account: 'a', secret_key: SECRET };
  assert.deepEqual(readCredentials(provider, 'staging', good), good);
  assert.throws(() => readCredentials(provider, 'production', good), {
    message: 'These are test credentials: production takes live ones.',
  });
  const live = { account: 'a', secret_key: 'sk_live_0123456789' };
  assert.throws(() => readCredentials(provider, 'staging', live), {
    message: 'These are live credentials: staging takes test ones.',
  });
  const wrong = [{ ...good, sk_test_misplaced: 'x' }, { ...good, secret_key: 'sk_9secret' }];
  for (const bad of wrong) {
    assert.throws(() => readCredentials(provider, 'staging', bad), (error: Error) => {
      assert.match(error.message, /^The credentials cannot be used: /);
      assert.doesNotMatch(error.message, /misplaced|9secret/);
      return true;
    });
  }
});

test('without a connection simulators answer; where nobody is called, nobody does', async () => {
  const { processor, methodEntry, identityVendor, payees } = bench().routed;
  const absent = { state: 'absent' } as const;
  const retrieve = async () => absent;
  const simulators = { processor: { ...processor, retrieve }, methodEntry, identityVendor, payees };
  const played = bench({ simulators });
  assert.deepEqual(await played.routed.processor.retrieve(orderOf(1)), absent);
  const silent = bench({ outbound: false });
  silent.set(1, 'one');
  assert.deepEqual(await silent.routed.processor.retrieve(orderOf(1)), { state: 'unknown' });
  assert.equal(await silent.routed.providers.connection('processor', 'c1'), null);
  assert.equal(silent.seen.loads, 0);
});

test('what is configured: in production what is connected, in staging everything', async () => {
  const production = bench({ env: 'production' });
  production.set(1, 'one');
  const { configured } = production.routed.providers;
  const asked = [configured(1, 'processor'), configured(1, 'identity'), configured(2, 'processor')];
  assert.deepEqual(await Promise.all(asked), [true, false, false]);
  assert.equal(await bench().routed.providers.configured(9, 'identity'), true);
});

test('a webhook is read by the connection that its address names', async () => {
  const { routed, set } = bench();
  set(1, 'one');
  const body = Buffer.from(JSON.stringify({ id: 'n1', key: 'k', about: 'charge' }));
  const { connection } = routed.providers;
  const found = await connection('processor', 'c1');
  const headers = { 'fake-signature': signatureOf(SECRET, body) };
  assert.equal(found?.workspace, 1);
  assert.equal(found.processor.readNotice({ headers, body }, 1)?.id, 'n1');
  assert.equal(found.processor.readNotice({ headers: {}, body }, 1), null);
  assert.equal(await connection('identity', 'c1'), null);
  assert.equal(await connection('processor', 'c2'), null);
  await routed.close();
});
