// The script of an integrator's page in a real browser: what it refuses before anything is drawn,
// how a flow begins and ends in its frame, and who cannot make it begin.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hook, openBench, type Bench } from './kit.ts';

let bench: Bench;

before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

test('a flow begins in a frame, says that it is ready, and its end empties the element', async () => {
  const visitor = await bench.visitor();
  const redirect = await bench.link('tos');
  const frame = await visitor.begin({ flow: 'tos', redirect });
  await hook(frame, 'agree-cancel').click();
  const result = await visitor.hears('complete');
  const event = 'service.tos.complete';
  assert.deepEqual(result, { source: 'service', event, state: 'cancel' });
  const ready = { source: 'service', event: 'service.tos.ready' };
  assert.deepEqual(await visitor.heard(), { complete: [result], error: [], ready: [ready] });
  assert.equal(await visitor.page.locator('iframe').count(), 0);
});
