// `holdfast/testing` in a project of its own: the example's tests, with the package as npm would
// install it and the `node` that a newcomer has. Whoever comes shares one server; when the last one
// is gone, however it went, no process and no folder is left.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { allGone, CHECKOUT, cleanEnvironment, endAll, launch } from './launch.ts';
import { remove, temporaryFolder, tree } from './launch.ts';
import { installPackage } from './package.ts';

/** The linger of a shared server, its stop, and a slow machine. */
const GONE_WITHIN_MS = 8_000;

const folder = temporaryFolder();
const project = join(folder, 'marketplace-tests');
const cache = join(project, 'node_modules/.cache/holdfast');

before(() => {
  cpSync(join(CHECKOUT, 'examples/marketplace-tests'), project, { recursive: true });
  installPackage(folder, project);
});
after(() => {
  endAll();
  remove(folder);
});

/** Everything that runs for the project's tests: keepers, servers, PostgreSQL. */
function running(): number[] {
  const keepers = readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`testing/keeper.js\0${cache}`);
    } catch {
      return false;
    }
  });
  return keepers.flatMap((pid) => tree(Number(pid)));
}

/** Where PostgreSQL keeps the data of those processes. */
function clusters(pids: readonly number[]): string[] {
  const folders = pids.map((pid) => readlinkSync(`/proc/${pid}/cwd`));
  return [...new Set(folders.filter((path) => /postgres-\d+$/.test(path)))];
}

async function assertGone(pids: readonly number[], folders: readonly string[]): Promise<void> {
  const began = Date.now();
  assert.ok(await allGone(pids), 'processes are left');
  const took = Date.now() - began;
  assert.ok(took < GONE_WITHIN_MS, `${took} ms`);
  assert.deepEqual(folders.filter((path) => existsSync(path)), []);
  assert.deepEqual(readdirSync(cache).filter((name) => name.endsWith('.json')), []);
  assert.deepEqual(running(), []);
}

test('the tests of the example pass, two files beside each other', async () => {
  const done = spawnSync('npm', ['test', '--silent'], {
    cwd: project,
    env: cleanEnvironment(),
    encoding: 'utf8',
  });
  assert.equal(done.status, 0, done.stdout + done.stderr);
  assert.match(done.stdout, /pass 6\n/);
  const pids = running();
  await assertGone(pids, clusters(pids));
});

const HOLDER = `import('holdfast/testing').then(async ({ startPlatform }) => {
  const platform = await startPlatform();
  await platform.newWorld();
  console.log(JSON.stringify(platform.urls));
  setInterval(() => {}, 1000);
});`;

test('a keeper that is killed takes the server along', async () => {
  for (const name of ['holder.cjs', 'holder.mjs']) writeFileSync(join(project, name), HOLDER);
  const holder = launch({ command: 'node', args: ['holder.mjs'], cwd: project });
  await holder.ready();
  const pids = running();
  const folders = clusters(pids);
  process.kill(pids[0] ?? 0, 'SIGKILL');
  assert.ok(await allGone(pids));
  assert.deepEqual(folders.filter((path) => existsSync(path)), []);
  holder.child.kill('SIGKILL');
});

// The note of the killed keeper still lies there.
test('three who start at once share one server, which outlives all but the last', async () => {
  const holders = ['holder.cjs', 'holder.mjs', 'holder.mjs'].map((name) =>
    launch({ command: 'node', args: [name], cwd: project }),
  );
  const [one, ...others] = await Promise.all(holders.map((holder) => holder.ready()));
  for (const other of others) assert.deepEqual(other, one);
  const pids = running();
  const folders = clusters(pids);
  assert.equal(folders.length, 1);
  for (const holder of holders.slice(1)) {
    holder.child.kill('SIGKILL');
    await holder.ended;
  }
  assert.equal((await fetch(`${String(one?.['auth'])}/.well-known/jwks.json`)).status, 200);
  holders[0]?.child.kill('SIGKILL');
  await assertGone(pids, folders);
});

test('what it gives has types, and the code of its page fits them', () => {
  const use = `import { startPlatform, type World } from 'holdfast';
await using platform = await startPlatform();
const world: World = await platform.newWorld({ name: 'typed' });
const { message } = await world.events.next('refund-completed', {
  where: (event) => event.message.invoice_id === 'x',
});
const id: string = message.invoice_id;
await world.clock.advance('36h');
await world.client.invoicing.getInvoice({ invoice_id: id });
await world.events.next('no-such-event');
await world.clock.advance('1y');
`;
  const [sale = '', ...pieces] = [
    ...readFileSync(join(CHECKOUT, 'docs/testing.md'), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g),
  ].map(([, piece = '']) => piece);
  writeFileSync(join(project, 'use.mts'), use);
  const given = `import type { World } from 'holdfast/testing';
declare const world: World, redirect: string;\n`;
  writeFileSync(join(project, 'page.mts'), sale);
  const files = pieces.map((piece, at) => {
    writeFileSync(join(project, `page${at}.mts`), given + piece);
    return `page${at}.mts`;
  });
  assert.ok(files.length > 1);
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false },
    ...{ module: 'nodenext', target: 'es2022', lib: ['es2022', 'esnext.disposable', 'dom'] },
    ...{ types: ['node'], typeRoots: [join(CHECKOUT, 'node_modules/@types')] },
  };
  const config = { compilerOptions, files: ['use.mts', 'page.mts', ...files] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(CHECKOUT, 'node_modules/typescript/bin/tsc');
  const done = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' });
  const wrong = [...done.stdout.matchAll(/^(\S+)\((\d+),/gm)].map(([, file, line]) => [file, line]);
  assert.deepEqual(wrong, [['use.mts', '10'], ['use.mts', '11']], done.stdout);
});
