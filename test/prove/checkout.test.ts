// `npm start` in other checkouts: with damaged packages, in a home that only its owner may enter,
// as root and as an ordinary user.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  copyCheckout,
  endAll,
  freeBlock,
  npmStart,
  remove,
  temporaryFolder,
  terminate,
} from '../start/launch.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65_534, gid: 65_534 };
const folders: string[] = [];

after(() => {
  endAll();
  for (const folder of folders) remove(folder);
});

function copyInto(name: string): string {
  const folder = temporaryFolder();
  folders.push(folder);
  const checkout = join(folder, name);
  mkdirSync(join(checkout, '..'), { recursive: true });
  copyCheckout(checkout);
  return checkout;
}

test('damaged packages are noticed and reinstalled, with nothing of it on stdout', async () => {
  const checkout = copyInto('checkout');
  rmSync(join(checkout, 'node_modules/fastify'), { recursive: true });
  rmSync(join(checkout, 'node_modules/pg/lib'), { recursive: true });
  const server = npmStart(null, ['--port-base', String(await freeBlock())], { cwd: checkout });
  assert.equal((await server.ready())['ready'], true);
  assert.match(
    server.stderr(),
    /installing again: node_modules\/fastify, node_modules\/pg missing or damaged/,
  );
  assert.ok(existsSync(join(checkout, 'node_modules/pg/lib/index.js')));
  assert.equal(await terminate(server), 0);
  assert.equal(server.stdout().split('\n').length, 2);
});

test('while something runs from the checkout, an install deletes nothing', async () => {
  const checkout = copyInto('checkout');
  const witness = join(checkout, 'node_modules/zod/v4/core/witness');
  writeFileSync(witness, '');
  mkdirSync(join(checkout, '.holdfast/running'), { recursive: true });
  writeFileSync(join(checkout, '.holdfast/running', String(process.pid)), '');
  const note = join(checkout, '.holdfast/running/7400.json');
  writeFileSync(note, JSON.stringify({ pid: process.pid }));
  rmSync(join(checkout, 'node_modules/commander'), { recursive: true });
  const server = npmStart(null, ['--port-base', String(await freeBlock())], { cwd: checkout });
  await server.ready();
  assert.match(server.stderr(), /in place/);
  assert.ok(existsSync(witness));
  assert.ok(existsSync(note), 'what terminal tools find a server by');
  assert.equal(await terminate(server), 0);
});

test('an ordinary user starts in a 0700 home', async () => {
  const checkout = copyInto('home/checkout');
  const home = join(checkout, '..');
  // Only the folders change hands: the files are links to those of the real checkout.
  if (isRoot) spawnSync('find', [home, '-type', 'd', '-exec', 'chown', '65534:65534', '{}', '+']);
  chmodSync(home, 0o700);
  const options = ['--port-base', String(await freeBlock())];
  const more = isRoot ? { account: NOBODY, env: { HOME: home, USER: 'nobody' } } : {};
  const server = npmStart(null, options, { cwd: checkout, ...more });
  assert.equal((await server.ready())['ready'], true, server.stderr());
  const owner = isRoot ? NOBODY.uid : process.getuid?.();
  assert.equal(lstatSync(join(checkout, '.holdfast/staging/postgres-18')).uid, owner);
  assert.equal(await terminate(server), 0);
});

test('root starts in a 0700 home: the cluster lies where its account reaches it', async () => {
  assert.ok(isRoot, 'only root can show how root starts: run this battery as root');
  const checkout = copyInto('home/checkout');
  chmodSync(join(checkout, '..'), 0o700);
  const pointer = join(checkout, '.holdfast/staging/postgres-18.location');
  const places: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const options = ['--port-base', String(await freeBlock())];
    const server = npmStart(null, options, { cwd: checkout });
    assert.equal((await server.ready())['ready'], true, server.stderr());
    places.push(readFileSync(pointer, 'utf8').trim());
    assert.equal(await terminate(server), 0);
  }
  assert.equal(places[0], places[1], "the second start finds the first one's data");
  assert.ok(!(places[0] ?? '').startsWith(checkout));
  assert.ok(existsSync(join(places[0] ?? '', 'PG_VERSION')));
});
