// Processes killed while they deliver, and the queue's speed on tables without statistics.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ensureEndpoint } from '../../src/product/tell/webhook/index.ts';
import { claim, settle } from '../../src/product/tell/webhook/queue.ts';
import { newSecret } from '../../src/product/tell/webhook/secret.ts';
import { systemRandom } from '../../src/core/random.ts';
import { receiver, scene, states, until } from '../webhook/scene.ts';
import type { Scene } from '../webhook/scene.ts';

let at: Scene;
before(async () => {
  at = await scene();
});
after(() => at.end());

const ids = (n: number): string[] => Array.from({ length: n }, () => systemRandom.uuid());

test('kill -9 in the middle of deliveries loses none and keeps the order', async () => {
  const { workspace } = await at.addWorkspace();
  let answered = 0;
  let killed = false;
  // The tenth and later requests of the killed process get no answer: they die in flight.
  const to = await receiver(() => {
    answered += 1;
    return killed || answered < 10 ? { status: 200 } : { status: 200, hang: true };
  });
  const secret = newSecret(systemRandom, 'v1');
  await ensureEndpoint(at, { workspace, url: to.url, secret });
  const resources = ids(20);
  for (let n = 0; n < 3; n += 1) await at.seal(workspace, resources);
  const child = fork(join(import.meta.dirname, '../webhook/lone-loop.ts'), {
    env: { LOOP_DATABASE_URL: at.databaseUrl, LOOP_MASTER: at.master.toString('hex') },
  });
  await until(10_000, () => answered >= 15);
  child.kill('SIGKILL');
  await once(child, 'exit');
  killed = true;
  const loop = at.loop();
  await until(10_000, async () => (await states(at.db, workspace))['delivered'] === 60);
  await loop.stop();
  assert.equal(new Set(to.got.map((one) => one.event.event_id)).size, 60);
  for (const resource of resources) {
    const order = to.got
      .map((one) => one.event.message)
      .filter((message) => message.resource === resource)
      .map((message) => message.n);
    // Duplicates are allowed; a step back or over one is not.
    order.forEach((n, index) => {
      const before = index === 0 ? 0 : (order[index - 1] as number);
      assert.ok(n === before || n === before + 1, order.join());
    });
  }
  await to.close();
});

test('claims and settlements planned on empty tables stay fast as the tables grow', async (t) => {
  const { workspace } = await at.addWorkspace();
  await at.db.execute('alter table delivery set (autovacuum_enabled = off)');
  await at.db.execute('alter table delivery_attempt set (autovacuum_enabled = off)');
  await at.db.execute('alter table event set (autovacuum_enabled = off)');
  const limits = { rows: 64, perEndpoint: 64, leaseMs: 60_000 };
  const turn = async (): Promise<number> => {
    const begun = performance.now();
    const { claimed } = await claim(at.db, systemRandom.uuid(), limits);
    await settle(
      at.db,
      claimed.map(({ endpoint_id, sequence, lease, at: moment }) => ({
        workspace,
        endpoint_id,
        sequence,
        lease,
        at: moment,
        verdict: 'delivered',
        waitMs: 0,
        status: 200,
        reason: null,
        durationMs: 1,
        answerBytes: 0,
        excerpt: null,
      })),
    );
    return performance.now() - begun;
  };
  const secret = newSecret(systemRandom, 'v1');
  await ensureEndpoint(at, { workspace, url: 'http://127.0.0.1:9/', secret });
  for (let n = 0; n < 20; n += 1) {
    await at.seal(workspace, ids(1));
    await turn();
  }
  for (let n = 0; n < 30; n += 1) await at.seal(workspace, ids(1000));
  const times: number[] = [];
  for (let n = 0; n < 25; n += 1) times.push(await turn());
  const median = times.toSorted((a, b) => a - b)[12] as number;
  t.diagnostic(`64 deliveries claimed and settled in ${median.toFixed(1)} ms (median)`);
  // The wrong join took 140 ms and more at a third of this size.
  assert.ok(median < 60, `${median} ms`);
});
