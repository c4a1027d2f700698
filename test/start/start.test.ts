// `npm start` as a program sees it [G-02]: one line on stdout, a clean end by a signal to npm
// alone, and a data directory that one start holds.
import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { allGone, endAll, freeBlock, npmStart, pidOf, remove } from './launch.ts';
import { temporaryFolder, terminate, tree } from './launch.ts';

const folder = temporaryFolder();
const dataDir = join(folder, 'data');

after(() => {
  endAll();
  remove(folder);
});

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

test('a wrong option is refused with one sentence and exit code 1', async () => {
  const server = npmStart(dataDir, ['--port-base', '80']);
  assert.equal(await server.ended, 1);
  assert.equal(server.stdout(), '');
  assert.match(server.stderr(), /holdfast: --port-base must be a number from 1024/);
});
