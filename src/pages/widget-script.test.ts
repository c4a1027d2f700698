// Which scripts a page may name: this build's, then those of releases, each by a hash of the bytes
// that are served.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { buildBundles } from './bundles.ts';
import { versionsOf } from './widget-script.ts';

const ROOT = dirname(dirname(import.meta.dirname));

test('the newest is first, releases follow from the last one, no script twice', () => {
  const loader = 'now __HOLDFAST_WORD__';
  const released = { '0.3.0': 'three', '0.10.0': 'ten', '0.4.0': loader };
  const built = { loader, version: '0.4.0', released };
  const list = versionsOf('acme', built);
  assert.deepEqual(list.map(({ version, text }) => [version, text]), [
    ['0.4.0', 'now acme'],
    ['0.10.0', 'ten'],
    ['0.3.0', 'three'],
  ]);
  const [{ path, integrity } = { path: '', integrity: '' }] = list;
  assert.equal(path, `/ui/v1/widget/0.4.0/${hash('sha256', 'now acme', 'hex').slice(0, 16)}.js`);
  assert.equal(integrity, `sha384-${hash('sha384', 'now acme', 'base64')}`);
  const [other] = versionsOf('other', built);
  assert.notEqual(other?.path, path);
});

test('a build takes over what releases have kept, to the byte', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-widget-'));
  try {
    cpSync(join(ROOT, 'widget'), join(folder, 'widget'), { recursive: true });
    cpSync(join(ROOT, 'texts'), join(folder, 'texts'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'widget/released/0.0.1.js'), 'as it was;\n');
    const { version, loader, released } = await buildBundles(join(folder, 'widget'));
    assert.equal(released['0.0.1'], 'as it was;\n');
    assert.equal(released['README'], undefined);
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.match(loader, /execute/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
