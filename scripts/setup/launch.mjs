// What every command of the package does first: checks the machine, installs what is missing, finds
// the pinned Node, and runs a script on it in our place. All its own output goes to stderr [G-02].
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findObstacle, gatherFacts } from './preflight.mjs';

/**
 * Runs `script` of the package; gives false after it said in one sentence why it cannot.
 * @param {string} root the package's folder
 * @param {string} script path below the folder
 * @param {string[]} args
 * @param {{ dev?: boolean, server?: boolean }} how `dev`: with what tests need; `server`: with the
 *   server's flags, and `.holdfast` is there after its first run
 * @returns {Promise<boolean>}
 */
export async function launch(root, script, args, how) {
  const places = how.server ? ['node_modules', '.holdfast'] : ['node_modules'];
  const firstRun = places.some((place) => !existsSync(join(root, place)));
  const obstacle = findObstacle(gatherFacts(root), firstRun);
  if (obstacle !== null) return refuse(obstacle);
  // Only now: a Node that is too old may not even parse these files.
  const { SetupError, ensureInstalled, writeDiscovery } = await import('./install.mjs');
  const { SERVER_FLAGS, become, compiledIn, findNode, noNode } = await import('./runtime.mjs');
  try {
    await ensureInstalled(root, how.dev === true);
  } catch (error) {
    if (error instanceof SetupError) return refuse(error.message);
    throw error;
  }
  const node = findNode(root);
  if (node === null) return refuse(noNode());
  writeDiscovery(root);
  const flags = how.server ? SERVER_FLAGS : [];
  const env = how.server ? compiledIn(root, process.env) : process.env;
  become(node, [...flags, join(root, script), ...args], env);
  return true;
}

function refuse(sentence) {
  process.stderr.write(`holdfast: ${sentence}\n`);
  process.exitCode = 1;
  return false;
}
