// One walk through every operation of the interface, compared byte for byte with the walk that is
// kept in test/wire/recorded. `HOLDFAST_RECORD=1 npm test -- test/prove/walk.test.ts` keeps a new
// one: what then differs there is what integrators will notice.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startPlatform, type Platform } from '../api/kit.ts';
import { CHAPTERS } from '../wire/chapters.ts';
import { Listener } from '../wire/deliveries.ts';
import { difference, keep, kept } from '../wire/record.ts';
import { Walk } from '../wire/walk.ts';

const listener = new Listener();
let platform: Platform;
let address = '';
before(async () => {
  address = await listener.open();
  platform = await startPlatform({ options: ['--forward-to', address] });
});
after(async () => {
  await platform?.stop();
  listener.close();
});

test('every answer and every delivery is the one that is kept', async () => {
  const walk = new Walk(platform);
  walk.names.fix(address, 'listener');
  walk.names.fix(address.replace('http://', ''), 'listener-address');
  await walk.read();
  for (const chapter of CHAPTERS) await chapter(walk);
  await walk.delivered();
  listener.record(walk);
  if (process.env['HOLDFAST_RECORD'] === '1') keep(walk.chapters);
  const found = difference(kept(), walk.chapters);
  assert.ok(found === null, `${found}\nIf this is meant: HOLDFAST_RECORD=1 keeps the new walk.`);
});
