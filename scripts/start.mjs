// `npm start` on a bare clone [G-01]: checks the machine, installs what is missing, then runs the
// server on the pinned Node. Plain JavaScript for whatever Node the machine has. Everything it says
// goes to stderr: stdout is the server's alone [G-02].
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

async function start() {
  const { findObstacle, gatherFacts } = await import('./setup/preflight.mjs');
  const firstRun = !existsSync(join(root, 'node_modules')) || !existsSync(join(root, '.holdfast'));
  const obstacle = findObstacle(gatherFacts(root), firstRun);
  if (obstacle !== null) return refuse(obstacle);
  const { SetupError, ensureInstalled, markRunning } = await import('./setup/install.mjs');
  const { SERVER_FLAGS, become, findNode, noNode } = await import('./setup/runtime.mjs');
  try {
    await ensureInstalled(root, false);
  } catch (error) {
    if (error instanceof SetupError) return refuse(error.message);
    throw error;
  }
  const node = findNode(root);
  if (node === null) return refuse(noNode());
  markRunning(root);
  become(node, [...SERVER_FLAGS, join(root, 'src/main.ts'), ...process.argv.slice(2)], process.env);
}

function refuse(sentence) {
  process.stderr.write(`holdfast: ${sentence}\n`);
  process.exitCode = 1;
}

await start();
