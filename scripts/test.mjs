// `npm test`: sets the checkout up as `npm start` does, with the development packages, then runs
// the tests on the pinned Node. Arguments are test files; none means everything.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch } from './setup/launch.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

if (!(await launch(root, 'scripts/run-tests.ts', process.argv.slice(2), { dev: true }))) {
  process.stdout.write('0 passed, 1 failed\n');
}
