// Deliveries to local receivers: order per resource, failures, dead letters, redirects, concurrent
// loops, and loops that died. Prints its seed.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { claim, settle } from '../../src/product/tell/webhook/queue.ts';
import {
  endForwarding,
  ensureEndpoint,
  hastenDeliveries,
} from '../../src/product/tell/webhook/index.ts';
import { judge } from '../../src/product/tell/webhook/outcome.ts';
import { systemRandom } from '../../src/core/random.ts';
import { newSecret } from '../../src/product/tell/webhook/secret.ts';
import { receiver, scene, states, until } from './scene.ts';
import type { Receiver, Reply, Scene } from './scene.ts';

let at: Scene;
before(async () => {
  at = await scene();
});
after(() => at.end());

async function endpoint(workspace: number, to: Receiver): Promise<string> {
  const secret = newSecret(systemRandom, 'v1');
  return (await ensureEndpoint(at, { workspace, url: to.url, secret })).endpoint_id;
}

const resources = (n: number): string[] => Array.from({ length: n }, () => systemRandom.uuid());

/** A small generator of its own, so that a failing run can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

describe('delivery', () => {
  test('first sends of one resource stay in order under 30 % failures and 8 loops', async (t) => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1e9);
    t.diagnostic(`SEED=${seed}`);
    const random = randomFrom(seed);
    const { workspace } = await at.addWorkspace();
    const good = new Map<string, number>();
    const inversions: string[] = [];
    const stuck = systemRandom.uuid();
    const to = await receiver((request): Reply => {
      const { resource, n } = request.event.message;
      if (resource === stuck) return { status: 500 };
      if (n > (good.get(resource) ?? 0) + 1) inversions.push(`${resource} ${n}`);
      if (random() < 0.3) return { status: 500 };
      good.set(resource, Math.max(n, good.get(resource) ?? 0));
      return { status: 204 };
    });
    await endpoint(workspace, to);
    const names = resources(30);
    const schedule = Array.from({ length: 30 }, () => 0.01);
    const loops = Array.from({ length: 8 }, () =>
      at.loop({ total: 8, perEndpoint: 16, scheduleSeconds: schedule }),
    );
    for (let n = 0; n < 10; n += 1) {
      await at.seal(workspace, [...names, stuck]);
      loops[n % 8]?.wake();
    }
    await until(30_000, async () => (await states(at.db, workspace))['delivered'] === 300);
    await until(30_000, async () => (await states(at.db, workspace))['dead'] === 10);
    await Promise.all(loops.map((loop) => loop.stop()));
    assert.deepEqual(inversions, []);
    assert.ok([...good.values()].every((n) => n === 10));
    assert.equal(good.size, 30);
    // The resource that always fails is in order too: n + 1 is sent after n is dead.
    const sent = to.got.filter((one) => one.event.message.resource === stuck);
    const order = sent.map((one) => one.event.message.n);
    assert.deepEqual(
      order,
      [...order].sort((a, b) => a - b),
    );
    assert.equal(sent.length, 10 * 31);
    await to.close();
  });

  test('after the last try a dead letter with all attempts stays visible', async () => {
    const { workspace } = await at.addWorkspace();
    const to = await receiver(() => ({ status: 500, body: 'down, whsec_abcdefghijklmnopqrstuv' }));
    await endpoint(workspace, to);
    const [resource] = resources(1) as [string];
    await at.seal(workspace, [resource]);
    const loop = at.loop();
    await until(5000, async () => (await states(at.db, workspace))['dead'] === 1);
    await loop.stop();
    assert.equal(to.got.length, 4);
    assert.equal(new Set(to.got.map((one) => one.headers['webhook-id'])).size, 1);
    assert.equal(new Set(to.got.map((one) => one.body)).size, 1);
    const attempts = await at.db.query<{ number: number; status: number; excerpt: string }>({
      text: `select number, status, excerpt from delivery_attempt where workspace = $1
        order by number`,
      values: [workspace],
    });
    assert.deepEqual(
      attempts.map((one) => [one.number, one.status]),
      [1, 2, 3, 4].map((n) => [n, 500]),
    );
    assert.equal(attempts[0]?.excerpt, 'down, [...]');
    await to.close();
  });

  test('410 disables the endpoint and ends its pending deliveries', async () => {
    const { workspace } = await at.addWorkspace();
    const to = await receiver(() => ({ status: 410 }));
    const id = await endpoint(workspace, to);
    const [resource] = resources(1) as [string];
    await at.seal(workspace, [resource, resource, resource]);
    const loop = at.loop();
    await until(5000, async () => (await states(at.db, workspace))['dead'] === 3);
    await at.seal(workspace, [resource]);
    await loop.idle();
    await loop.stop();
    assert.equal(to.got.length, 1);
    assert.deepEqual(await states(at.db, workspace), { dead: 3 });
    const [row] = await at.db.query({
      text: 'select state, disabled_reason from webhook_endpoint where workspace = $1 and id = $2',
      values: [workspace, id],
    });
    assert.deepEqual(row, { state: 'disabled', disabled_reason: 'gone' });
    await to.close();
  });

  test('a redirect is not followed', async () => {
    const { workspace } = await at.addWorkspace();
    const trap = await receiver(() => ({ status: 200 }));
    const to = await receiver(() => ({ status: 307, headers: { location: trap.url } }));
    await endpoint(workspace, to);
    await at.seal(workspace, resources(1));
    const loop = at.loop({ scheduleSeconds: [] });
    await until(5000, async () => (await states(at.db, workspace))['dead'] === 1);
    await loop.stop();
    assert.equal(trap.got.length, 0);
    const [row] = await at.db.query<{ last_reason: string }>({
      text: 'select last_reason from delivery where workspace = $1',
      values: [workspace],
    });
    assert.equal(row?.last_reason, 'redirect_not_followed');
    await Promise.all([to.close(), trap.close()]);
  });

  test('Retry-After of a 429 is respected, and any 2XX confirms', async () => {
    const { workspace } = await at.addWorkspace();
    let refused = false;
    const to = await receiver(() => {
      if (refused) return { status: 299 };
      refused = true;
      return { status: 429, headers: { 'retry-after': '120' } };
    });
    await endpoint(workspace, to);
    await at.seal(workspace, resources(1));
    const loop = at.loop();
    await until(5000, () => to.got.length === 1);
    await loop.idle();
    const [row] = await at.db.query<{ wait: number }>({
      text: `select extract(epoch from due - clock_timestamp())::float8 as wait
        from delivery where workspace = $1`,
      values: [workspace],
    });
    assert.ok((row?.wait ?? 0) > 110 && (row?.wait ?? 0) <= 121, `waits ${row?.wait} s`);
    await at.db.transaction((tx) => hastenDeliveries(tx, workspace, '2 minutes 1 second'));
    loop.wake();
    await until(5000, async () => (await states(at.db, workspace))['delivered'] === 1);
    await loop.stop();
    await to.close();
  });

  test('a receiver that hangs times out and delays no other resource', async () => {
    const { workspace } = await at.addWorkspace();
    const [slow, ...others] = resources(11) as [string, ...string[]];
    const to = await receiver((request) =>
      request.event.message.resource === slow ? { status: 200, hang: true } : { status: 200 },
    );
    await endpoint(workspace, to);
    await at.seal(workspace, [slow, slow, ...others]);
    const loop = at.loop({ timeoutMs: 400, scheduleSeconds: [] });
    await until(350, async () => (await states(at.db, workspace))['delivered'] === 10);
    await until(5000, async () => (await states(at.db, workspace))['dead'] === 2);
    await loop.stop();
    const [row] = await at.db.query<{ reason: string }>({
      text: 'select distinct reason from delivery_attempt where workspace = $1 and status is null',
      values: [workspace],
    });
    assert.equal(row?.reason, 'timeout');
    await to.close();
  });

  test('two loops share the work and send nothing twice', async () => {
    const { workspace } = await at.addWorkspace();
    const to = await receiver(() => ({ status: 200 }));
    await endpoint(workspace, to);
    const loops = [at.loop({ total: 4 }), at.loop({ total: 4 })];
    for (let n = 0; n < 5; n += 1) await at.seal(workspace, resources(60));
    await until(10_000, async () => (await states(at.db, workspace))['delivered'] === 300);
    await Promise.all(loops.map((loop) => loop.stop()));
    assert.equal(to.got.length, 300);
    assert.equal(new Set(to.got.map((one) => one.event.event_id)).size, 300);
    await to.close();
  });

  test('no more than the set number is in flight to an endpoint, from two loops', async () => {
    const { workspace } = await at.addWorkspace();
    const to = await receiver(() => ({ status: 200, hang: true }));
    await endpoint(workspace, to);
    await at.seal(workspace, resources(40));
    const loops = [at.loop({ perEndpoint: 3 })];
    await until(5000, () => to.got.length === 3);
    loops.push(at.loop({ perEndpoint: 3 }));
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.equal(to.got.length, 3);
    await to.close();
    await Promise.all(loops.map((loop) => loop.stop()));
    await endForwarding(at, workspace);
  });

  test('deliveries claimed by a killed loop are sent by another after the lease', async () => {
    const { workspace } = await at.addWorkspace();
    const to = await receiver(() => ({ status: 200 }));
    await endpoint(workspace, to);
    const [resource] = resources(1) as [string];
    await at.seal(workspace, [resource, resource]);
    // A killed loop leaves exactly this: a claim and nothing after it.
    const held = await claim(at.db, systemRandom.uuid(), {
      rows: 10,
      perEndpoint: 10,
      leaseMs: 600,
    });
    assert.equal(held.claimed.length, 1);
    const loop = at.loop();
    await loop.idle();
    assert.equal(to.got.length, 0);
    await until(5000, async () => (await states(at.db, workspace))['delivered'] === 2);
    await loop.stop();
    assert.deepEqual(
      to.got.map((one) => one.event.message.n),
      [1, 2],
    );
    await to.close();
  });

  test('an outcome under a lease that has passed to another worker changes nothing', async () => {
    const { workspace } = await at.addWorkspace();
    const to = await receiver(() => ({ status: 200 }));
    await endpoint(workspace, to);
    await at.seal(workspace, resources(1));
    const limits = { rows: 10, perEndpoint: 10, leaseMs: 30 };
    const [stale] = (await claim(at.db, systemRandom.uuid(), limits)).claimed;
    assert.ok(stale);
    await new Promise((resolve) => setTimeout(resolve, 40));
    const [fresh] = (await claim(at.db, systemRandom.uuid(), limits)).claimed;
    assert.equal(fresh?.sequence, stale.sequence);
    const dead = judge({ kind: 'failed', reason: 'timeout', ms: 1 }, 1, [], 0, 0);
    await settle(at.db, [{ ...stale, ...dead }]);
    assert.deepEqual(await states(at.db, workspace), { pending: 1 });
    await settle(at.db, [{ ...fresh, ...dead, verdict: 'delivered' }]);
    assert.deepEqual(await states(at.db, workspace), { delivered: 1 });
    await to.close();
  });

  test('only enabled endpoints subscribed to the name get an event', async () => {
    const { workspace } = await at.addWorkspace();
    const to = await receiver(() => ({ status: 200 }));
    const id = await endpoint(workspace, to);
    await at.db.execute({
      text: `update webhook_endpoint set events = '{kyc-webhook}' where workspace = $1 and id = $2`,
      values: [workspace, id],
    });
    await at.seal(workspace, resources(2), 'invoice-completed');
    await at.seal(workspace, resources(1), 'kyc-webhook');
    const other = await at.addWorkspace();
    await at.seal(other.workspace, resources(1), 'kyc-webhook');
    const loop = at.loop();
    await until(5000, async () => (await states(at.db, workspace))['delivered'] === 1);
    await loop.idle();
    await loop.stop();
    assert.equal(to.got.length, 1);
    assert.deepEqual(await states(at.db, other.workspace), {});
    await to.close();
  });
});
