// The published package, started from another project's node_modules: built JavaScript, since Node
// strips no types there, with everything that is read at run time inside.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  CHECKOUT,
  endAll,
  freeBlock,
  launch,
  linkTree,
  remove,
  temporaryFolder,
  terminate,
} from './launch.ts';
import { copyCheckout } from './launch.ts';

const folder = temporaryFolder();
const project = join(folder, 'checkout');

after(() => {
  endAll();
  remove(folder);
});

/**
 * Packs a copy, so that no build of the checkout is disturbed, and unpacks it as npm would install
 * it.
 */
before(() => {
  const source = join(folder, 'source');
  copyCheckout(source);
  const packed = spawnSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: source,
    encoding: 'utf8',
  });
  assert.equal(packed.status, 0, packed.stderr);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  assert.ok(archive !== undefined);
  const target = join(project, 'node_modules/holdfast');
  mkdirSync(target, { recursive: true });
  const unpacked = spawnSync('tar', [
    '-xzf',
    join(folder, archive),
    '-C',
    target,
    '--strip-components=1',
  ]);
  assert.equal(unpacked.status, 0);
  writeFileSync(
    join(project, 'package.json'),
    '{"name":"shop","version":"1.0.0","private":true}\n',
  );
});

/**
 * What npm would install beside it, without a network: the production packages of the lock file.
 */
before(() => {
  const lock: unknown = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8'));
  const { packages } = lock as { packages: Record<string, { dev?: boolean }> };
  for (const [path, entry] of Object.entries(packages)) {
    const nested = path.lastIndexOf('node_modules/') > 0;
    if (path === '' || nested || entry.dev === true || !existsSync(join(CHECKOUT, path))) continue;
    mkdirSync(dirname(join(project, path)), { recursive: true });
    linkTree(join(CHECKOUT, path), join(project, path));
  }
});

test('the package holds the program and the migrations, and no sources', () => {
  const installed = join(project, 'node_modules/holdfast');
  assert.ok(existsSync(join(installed, 'dist/src/main.js')));
  assert.equal(existsSync(join(installed, 'src')), false);
  assert.equal(existsSync(join(installed, 'test')), false);
  const migrations = (folder: string): string[] =>
    readdirSync(join(folder, 'migrations')).filter((name) => name.endsWith('.sql'));
  const packed = migrations(join(installed, 'dist')).toSorted();
  assert.deepEqual(packed, migrations(CHECKOUT).toSorted());
  assert.ok(existsSync(join(installed, 'dist/widget/bundles.json')));
});

test('its command starts from the project, keeps its data there, stops by SIGTERM', async () => {
  const command = join(project, 'node_modules/holdfast/scripts/holdfast.mjs');
  const base = String(await freeBlock());
  const server = launch({ command, args: ['start', '--json', '--port-base', base], cwd: project });
  const ready = await server.ready();
  assert.equal(ready['ready'], true);
  const { widget } = ready['urls'] as Record<string, string>;
  assert.match(await (await fetch(`${widget}/ui/v1/widget`)).text(), /Holdfast/);
  assert.ok(existsSync(join(project, '.holdfast/staging/postgres-18')));
  assert.equal(await terminate(server), 0);
  assert.equal(server.stdout().split('\n').length, 2);
});
