// Histories of the laws, repeated on PostgreSQL by a wire that breaks: each command is sent again
// under its key until somebody answers, and must answer as in memory. What was refused with
// "nothing was changed" has changed nothing; in the end every balance is the model's.
import assert from 'node:assert/strict';
import { Database, SharedReads, sqlState } from '../../src/db/index.ts';
import { Refusal } from '../../src/core/refusal.ts';
import { foldCredits } from '../../src/ledger/index.ts';
import { proved } from '../kit/books.ts';
import { engineOn } from '../kit/engine.ts';
import { aside, balances, openFixture, type Fixture } from '../laws/fixture.ts';
import { Market } from '../laws/market.ts';
import { FIRST_MOMENT, INTEGRATOR, WORKSPACE, type Submitted } from '../laws/memory-core.ts';
import { play } from '../laws/play.ts';
import { programOf } from '../laws/programs.ts';
import { Draws, type Coverage } from './draws.ts';
import { openBrokenWire } from './wire.ts';

const MOST_TRIES = 60;

/** A fixture whose engine speaks by the wire; `direct` looks behind it. */
interface Broken extends Fixture {
  readonly direct: Database;
}

/**
 * Sends a command until its outcome is known, each time under the same key; gives it in a word. One
 * that is done already is only repeated.
 */
async function insist(
  { engine, direct }: Broken,
  one: Submitted,
  n: number,
  done = 0,
): Promise<string> {
  const { command, input, workspace, actor = 'laws' } = one;
  const idempotency = { scope: scopeOf(n), fingerprint: command.name };
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    try {
      const answer = await engine.run(command, input, { workspace, actor, idempotency });
      return String(answer.status);
    } catch (error) {
      if (error instanceof Refusal && error.spec.status !== 503) return error.spec.code;
      if (!(error instanceof Refusal) && sqlState(error) === null) return 'fault';
      if (error instanceof Refusal && error.spec.code === 'OUTCOME_UNKNOWN') continue;
      const kept = await keptOf(direct, workspace, n);
      assert.equal(kept, done, `${command.name} was refused as not done, and is done`);
    }
  }
  return `no outcome after ${MOST_TRIES} tries`;
}

const scopeOf = (n: number): string => `broken ${n}`;

/** How many answers are kept of a command: none of one that changed nothing. [G-44] */
async function keptOf(direct: Database, workspace: number, n: number): Promise<number> {
  const rows = await direct.query({
    text: 'select from idempotency where workspace = $1 and scope = $2',
    values: [workspace, scopeOf(n)],
  });
  return rows.length;
}

/** Repeats what may be repeated until it is done. */
async function until(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
    }
  }
}

/** Plays the history of a number, or its first steps; throws where anything differs. */
export async function breakCommands(
  seed: number,
  number: number,
  coverage: Coverage,
  most = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { steps, ...program } = programOf(seed * 1_000_003 + number, number % 2 === 1);
  const first = { ...program, steps: steps.slice(0, most) };
  const market = play(first, null, { arrows: new Map(), refusals: new Map(), ends: new Map() });
  const place = await openFixture();
  const draws = new Draws(seed, number, coverage);
  const wire = await openBrokenWire(place.database.url, draws);
  const pool = (name: string) => ({ url: wire.url, max: 2, applicationName: `holdfast ${name}` });
  const [lanes, reads] = [new Database(pool('engine')), new SharedReads(pool('discovery'))];
  const work = new Database(pool('work'));
  const engine = engineOn(lanes, reads as unknown as Database, { queueTimeout: 30_000 });
  const broken = { ...place, engine, direct: place.database.db };
  try {
    const text = `update workspace set clock_offset = to_timestamp($1) - clock_timestamp()`;
    await place.database.db.execute({ text, values: [FIRST_MOMENT / 1_000] });
    draws.on = true;
    for (const [n, one] of Market.opening.entries()) {
      assert.match(await insist(broken, one, -1 - n), /^20\d$/, one.command.name);
    }
    for (const [n, done] of market.done.entries()) {
      if (done.kind === 'fold') await until(() => foldCredits(work, WORKSPACE, INTEGRATOR));
      else if (done.kind !== 'command') await aside(place.database.db, done);
      else {
        const { submitted, said } = done;
        assert.equal(await insist(broken, submitted, n), said, submitted.command.name);
        const again = said.startsWith('2') && n % 3 === 0;
        if (!again) continue;
        const kept = await keptOf(broken.direct, submitted.workspace, n);
        assert.equal(await insist(broken, submitted, n, kept), said, 'a repetition');
      }
    }
    draws.on = false;
    await wire.calm();
    await balances(place, market);
    await proved(place.database.db);
  } finally {
    draws.on = false;
    await engine.stop();
    await Promise.all([lanes.close(), reads.close(), work.close()]);
    await wire.close();
    await place.engine.stop();
    await place.database.drop();
  }
}
