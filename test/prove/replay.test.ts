// A set of histories that takes every transition is repeated on PostgreSQL: each command must
// answer as in memory, and the ledger must end as in the model. So the memory engine stands for the
// real one, and no constraint forbids what decisions allow.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transferTable } from '../../src/product/money/wallet/index.ts';
import { foldCredits } from '../../src/ledger/index.ts';
import { proved } from '../kit/books.ts';
import { Market, type Done } from '../laws/market.ts';
import { FIRST_MOMENT, INTEGRATOR, WORKSPACE } from '../laws/memory-core.ts';
import { aside, balances, openFixture, say, type Fixture } from '../laws/fixture.ts';
import { play, type Seen } from '../laws/play.ts';
import { programOf, type Program } from '../laws/programs.ts';

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
  if (done.kind === 'fold') await foldCredits(place.database.db, WORKSPACE, INTEGRATOR);
  else if (done.kind !== 'command') await aside(place.database.db, done);
  else {
    const { submitted, said } = done;
    assert.equal(await say(place, submitted), said, submitted.command.name);
  }
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
    await balances(place, market);
    await proved(place.database.db);
  }
  t.diagnostic(`${programs.length} histories, ${commands} commands`);
});
