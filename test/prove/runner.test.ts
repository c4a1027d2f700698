// The run of the tests itself: what a file reports when it is ended arrives whole, also where the
// run is too busy to read it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { until } from '../kit/until.ts';
import { CHECKOUT, cleanEnvironment } from '../start/launch.ts';

const TESTS = 3_000;
/** More than a pipe holds. */
const TITLE = 'x'.repeat(200);
const STANDS_STILL_MS = 3_000;

test('no result is lost while the run reads nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'runner-'));
  try {
    const [file, begun] = [join(folder, 'many.test.mjs'), join(folder, 'begun')];
    writeFileSync(
      file,
      `import { writeFileSync } from 'node:fs';
      import { test } from 'node:test';
      writeFileSync(${JSON.stringify(begun)}, '');
      for (let n = 0; n < ${TESTS}; n += 1) test(n + '${TITLE}', () => {});`,
    );
    const env = cleanEnvironment();
    const run = spawn(process.execPath, ['scripts/run-tests.ts', file], { cwd: CHECKOUT, env });
    const said = text(run.stdout);
    await until('the file has begun', () => existsSync(begun));
    run.kill('SIGSTOP');
    await sleep(STANDS_STILL_MS);
    run.kill('SIGCONT');
    await once(run, 'exit');
    assert.match(await said, new RegExp(`^${TESTS} passed, 0 failed$`, 'm'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
