// `npm start` as a program sees it [G-02]: one line on stdout, a clean end by a signal to npm
// alone, and a data directory that survives the death of everything.
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Launched } from './launch.ts';
import {
  allGone,
  endAll,
  freeBlock,
  npmStart,
  patiently,
  remove,
  temporaryFolder,
  terminate,
  tree,
} from './launch.ts';

const folder = temporaryFolder();
const dataDir = join(folder, 'data');

after(() => {
  endAll();
  remove(folder);
});

function pidOf(started: Launched): number {
  assert.ok(started.child.pid !== undefined);
  return started.child.pid;
}

function urlsOf(ready: Record<string, unknown>): URL[] {
  assert.ok(typeof ready['urls'] === 'object' && ready['urls'] !== null);
  return Object.values(ready['urls'] as Record<string, unknown>)
    .filter((url): url is string => typeof url === 'string')
    .map((url) => new URL(url));
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });
}

test('one line on stdout, ports from --port-base, and SIGTERM to npm alone stops all', async () => {
  const base = await freeBlock();
  const server = npmStart(dataDir, ['--port-base', String(base)]);
  const ready = await server.ready();
  assert.equal(ready['ready'], true);
  assert.equal(ready['env'], 'staging');
  const ports = urlsOf(ready).map((url) => Number(url.port));
  assert.ok(ports.length > 0);
  assert.ok(
    ports.every((port) => port >= base && port < base + 20),
    `ports ${ports.join(' ')}`,
  );
  for (const port of ports) assert.equal(await answers(port), true, `port ${port}`);

  const all = tree(pidOf(server));
  assert.ok(all.length >= 5, `npm, start script, server, watcher, PostgreSQL: ${all.length}`);
  assert.equal(await terminate(server), 0);
  assert.equal(await allGone(all), true);
  for (const port of ports) assert.equal(await answers(port), false, `port ${port}`);
  assert.equal(server.stdout().split('\n').length, 2, 'exactly one line');
  assert.match(server.stdout(), /\}\n$/);
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

test('a second start on the data directory ends with one sentence, the first lives', async () => {
  const first = npmStart(dataDir, ['--port-base', String(await freeBlock())]);
  const ready = await first.ready();
  const second = npmStart(dataDir, ['--port-base', String(await freeBlock())]);
  assert.equal(await second.ended, 1);
  assert.equal(second.stdout(), '');
  const said = second
    .stderr()
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('holdfast:'));
  assert.equal(said.length, 1, second.stderr());
  assert.match(said[0] ?? '', /is in use by another Holdfast \(process \d+\)/);
  for (const url of urlsOf(ready)) assert.equal(await answers(Number(url.port)), true);
  assert.equal(await terminate(first), 0);
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

test('a wrong option is refused with one sentence and exit code 1', async () => {
  const server = npmStart(dataDir, ['--port-base', '80']);
  assert.equal(await server.ended, 1);
  assert.equal(server.stdout(), '');
  assert.match(server.stderr(), /holdfast: --port-base must be a number from 1024/);
});
