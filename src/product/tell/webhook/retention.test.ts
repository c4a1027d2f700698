// Deliveries are shown for 90 days, their attempts for 30, by the clock of their workspace; what
// waits is always shown. Rows of the past are shown, sent again and counted like the others. [PD6]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '../../../core/ids.ts';
import { openBench, type Bench } from '../../../../test/kit/domain-bench.ts';
import { turn } from '../../../../test/kit/generations.ts';
import { readEvent } from './read.ts';
import { replay } from './replay.ts';

let bench: Bench;
const [endpoint, resource] = [newUuid(), newUuid()];
const STATES = ['delivered', 'pending', 'dead'];
before(async () => {
  bench = await openBench();
  const { workspace } = bench.home;
  const write = (text: string, ...more: unknown[]): Promise<number> =>
    bench.db.execute({ text, values: [workspace, ...more] });
  await write(
    `insert into webhook_endpoint (workspace, id, url, state, signing, created, updated)
      values ($1, $2, 'https://receiver.example', 'enabled', 'v1', now(), now())`,
    endpoint,
  );
  await write(
    `insert into event (workspace, sequence, event_id, name, resource_id, resource_version, at,
        body) select $1, n, gen_random_uuid(), 'x', $2, n, clock_timestamp(), '{}'
      from generate_series(1, 4) n`,
    resource,
  );
  await write(
    `insert into delivery (workspace, endpoint_id, sequence, resource_id, state, attempts)
      select $1, $2, n, $3, ($4::text[])[n], 1 from generate_series(1, 3) n`,
    ...[endpoint, resource, STATES],
  );
  await write(
    `insert into delivery_attempt (workspace, endpoint_id, sequence, number, at, status,
        duration_ms) select $1, $2, n, 1, clock_timestamp(), 200, 1 from generate_series(1, 3) n`,
    endpoint,
  );
});
after(() => bench?.close());

/** Advances the clock of the workspace. */
async function jump(interval: string): Promise<void> {
  const values = [bench.home.workspace, interval];
  const text = 'update workspace set clock_offset = $2::interval where workspace = $1';
  await bench.db.execute({ text, values });
}

/** Each shown delivery with its number of shown attempts; null: it is not shown. */
async function shown(): Promise<(string | null)[]> {
  const { workspace } = bench.home;
  const events = await bench.db.query<{ event_id: string }>({
    text: 'select event_id from event where workspace = $1 and sequence < 4 order by sequence',
    values: [workspace],
  });
  const stream = { bodies: async () => ['{}'] };
  const all = await Promise.all(
    events.map(({ event_id }) => readEvent(bench.db, stream, workspace, event_id)),
  );
  const told = all.map((one) => one?.deliveries.map((d) => `${d.state} ${d.attempts.length}`)[0]);
  const params = { endpoint_id: endpoint };
  const list = await bench.must<{ deliveries: object[] }>('listWebhookDeliveries', { params });
  assert.equal(list.deliveries.length, told.filter((one) => one !== undefined).length);
  return told.map((one) => one ?? null);
}

const again = (request: Parameters<typeof replay>[3]): Promise<number> =>
  bench.db.transaction((tx) => replay(tx, bench.home.workspace, endpoint, request));

test('attempts are shown for 30 days, deliveries for 90, what waits for ever', async () => {
  await jump('29 days 23 hours');
  assert.deepEqual(await shown(), ['delivered 1', 'pending 1', 'dead 1']);
  await jump('30 days 1 hour');
  assert.deepEqual(await shown(), ['delivered 0', 'pending 0', 'dead 0']);
  await jump('90 days 1 hour');
  assert.deepEqual(await shown(), [null, 'pending 0', null]);
  assert.equal(await again({ kind: 'failed' }), 0);
  await jump('0');
});

test('a delivery of the past is shown and sent again, once', async () => {
  await turn(bench.db, 'delivery');
  await turn(bench.db, 'delivery_attempt');
  assert.deepEqual(await shown(), ['delivered 1', 'pending 1', 'dead 1']);
  assert.equal(await again({ kind: 'failed' }), 1);
  assert.deepEqual(await shown(), ['delivered 1', 'pending 1', 'pending 1']);
  await bench.db.execute(`update delivery set lease = gen_random_uuid() where sequence = 2`);
  // The leased one is left alone; the fourth was never queued.
  assert.equal(await again({ kind: 'range', from: 1, to: 9 }), 3);
  assert.equal(await again({ kind: 'range', from: 1, to: 9 }), 3);
  const rows = await bench.db.query<{ sequence: bigint; past: boolean }>(
    `select sequence, tableoid = 'delivery_past'::regclass as past from delivery order by sequence`,
  );
  assert.deepEqual(rows.map(({ sequence, past }) => [Number(sequence), past]), [
    ...[[1, true], [2, true], [3, true]],
    [4, false],
  ]);
});
