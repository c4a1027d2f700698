// A slow start is awaited as long as it makes progress; one that stands still is a failure.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endAll, launch, patiently, tree } from './launch.ts';
import { writtenBy } from './patience.ts';

const STILL_MS = 400;

after(endAll);

test('a process that makes progress is awaited, one that does not is not', async () => {
  const began = Date.now();
  const tick = (): number => Math.floor((Date.now() - began) / 50);
  assert.equal(await patiently(() => Date.now() - began > 3 * STILL_MS, tick, STILL_MS), true);
  assert.equal(await patiently(() => false, () => 'as before', STILL_MS), false);
});

test('a process that only writes makes progress; a sleeping one does not', async () => {
  const script = (work: string): string =>
    `process.stdout.write('up'); setInterval(() => { ${work} }, 50);`;
  const write = "require('node:fs').appendFileSync('/dev/null', 'more')";
  for (const [work, moves] of [[write, true], ['', false]] as const) {
    const child = launch({ command: 'sh', args: ['-c', `node -e "${script(work)}"; true`] });
    await child.said('up');
    const pids = tree(child.child.pid ?? 0);
    assert.ok(pids.length > 1, 'the shell and what it started');
    const first = writtenBy(pids);
    const changed = (): boolean => writtenBy(pids) !== first;
    assert.equal(await patiently(changed, () => '', STILL_MS), moves);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await child.ended;
  }
});
