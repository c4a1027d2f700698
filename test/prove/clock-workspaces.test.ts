// Several workspaces' clocks, and concurrent calls to one clock: each workspace has its own, calls
// take turns, and a bad request moves nothing. [G-64]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { clockOf, DAY, secondsBetween, type Clocks, type Moved } from '../api/clocks.ts';
import { startPlatform, type Platform } from '../api/kit.ts';

/** Workspaces whose clocks are moved at once; `npm run prove` has more. */
const TOGETHER = Number(process.env['HOLDFAST_CLOCKS'] ?? 6);

let platform: Platform;
let clock: Clocks;
before(async () => {
  platform = await startPlatform();
  clock = clockOf(platform.api);
});
after(() => platform?.stop());

/** A workspace in which a delivery fails at once, and its clock. */
async function failing(): Promise<Clocks> {
  const { api } = platform;
  const { token } = await platform.tenant(['USD']);
  const call = (body: object) => ({ body, token });
  const url = 'http://127.0.0.1:9/';
  await api.must(201, 'invoicing', 'POST', '/v1/webhook_endpoints', call({ url }));
  await api.must(200, 'accounts', 'POST', '/register', call({ username: 'one' }));
  return clockOf(api, token);
}

const NEWEST = 'select max(workspace) as workspace from workspace';

/**
 * Tries before the first step of a call: the first of each delivery, and whatever came due in real
 * time while the test prepared.
 */
async function early(workspace: number, [first]: Moved['steps']): Promise<number> {
  const [row] = await platform.db.query<{ n: bigint }>({
    text: 'select count(*) as n from delivery_attempt where workspace = $1 and at < $2',
    values: [workspace, first?.at],
  });
  return Number(row?.n);
}

test('bad requests are refused, and nothing moves', async () => {
  const { now, offset_seconds } = await clock.read();
  const cases: readonly [object, string][] = [
    [{}, 'CLOCK_WISH_UNCLEAR'],
    [{ next: true, until_idle: true }, 'CLOCK_WISH_UNCLEAR'],
    [{ advance_seconds: 5, to: '2100-01-01T00:00:00Z' }, 'CLOCK_WISH_UNCLEAR'],
    [{ to: now }, 'CLOCK_BACKWARDS'],
    [{ to: '2001-01-01T00:00:00+01:00' }, 'CLOCK_BACKWARDS'],
    [{ to: '2200-01-01T00:00:00Z' }, 'CLOCK_TOO_FAR'],
    [{ advance_seconds: -5 }, 'INVALID_FIELD'],
    [{ advance_seconds: 0 }, 'INVALID_FIELD'],
    [{ advance_seconds: 315_360_001 }, 'INVALID_FIELD'],
    [{ advance_seconds: 1.5 }, 'INVALID_FIELD'],
    [{ to: '2100-01-01' }, 'INVALID_FIELD'],
    [{ to: '2100-02-30T00:00:00Z' }, 'INVALID_FIELD'],
    [{ to: 'tomorrow' }, 'INVALID_FIELD'],
    [{ to: '2100-01-01T00:00:00+99:99' }, 'INVALID_FIELD'],
    [{ to: '2100-06-30T23:59:60Z' }, 'INVALID_FIELD'],
    [{ to: '9999-12-31T23:59:59-12:00' }, 'INVALID_FIELD'],
    [{ to: '0000-01-01T00:00:00+12:00' }, 'INVALID_FIELD'],
    [{ next: false }, 'CLOCK_WISH_UNCLEAR'],
    [{ workspace: 1, next: true }, 'UNKNOWN_FIELD'],
  ];
  for (const [body, code] of cases) {
    const reply = await platform.api.send('invoicing', 'POST', '/sandbox/clock', { body });
    assert.deepEqual([reply.status, reply.code], [400, code], JSON.stringify(body));
  }
  assert.ok(Math.abs((await clock.read()).offset_seconds - offset_seconds) < 0.001);
});

test("moving one workspace's clock leaves the others'", async () => {
  const other = clockOf(platform.api, (await platform.tenant(['USD'])).token);
  await clock.move({ to: '2040-01-01T00:00:00Z' });
  assert.equal((await clock.read()).now.slice(0, 16), '2040-01-01T00:00');
  assert.equal((await other.read()).offset_seconds, 0);
});

test(`${TOGETHER} workspaces go through a day of retries at the same time`, async () => {
  const clocks: Clocks[] = [];
  const workspaces: number[] = [];
  for (let n = 0; n < TOGETHER; n += 1) {
    clocks.push(await failing());
    const [row] = await platform.db.query<{ workspace: number }>(NEWEST);
    workspaces.push(row?.workspace ?? 0);
  }
  const moved = await Promise.all(clocks.map((one) => one.move({ until_idle: true })));
  for (const [n, { steps, idle, before, now }] of moved.entries()) {
    const one = workspaces[n] ?? 0;
    assert.equal(idle, true);
    assert.equal((await early(one, steps)) + steps.length, 8, 'each try once');
    assert.ok(secondsBetween(before, now) > DAY);
  }
  const rows = await platform.db.query<{ state: string; n: bigint }>(
    `select state, count(*) as n from delivery group by state`,
  );
  const dead = rows.filter(({ state }) => state === 'dead').map(({ n }) => n);
  assert.deepEqual(dead, [BigInt(TOGETHER)]);
});

test('two calls at one clock take turns', async () => {
  const one = await failing();
  const start = (await one.read()).now;
  const both = await Promise.all([
    one.move({ advance_seconds: DAY }),
    one.move({ advance_seconds: DAY }),
  ]);
  const [first, second] = both.toSorted((a, b) => (a.before < b.before ? -1 : 1)) as [Moved, Moved];
  assert.ok(first.now <= second.before);
  assert.equal(first.steps.length + second.steps.length, 7);
  const went = secondsBetween(start, second.now);
  assert.ok(went >= 2 * DAY && went < 2 * DAY + 30, `${went} s`);
});

test('a call that is repeated under its key moves nothing again', async () => {
  const body = { advance_seconds: DAY };
  const headers = { 'idempotency-key': 'a day later' };
  const call = { body, headers };
  const replies = [];
  for (let n = 0; n < 2; n += 1) {
    replies.push(await platform.api.must<Moved>(200, 'invoicing', 'POST', '/sandbox/clock', call));
  }
  assert.deepEqual(replies[1], replies[0]);
  const now = (await clock.read()).now;
  assert.ok(secondsBetween(replies[0]?.now ?? '', now) < 60);
});

test('many retries at a dead endpoint take few moves, one call goes through a year', async () => {
  const { api, db } = platform;
  const { token } = await platform.tenant(['USD']);
  const url = 'http://127.0.0.1:9/';
  await api.must(201, 'invoicing', 'POST', '/v1/webhook_endpoints', { body: { url }, token });
  const names = Array.from({ length: 60 }, (_, n) => `person${n}`);
  for (const username of names) {
    await api.must(200, 'accounts', 'POST', '/register', { body: { username }, token });
  }
  const { steps, idle } = await clockOf(api, token).move({ advance_seconds: 400 * DAY });
  assert.equal(idle, true);
  const [{ workspace = 0 } = {}] = await db.query<{ workspace: number }>(NEWEST);
  const tries = (await early(workspace, steps)) + steps.length;
  assert.equal(tries, names.length * 8, 'each try once');
  const [moves] = await db.query<{ n: bigint }>(
    'select count(*) as n from clock_move where workspace = (select max(workspace) from workspace)',
  );
  assert.ok((moves?.n ?? 0n) < 250n, `${moves?.n} moves`);
});

test("a call waits for a dead process's lease, then moves as far as requested", async () => {
  await platform.db.execute(
    `update workspace set clock_lease = gen_random_uuid(), clock_scope = 'other',
        clock_target = '2050-01-01', clock_leased_until = clock_timestamp() + interval '1 s'
      where workspace = (select min(workspace) from workspace)`,
  );
  const started = performance.now();
  const { before, now } = await clock.move({ advance_seconds: DAY });
  assert.ok(performance.now() - started > 900);
  const went = secondsBetween(before, now);
  assert.ok(went >= DAY && went < DAY + 60, `${went} s`);
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
