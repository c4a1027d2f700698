// The program of the last release on the schema of this one: its own recorded walk through every
// operation is answered byte for byte as on its own schema, so its nodes serve while a database is
// already updated.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { unpackLastRelease } from '../kit/last-release.ts';
import { MIGRATIONS } from '../migrations/dump.ts';
import { cleanEnvironment, remove, temporaryFolder } from '../start/launch.ts';

const folder = temporaryFolder();
const last = join(folder, 'last');
after(() => remove(folder));

test('every operation of the last release works on the schema of this one', () => {
  unpackLastRelease(last);
  cpSync(MIGRATIONS, join(last, 'migrations'), { recursive: true, force: false });
  assert.deepEqual(readdirSync(join(last, 'migrations')), readdirSync(MIGRATIONS));
  const ran = spawnSync(process.execPath, ['scripts/run-tests.ts', 'test/prove/walk.test.ts'], {
    ...{ cwd: last, env: cleanEnvironment(), encoding: 'utf8' },
  });
  assert.match(ran.stdout, /\n1 passed, 0 failed\n$/, ran.stdout + ran.stderr);
});
