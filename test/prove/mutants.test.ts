// Changes in the code that a test must notice: drawn by a seed over core, engine, ledger, machines
// and commands, planted one by one in a copy of the tree, each before the tests of its folder. A
// survivor is a missing test, unless a row of the reasons says why nothing can notice it.
import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { runBattery, type Result } from '../planted/battery.ts';
import { filesOf, GROUPS, NAMED_FOLDERS, type GroupName } from '../planted/groups.ts';
import { sentence } from '../planted/mutator.ts';
import { reasonFor } from '../planted/reasons.ts';

const SEED = Number(process.env['HOLDFAST_TEST_SEED'] ?? 1);
const COUNT = Number(process.env['HOLDFAST_MUTANTS'] ?? 520);
/** Of what is counted, at least this many of a hundred are killed. */
const WANTED = 85;
/** Fewer would say little; a slice for work on one group is no proof and may be smaller. */
const AT_LEAST = Math.min(COUNT, 500);

/** Some of the groups, parted by commas. */
const asked = process.env['HOLDFAST_MUTANT_GROUPS']?.split(',') ?? GROUPS;
const groups = GROUPS.filter((group) => asked.includes(group));

function killedOf(results: readonly Result[]): number {
  return results.filter(({ end }) => end !== 'survived').length;
}

function share(results: readonly Result[]): string {
  return `${((100 * killedOf(results)) / results.length).toFixed(1)} %`;
}

test('each folder that is named with its tests holds something to change', () => {
  const files = [...filesOf('machines'), ...filesOf('commands')];
  const folders = new Set(files.map((file) => basename(dirname(file))));
  assert.deepEqual(NAMED_FOLDERS.filter((folder) => !folders.has(folder)), []);
});

test('the tests notice what is changed, and a survivor has its reason', async (t) => {
  const say = (line: string): void => void process.stderr.write(`  ${line}\n`);
  const wish = { groups, count: COUNT, seed: SEED, say };
  const { drawn, results, refusedLater } = await runBattery(wish);
  const ofGroup = (group: GroupName): Result[] => results.filter((one) => one.group === group);
  for (const { group, of, refused } of drawn) {
    const own = ofGroup(group);
    const late = own.filter(({ end }) => end === 'timed out').length;
    t.diagnostic(
      `${group}: ${killedOf(own)} of ${own.length} killed (${share(own)}), ${late} of them by ` +
        `never ending; drawn from ${of} possible ones, ${refused} more did not compile`,
    );
  }
  const left = results.filter(({ end }) => end === 'survived').map(({ mutant }) => mutant);
  for (const one of left) {
    t.diagnostic(`survived: ${sentence(one)}: ${reasonFor(one) ?? 'no reason is written'}`);
  }
  t.diagnostic(
    `${killedOf(results)} of ${results.length} killed (${share(results)}) with seed ${SEED}; ` +
      `${refusedLater} more broke the types of another file`,
  );
  assert.deepEqual(left.filter((one) => reasonFor(one) === null).map(sentence), []);
  assert.ok(results.length >= AT_LEAST, `${results.length} changes are counted`);
  assert.ok(100 * killedOf(results) >= WANTED * results.length, share(results));
});
