// The program of the last release, from the history of this repository.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT, linkTree } from '../start/launch.ts';

/** The commit that released what the dump of test/migrations was made by. */
const COMMIT = '513461a731124c1c45d1cbe1572c97523f0b30b0';

/** Writes it into a new folder. Its packages are ours, which are the same ones and some more. */
export function unpackLastRelease(folder: string): void {
  const archive = spawnSync('git', ['archive', COMMIT], { cwd: CHECKOUT, maxBuffer: 2 ** 28 });
  assert.equal(archive.status, 0, `the whole history is needed: ${String(archive.stderr)}`);
  mkdirSync(folder);
  assert.equal(spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout }).status, 0);
  linkTree(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
}
