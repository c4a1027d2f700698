// `npm start` killed in every part: a data directory survives the death of everything, and a start
// that keeps nothing leaves nothing. [G-02]
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Launched } from '../start/launch.ts';
import { allGone, endAll, freeBlock, npmStart, patiently } from '../start/launch.ts';
import { pidOf, remove, temporaryFolder, tree } from '../start/launch.ts';

const folder = temporaryFolder();
const dataDir = join(folder, 'data');

after(() => {
  endAll();
  remove(folder);
});

test('a data directory outlives kill -9 of everything, of npm alone, of the server', async () => {
  const start = async (): Promise<Launched> =>
    npmStart(dataDir, ['--port-base', String(await freeBlock())]);
  const first = await start();
  const before = await first.ready();
  const everything = tree(pidOf(first));
  for (const pid of everything) process.kill(pid, 'SIGKILL');
  await first.ended;
  const second = await start();
  const ready = await second.ready();
  assert.deepEqual(ready['client'], before['client'], 'the same client');
  assert.deepEqual(ready['accounts'], before['accounts'], 'the same accounts');
  assert.equal(await allGone(everything), true);

  const belowNpm = tree(pidOf(second));
  second.child.kill('SIGKILL');
  const third = await start();
  await third.ready();
  assert.equal(await allGone(belowNpm), true, 'the server stops with npm');

  const all = tree(pidOf(third));
  const node = all[2];
  assert.ok(node !== undefined);
  process.kill(node, 'SIGKILL');
  assert.equal(await third.ended, 137);
  assert.equal(await allGone(all), true, 'no PostgreSQL is left');
});

test('--ephemeral leaves nothing, neither after a stop nor after kill -9', async () => {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const options = ['--ephemeral', '--port-base', String(await freeBlock())];
    const server = npmStart(dataDir, options, { env: { TMPDIR: temporary } });
    await server.ready();
    const kept = readdirSync(temporary).filter((name) => name.startsWith('holdfast-'));
    assert.equal(kept.length, 1);
    const all = tree(pidOf(server));
    if (signal === 'SIGKILL') for (const pid of all.slice(0, 3)) process.kill(pid, signal);
    else server.child.kill(signal);
    await server.ended;
    assert.equal(await allGone(all), true);
    const left = join(temporary, kept[0] ?? '');
    const files = (): number => globSync('**', { cwd: left }).length;
    assert.ok(await patiently(() => !existsSync(left), files), signal);
  }
});
