// A set of histories that takes every transition is repeated on PostgreSQL: each command must
// answer as in memory, and the ledger must end as in the model. So the memory engine stands for the
// real one, and no constraint forbids what decisions allow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transferTable } from '../../src/product/money/wallet/index.ts';
import { foldCredits, systemAccountId, type SystemAccountKind } from '../../src/ledger/index.ts';
import { proved } from '../kit/books.ts';
import { Market, type Done } from './market.ts';
import { CURRENCY, FIRST_MOMENT, INTEGRATOR, WORKSPACE } from './memory-core.ts';
import { openFixture, say, type Fixture } from './fixture.ts';
import { play, type Seen } from './play.ts';
import { programOf, type Program } from './programs.ts';

const base = Number(process.env['HOLDFAST_TEST_SEED'] ?? 20_261_120);
/** How many programs at most are played again, and those that they are chosen from. */
const MOST = Number(process.env['HOLDFAST_LAW_REPLAYS'] ?? 8);
const FROM = 15 * MOST;

/** Arrows that a program goes along; those of what is sent by what it is sent for. */
function arrowsOf(program: Program): Set<string> {
  const seen: Seen = { arrows: new Map(), refusals: new Map(), ends: new Map() };
  const { core } = play(program, null, seen);
  const sent = core.steps.map(({ resource_id, event }) => {
    return `${core.get(transferTable, resource_id)?.purpose} ${event}`;
  });
  return new Set([...seen.arrows.keys(), ...sent]);
}

/** Few programs that together go along the arrows that any of them does. */
function chosen(): Program[] {
  const all = Array.from({ length: FROM }, (_, n) => {
    const program = programOf(base * 1_000_003 + n, n % 2 === 1);
    return { program, arrows: arrowsOf(program) };
  });
  const left = new Set(all.flatMap(({ arrows }) => [...arrows]));
  const list: Program[] = [];
  while (left.size > 0 && list.length < MOST) {
    const news = (one: (typeof all)[number]): number => one.arrows.intersection(left).size;
    const best = all.reduce((a, b) => (news(b) > news(a) ? b : a));
    for (const arrow of best.arrows) left.delete(arrow);
    list.push(best.program);
  }
  return list;
}

async function redo(place: Fixture, done: Done): Promise<void> {
  const { db } = place.database;
  switch (done.kind) {
    case 'command':
      assert.equal(await say(place, done.submitted), done.said, done.submitted.command.name);
      break;
    case 'fold':
      await foldCredits(db, WORKSPACE, INTEGRATOR);
      break;
    case 'offer': {
      const text = `insert into authorized_invoice
          (workspace, id, account_id, is_escrow, document, expires, made)
        values ($1, $2, $3, false, '', now(), $4)`;
      await db.execute({ text, values: [WORKSPACE, done.id, done.account, done.made] });
      break;
    }
    case 'pass': {
      const text = `update workspace set clock_offset = clock_offset + make_interval(secs => $1)`;
      await db.execute({ text, values: [done.seconds] });
      break;
    }
    case 'switch': {
      const text = `update payment_method set pm_state = $1 where id = $2`;
      await db.execute({ text, values: [done.state, done.method] });
    }
  }
}

/** Every balance in the database is the model's. */
async function compare({ database: { db } }: Fixture, { model, people }: Market): Promise<void> {
  const sums = await db.query<{ id: string; sum: bigint }>({
    text: `select account_id as id, sum(amount)::bigint as sum from posting
      where workspace = $1 group by account_id`,
    values: [WORKSPACE],
  });
  const balances = new Map(sums.map(({ id, sum }) => [id, sum]));
  const expected = new Map<string, bigint>();
  for (const [kind, amount] of Object.entries(model.systemAccounts)) {
    expected.set(systemAccountId(WORKSPACE, kind as SystemAccountKind, CURRENCY), amount);
  }
  for (const [at, { wallet, kept }] of people.entries()) {
    expected.set(wallet, model.purse(at).spendable);
    expected.set(kept, model.purse(at).kept);
  }
  for (const [id, amount] of expected) assert.equal(balances.get(id) ?? 0n, amount, id);
  const other = await db.query({
    text: 'select from posting where workspace <> $1',
    values: [WORKSPACE],
  });
  assert.equal(other.length, 0);
}

test('histories end the same on PostgreSQL as in memory', async (t) => {
  const programs = chosen();
  let commands = 0;
  for (const program of programs) {
    const seen: Seen = { arrows: new Map(), refusals: new Map(), ends: new Map() };
    const market = play(program, null, seen);
    const place = await openFixture();
    t.after(() => place.database.drop());
    // A deadline is a moment: both clocks begin at the same one.
    const text = `update workspace set clock_offset = to_timestamp($1) - clock_timestamp()`;
    await place.database.db.execute({ text, values: [FIRST_MOMENT / 1_000] });
    for (const submitted of Market.opening) {
      assert.match(await say(place, submitted), /^20\d$/, submitted.command.name);
    }
    for (const done of market.done) {
      await redo(place, done).catch((error: unknown) => {
        throw new Error(`program ${program.seed}, ${program.lying ? 'lying' : 'honest'}`, {
          cause: error,
        });
      });
    }
    commands += market.done.length;
    await place.engine.stop();
    await compare(place, market);
    await proved(place.database.db);
  }
  t.diagnostic(`${programs.length} histories, ${commands} commands`);
});
