// Open work that makes no progress while the event loop runs: only a restart would help, so
// liveness fails, and recovers once work moves.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from '../kit/platform.ts';
import { openWire, type Wire } from '../kit/wire.ts';
import { pause } from './shop.ts';

let platform: Platform;
let wire: Wire;
before(async () => {
  const by = async (url: string): Promise<Wire> => (wire = await openWire(url));
  // The database is waited for longer than the work may stand still.
  const settings = { HOLDFAST_STATEMENT_MS: '30000', HOLDFAST_STALL_SECONDS: '1' };
  platform = await startPlatform({ by, settings });
});
after(() => platform?.stop());

const alive = async (): Promise<[number, unknown]> => {
  const answer = await fetch(`${platform.ready.urls.internal}/healthz`);
  return [answer.status, await answer.json()];
};

test('a process whose commands make no progress is not alive until they do', async () => {
  const { api } = platform;
  const { wallet_payment_method_id } = api.ready.accounts.buyer;
  const id = await api.created(api.sale(1, [{ payment_method_id: wallet_payment_method_id }]));
  const held = wire.hold('\0commit\0');
  const since = performance.now();
  const paying = api.pay(id, 'held');
  const { letGo } = await held;
  assert.deepEqual(await alive(), [200, { status: 'alive' }]);
  while ((await alive())[0] === 200) {
    assert.ok(performance.now() - since < 10_000, 'it says that it is alive');
    await pause(50);
  }
  assert.ok(performance.now() - since > 900, 'not before a second has passed');
  assert.deepEqual(await alive(), [503, { status: 'stuck' }]);
  letGo();
  assert.equal((await paying).status, 200);
  assert.deepEqual(await alive(), [200, { status: 'alive' }]);
});
