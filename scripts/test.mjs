// `npm test`: sets the checkout up as `npm start` does, with the development packages, then runs
// the tests on the pinned Node. Arguments are test files; none means everything.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

async function test() {
  const { findObstacle, gatherFacts } = await import('./setup/preflight.mjs');
  const firstRun = !existsSync(join(root, 'node_modules'));
  const obstacle = findObstacle(gatherFacts(root), firstRun);
  if (obstacle !== null) return refuse(obstacle);
  const { SetupError, ensureInstalled, markRunning } = await import('./setup/install.mjs');
  const { become, findNode, noNode } = await import('./setup/runtime.mjs');
  try {
    await ensureInstalled(root, true);
  } catch (error) {
    if (error instanceof SetupError) return refuse(error.message);
    throw error;
  }
  const node = findNode(root);
  if (node === null) return refuse(noNode());
  markRunning(root);
  become(node, [join(root, 'scripts/run-tests.ts'), ...process.argv.slice(2)], process.env);
}

function refuse(sentence) {
  process.stderr.write(`holdfast: ${sentence}\n`);
  process.stdout.write('0 passed, 1 failed\n');
  process.exitCode = 1;
}

await test();
