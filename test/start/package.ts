// The published package in another project, without a network: packed from a copy, so that no build
// of the checkout is disturbed, beside what npm would install.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHECKOUT, copyCheckout, linkTree } from './launch.ts';

/** Packs in `folder` and unpacks into the project's node_modules, as npm would install it. */
export function installPackage(folder: string, project: string): void {
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
  linkDependencies(project);
}

/** The production packages of the lock file. */
function linkDependencies(project: string): void {
  const lock: unknown = JSON.parse(readFileSync(join(CHECKOUT, 'package-lock.json'), 'utf8'));
  const { packages } = lock as { packages: Record<string, { dev?: boolean; link?: boolean }> };
  for (const [path, entry] of Object.entries(packages)) {
    const direct = path.lastIndexOf('node_modules/') === 0 && entry.link !== true;
    if (!direct || entry.dev === true || !existsSync(join(CHECKOUT, path))) continue;
    mkdirSync(dirname(join(project, path)), { recursive: true });
    linkTree(join(CHECKOUT, path), join(project, path));
  }
}
