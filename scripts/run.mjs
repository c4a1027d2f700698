// `npm run demo`, `docs`, `bench` and `prove`: sets the checkout up as `npm start` does, then
// runs the TypeScript file that is named on the pinned Node. Says everything on stderr.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const given = process.argv.slice(2);
// `--dev` first: the script needs what tests need.
const dev = given[0] === '--dev';
const [script = '', ...args] = dev ? given.slice(1) : given;

async function run() {
  const { findObstacle, gatherFacts } = await import('./setup/preflight.mjs');
  const firstRun = !existsSync(join(root, 'node_modules'));
  const obstacle = findObstacle(gatherFacts(root), firstRun);
  if (obstacle !== null) return refuse(obstacle);
  const { SetupError, ensureInstalled, markRunning } = await import('./setup/install.mjs');
  const { become, findNode, noNode } = await import('./setup/runtime.mjs');
  try {
    await ensureInstalled(root, dev);
  } catch (error) {
    if (error instanceof SetupError) return refuse(error.message);
    throw error;
  }
  const node = findNode(root);
  if (node === null) return refuse(noNode());
  markRunning(root);
  become(node, [join(root, script), ...args], process.env);
}

function refuse(sentence) {
  process.stderr.write(`holdfast: ${sentence}\n`);
  process.exitCode = 1;
}

await run();
