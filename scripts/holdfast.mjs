#!/usr/bin/env node
// The package's command `holdfast`: runs the built JavaScript from another project's node_modules
// (Node strips no types there), or the sources in a checkout, under the pinned Node. It installs
// nothing: npm already did.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findObstacle, gatherFacts } from './setup/preflight.mjs';
import { SERVER_FLAGS, become, compiledIn, findNode, noNode } from './setup/runtime.mjs';

const root = dirname(dirname(realpathSync(fileURLToPath(import.meta.url))));
const sources = join(root, 'src/main.ts');
const isCheckout = existsSync(sources);
const main = isCheckout ? sources : join(root, 'dist/src/main.js');
const obstacle = findObstacle(gatherFacts(process.cwd()), false);
const node = findNode(root);

if (obstacle !== null || node === null) {
  process.stderr.write(`holdfast: ${obstacle ?? noNode()}\n`);
  process.exitCode = 1;
} else {
  const env = isCheckout ? compiledIn(root, process.env) : process.env;
  become(node, [...SERVER_FLAGS, main, ...process.argv.slice(2)], env);
}
