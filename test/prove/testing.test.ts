// `holdfast/testing` in a project of its own: the example's tests, with the package as npm would
// install it and a newcomer's `node`. Test processes share one server; when the last is gone,
// however it went, no process and no folder is left.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { allGone, CHECKOUT, endAll, launch } from '../start/launch.ts';
import { remove, temporaryFolder, tree } from '../start/launch.ts';
import { installPackage } from '../start/package.ts';

const folder = temporaryFolder();
const project = join(folder, 'marketplace-tests');
const cache = join(project, 'node_modules/.cache/holdfast');
const isRoot = process.getuid?.() === 0;

before(() => {
  cpSync(join(CHECKOUT, 'examples/marketplace-tests'), project, { recursive: true });
  installPackage(folder, project);
});
after(() => {
  endAll();
  remove(folder);
});

/** Everything that runs for the project's tests: keepers, servers, PostgreSQL. */
function running(from = cache): number[] {
  const keepers = readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`testing/keeper.js\0${from}`);
    } catch {
      return false;
    }
  });
  return keepers.flatMap((pid) => tree(Number(pid)));
}

/** Where PostgreSQL keeps the data of those processes. */
function clusters(pids: readonly number[]): string[] {
  const folders = pids.map((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      // It ended while we were looking.
      return '';
    }
  });
  return [...new Set(folders.filter((path) => /postgres-\d+$/.test(path)))];
}

type Paths = readonly string[];

async function assertGone(pids: readonly number[], folders: Paths): Promise<void> {
  assert.ok(await allGone(pids), 'processes are left');
  assert.deepEqual(folders.filter((path) => existsSync(path)), []);
  assert.deepEqual(running(), []);
}

const HOLDER = `import('holdfast/testing').then(async ({ startPlatform }) => {
  const platform = await startPlatform();
  await platform.newWorld();
  console.log(JSON.stringify(platform.urls));
  setInterval(() => {}, 1000);
});`;

test('three concurrent starts share a server, which ends with its supervisor', async () => {
  for (const name of ['holder.cjs', 'holder.mjs']) writeFileSync(join(project, name), HOLDER);
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
  process.kill(pids[0] ?? 0, 'SIGKILL');
  await assertGone(pids, folders);
  holders[0]?.child.kill('SIGKILL');
});

test('in a read-only project the temporary folder is used', async (t) => {
  // Root may write everywhere, so that it has to be somebody else; another user locks the folder.
  const uid = isRoot ? 65_534 : Number(process.getuid?.());
  chmodSync(cache, 0o555);
  t.after(() => chmodSync(cache, 0o755));
  const account = isRoot ? { account: { uid, gid: uid } } : {};
  const holder = launch({ command: 'node', args: ['holder.mjs'], cwd: project, ...account });
  assert.ok((await holder.ready())['auth'], holder.stderr());
  const own = `holdfast-testing-${uid}-`;
  const places = readdirSync(tmpdir()).filter((name) => name.startsWith(own));
  assert.equal(places.length, 1);
  const place = join(tmpdir(), places.join());
  const pids = running(place);
  holder.child.kill('SIGKILL');
  assert.ok(pids.length > 0 && (await allGone(pids)), 'processes are left');
  remove(place);
});

// The note of the killed keeper still lies there.
test('the tests of the example pass, two files at a time, and nothing is left', async () => {
  // Runners with few processors take one file after another: then nothing is shared in time.
  const files = readdirSync(join(project, 'test')).map((name) => join('test', name));
  const args = ['--test', '--test-concurrency=2', ...files];
  const runner = launch({ command: 'node', args, cwd: project });
  const seen = new Set<number>();
  const folders = new Set<string>();
  const watch = setInterval(() => {
    const pids = running();
    for (const pid of pids) seen.add(pid);
    for (const path of clusters(pids)) folders.add(path);
  }, 300);
  const code = await runner.ended;
  clearInterval(watch);
  assert.equal(code, 0, runner.stdout() + runner.stderr());
  assert.match(runner.stdout(), /pass 6\n/);
  assert.equal(folders.size, 1);
  // No user said when it ends: the runner is gone, and the server is two seconds later.
  await assertGone([...seen, ...running()], [...folders]);
  assert.deepEqual(readdirSync(cache).filter((name) => name.endsWith('.json')), []);
});

test("the package has types, and its page's code fits them", () => {
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
  const wrong = [...done.stdout.matchAll(/(\w+\.mts\(\d+),/g)].map(([, place]) => place);
  assert.deepEqual(wrong, ['use.mts(10', 'use.mts(11'], done.stdout);
});
