// Calls of ports and of the database break at every boundary, as drawn from one seed. Seeds
// that failed once are kept and played first; HOLDFAST_HISTORY plays one history by its name.
import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import { breakCommands } from '../broken/commands.ts';
import { missedBy, summary, table, wantedBy } from '../broken/coverage.ts';
import { FAULTS, type Coverage } from '../broken/draws.ts';
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
    t.diagnostic(String(cause).slice(0, 1_500));
    // What it leaves is nobody else's.
    await broken?.stop();
    broken = undefined;
    t.diagnostic(`HOLDFAST_HISTORY='${name}' npm run prove broken plays this history again`);
    throw cause;
  }
}

for (const history of histories('commands', count('HOLDFAST_BROKEN_COMMANDS', 1))) {
  test(`commands are done once: ${nameOf(history)}`, (t) =>
    played(t, history, () => breakCommands(history.seed, history.number, coverage)));
}

function playSystem(t: TestContext, history: History): Promise<void> {
  return played(t, history, async () => {
    broken ??= await startBroken();
    await breakHistory(broken, history, coverage);
  });
}

const system = histories('system', count('HOLDFAST_BROKEN_SYSTEM', 1));
for (const history of system) {
  test(`everything ends as the provider says: ${nameOf(history)}`, (t) => playSystem(t, history));
}

// Fewer do not get everywhere, and so many hardly ever miss what is rare.
if (system.length >= FAULTS.length * 2) {
  test('every call of a port and every transaction was broken in every way', async (t) => {
    const most = system.length * 3;
    for (let number = system.length; missedBy(coverage).length > 0 && number < most; number += 1) {
      const history = { seed, kind: 'system', number, wanted: wantedBy(coverage) } as const;
      await playSystem(t, history);
      t.diagnostic(`one history more: ${nameOf(history)}`);
    }
    for (const line of table(coverage)) t.diagnostic(`  ${line}`);
    t.diagnostic(summary(coverage));
    assert.deepEqual(missedBy(coverage), [], 'never broken so');
  });
}
