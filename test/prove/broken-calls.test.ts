// Calls of providers and of the database break at every boundary, as drawn from one seed. Seeds
// that failed once are kept and played first; HOLDFAST_HISTORY plays one history by its name.
import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { breakCommands } from '../broken/commands.ts';
import { covered, table } from '../broken/coverage.ts';
import type { Coverage } from '../broken/draws.ts';
import { faultsSaid } from '../broken/faults-said.ts';
import { breakHistory } from '../broken/history.ts';
import { historyNamed, keep, keptHistories, nameOf, type History } from '../broken/kept.ts';
import { startBroken, type BrokenPlatform } from '../broken/platform.ts';

const seed = Number(process.env['HOLDFAST_TEST_SEED'] ?? 20_261_123);
const count = (name: string, usual: number): number => Number(process.env[name] ?? usual);
const one = process.env['HOLDFAST_HISTORY'];

function histories(kind: History['kind'], most: number): History[] {
  const drawn = Array.from({ length: most }, (_, number) => ({ seed, kind, number }));
  const all = one === undefined ? [...keptHistories(), ...drawn] : [historyNamed(one)];
  return all.filter((history) => history.kind === kind);
}

const coverage: Coverage = new Map();
const said = faultsSaid();
let broken: BrokenPlatform | undefined;
after(async () => {
  await broken?.stop();
  said.end();
});

/** Plays a history, and keeps its name where it fails. */
async function played(t: TestContext, history: History, play: () => Promise<unknown>) {
  const name = nameOf(history);
  try {
    await play();
    assert.deepEqual(said.found.splice(0), [], 'faults that nobody played');
  } catch (cause) {
    keep(history);
    t.diagnostic(`HOLDFAST_HISTORY=${name} npm run prove broken plays this history again`);
    throw cause;
  }
}

for (const history of histories('commands', count('HOLDFAST_BROKEN_COMMANDS', 2))) {
  test(`commands are done once: ${nameOf(history)}`, (t) =>
    played(t, history, () => breakCommands(history.seed, history.number, coverage)));
}

const whole = histories('system', count('HOLDFAST_BROKEN_SYSTEM', 2));
if (whole.length > 0) before(async () => void (broken = await startBroken()));
for (const history of whole) {
  test(`everything ends as the provider says: ${nameOf(history)}`, (t) =>
    played(t, history, () => {
      assert.ok(broken);
      return breakHistory(broken, history.seed, history.number, coverage);
    }));
}

test('every call of a port and every transaction was broken in every way', (t) => {
  for (const line of table(coverage)) t.diagnostic(line);
  if (one === undefined) covered(coverage);
});
