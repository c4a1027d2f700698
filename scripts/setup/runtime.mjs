// Finds the pinned Node 24 and runs a server on it in our place: passes signals on, returns its
// exit code, and ends it when whoever started it is gone.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const MAJOR = 24;
const PARENT_POLL_MS = 250;

/**
 * V8's heap settings for the server: a small young generation, and an old one collected when it has
 * doubled; V8's default lets it grow fourfold, and the server then held 490 MB under load.
 * docs/performance.md has what it holds with these.
 */
export const SERVER_FLAGS = JSON.parse(
  readFileSync(new URL('./server-flags.json', import.meta.url), 'utf8'),
);

/**
 * The Node that Holdfast runs on: ours if it is new enough, else the pinned package of this
 * platform.
 * @param {string} root the package's folder
 * @returns {string | null} its path, or null where there is none
 */
export function findNode(root) {
  if (Number.parseInt(process.versions.node, 10) >= MAJOR) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  try {
    const about = createRequire(join(root, 'package.json')).resolve(`${name}/package.json`);
    const node = join(dirname(about), 'bin/node');
    return existsSync(node) ? node : null;
  } catch {
    return null;
  }
}

/** The sentence for a machine without that Node. */
export function noNode() {
  return (
    `Node ${MAJOR} for ${process.platform}-${process.arch} is not bundled: install Node ${MAJOR} ` +
    'or later and start again with it.'
  );
}

/**
 * The environment in which Node finds what it compiled of a checkout's sources: a later start then
 * loads no compiler of TypeScript, not even for the first file.
 * @param {string} root
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function compiledIn(root, env) {
  return { NODE_COMPILE_CACHE: join(root, '.holdfast', 'compiled'), ...env };
}

/**
 * Runs the program in our place until it ends, then ends us with its exit code. Signals to us alone
 * reach it. It holds the other end of a pipe of ours (HOLDFAST_LIFELINE_FD), so it also stops when
 * we are killed; and we stop it when npm, our parent, is.
 * @param {string} node
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
export function become(node, args, env) {
  const child = spawn(node, args, {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: { ...env, HOLDFAST_LIFELINE_FD: '3' },
  });
  child.stdio[3].on('error', () => {});
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  if (env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) child.stdio[3].destroy();
    }, PARENT_POLL_MS).unref();
  }
  child.once('error', (error) => {
    process.stderr.write(`holdfast: ${node} cannot be run: ${error.message}.\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal] ?? 1));
  });
}
