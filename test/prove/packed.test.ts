// The published package, started from another project's node_modules: built JavaScript, since Node
// strips no types there, with everything that is read at run time inside.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CHECKOUT, endAll, freeBlock, launch } from '../start/launch.ts';
import { remove, temporaryFolder, terminate } from '../start/launch.ts';
import { installPackage } from '../start/package.ts';

const folder = temporaryFolder();
const project = join(folder, 'checkout');

after(() => {
  endAll();
  remove(folder);
});

before(() => {
  installPackage(folder, project);
  writeFileSync(
    join(project, 'package.json'),
    '{"name":"shop","version":"1.0.0","private":true}\n',
  );
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
  const { widget, invoicing } = ready['urls'] as Record<string, string>;
  assert.match(await (await fetch(`${widget}/ui/v1/widget`)).text(), /Holdfast/);
  assert.match(await (await fetch(`${invoicing}/docs/tour.html`)).text(), /The tour \| Holdfast/);
  assert.ok(existsSync(join(project, '.holdfast/staging/postgres-18')));
  assert.equal(await terminate(server), 0);
  assert.equal(server.stdout().split('\n').length, 2);
});
