// One history of the whole system: acts in steps while calls break, then everything heals and comes
// to rest. Accounts must be as the model says, our records as the provider's, every law must hold.
import assert from 'node:assert/strict';
import type { Database } from '../../src/db/index.ts';
import { STANDING } from '../faults/journeys.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import { actsOf, castOf } from './acts.ts';
import { Draws, type Coverage } from './draws.ts';
import type { History } from './kept.ts';
import { mailed, mailsAreDue } from './mailed.ts';
import { inviting, opened, rotating } from './operators.ts';
import type { BrokenPlatform } from './platform.ts';
import { World } from './world.ts';

const REST_MS = 60_000;
const STILL_MS = 30_000;
const LEASE_MS = 1_000;
/** So long everything goes on being broken after an act, so that what was lost is tried again. */
const BROKEN_MS = 3_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Who claimed a call and is not heard of loses it; what was postponed is due. */
async function leasesRunOut(db: Database): Promise<void> {
  const tables = await db.query<{ name: string }>(`select table_name as name
    from information_schema.columns where column_name = 'leased_until'
      and table_name like '%\\_job'`);
  for (const { name } of tables) {
    // A row that is being settled is left alone: waiting for several of them could lock for ever.
    await db.execute(`update ${name} set leased_until = least(leased_until, clock_timestamp()),
      due = least(due, clock_timestamp()) where ctid = any (array(select ctid from ${name}
        where due < clock_timestamp() + interval '1 minute' for update skip locked))`);
  }
  await mailsAreDue(db);
}

/** Time goes by while something is done: leases run out again and again. */
async function asTimePasses(db: Database, done: () => Promise<void>): Promise<void> {
  let goes = true;
  const time = (async () => {
    for (; goes; await pause(LEASE_MS)) await leasesRunOut(db);
  })();
  try {
    await done();
  } finally {
    goes = false;
    await time;
  }
}

/** Claims of calls that were lost end, which otherwise takes as long as everything may rest. */
async function claimsEnd(db: Database): Promise<void> {
  await db.execute(`update statement_cursor set leased_until = least(leased_until,
    clock_timestamp())`);
  await db.execute(`update delivery set due = least(due, clock_timestamp())
    where state = 'pending' and lease is not null`);
}

/** Nothing breaks any more: waits until nothing is due. */
async function rest(broken: BrokenPlatform, draws: Draws): Promise<void> {
  const { api, db } = broken.platform;
  draws.on = false;
  await broken.calm();
  await claimsEnd(db);
  const deadline = Date.now() + REST_MS;
  for (;;) {
    const call = { body: { until_idle: true } };
    const reply = await api.send('invoicing', 'POST', '/sandbox/clock', call);
    if (reply.status === 200) break;
    assert.ok(Date.now() < deadline, `the clock does not come to rest: ${reply.text}`);
  }
  await settled(db, STILL_MS);
}

/** Since the receiver is there, every event was sent and has reached it. */
async function told({ platform: { db }, received }: BrokenPlatform): Promise<void> {
  const sent = await db.query<{ id: string; state: string | null }>(
    `select e.event_id::text as id, d.state from event e
      join (select workspace, min(sequence) as first from delivery group by workspace) f
        on f.workspace = e.workspace and e.sequence >= f.first
      left join delivery d on d.workspace = e.workspace and d.sequence = e.sequence`,
  );
  const lost = sent.filter(({ id, state }) => state !== 'delivered' || !received.has(id));
  assert.deepEqual(lost, [], 'events that nobody got');
}

/** How many of each kind customers have made. */
async function standing(db: Database): Promise<Readonly<Record<string, number>>> {
  const rows = await db.query<{ kind: string; count: number }>(
    `select kind, count(*)::int as count from (${STANDING}) s group by kind`,
  );
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

/** Plays a history of the whole system; throws where anything is wrong. */
export async function breakHistory(
  broken: BrokenPlatform,
  { seed, number, wanted }: History,
  coverage: Coverage,
): Promise<void> {
  const { api, db } = broken.platform;
  api.renew();
  const world = new World(api, seed, number);
  const cast = await castOf(world);
  const acts = world.rng.shuffled([
    ...actsOf(world).map((act) => act(world, cast)),
    rotating(broken, cast.buyer.account_id),
    await inviting(broken, world),
  ]);
  const draws = new Draws(seed, number, coverage, wanted);
  const before = await standing(db);
  broken.play(draws);
  for (let step = 0; acts.some((steps) => steps.length > step); step += 1) {
    draws.on = true;
    await asTimePasses(db, async () => {
      for (const steps of acts) await steps[step]?.();
      await pause(BROKEN_MS);
      await rest(broken, draws);
    });
  }
  await sealed(db);
  await mailed(broken, world);
  for (const check of world.checks) await check();
  for (const [account, expected] of world.expected) {
    if (account === cast.disputed.account_id) continue;
    const { spendable, kept } = await api.money(account);
    assert.equal(spendable + kept, expected, `${account} of ${world.name}`);
  }
  const after = await standing(db);
  for (const [kind, made] of Object.entries(world.made)) {
    assert.equal((after[kind] ?? 0) - (before[kind] ?? 0), made, `made of ${kind}`);
  }
  await told(broken);
  await opened(broken, world);
  await reconciled(db);
}
