// Installs what is missing, before anything of ours can be imported: packages that match the lock
// file, once, with progress on stderr and nothing on stdout, and never by deleting packages under a
// running server of the same checkout.
import { spawn } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBroken, readLock, readStamp, writeStamp } from './packages.mjs';

const WAIT_FOR_OTHER_MS = 300_000;
const PROGRESS_MS = 2_000;
const NO_NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|network/;

/** An install problem for the person; its message is one sentence. */
export class SetupError extends Error {}

/** @param {string} line */
export function say(line) {
  process.stderr.write(`holdfast: ${line}\n`);
}

/**
 * Whether the checkout needs an install, and which packages are at fault. `kept`: what is there was
 * installed from this lock file; `adds`: the development packages are added.
 */
export function inspect(root, dev) {
  const stamp = readStamp(root);
  const lock = readLock(root, dev || stamp?.dev === true);
  const kept = stamp?.hash === lock.hash;
  const adds = kept && dev && !stamp.dev;
  const broken = findBroken(root, lock, kept ? stamp : null);
  return { lock, stamp, broken, kept, adds, needed: !kept || adds || broken.length > 0 };
}

/**
 * Installs what is missing. `dev` includes the development packages; once a checkout has them, it
 * keeps them. Fails with a SetupError.
 * @param {string} root
 * @param {boolean} dev
 */
export async function ensureInstalled(root, dev) {
  if (!inspect(root, dev).needed) return;
  const turn = await takeTurn(root);
  try {
    const state = inspect(root, dev);
    if (!state.needed) return;
    await install(root, state, dev || state.stamp?.dev === true, turn);
    const after = readLock(root, dev || state.stamp?.dev === true);
    const missing = findBroken(root, after, null);
    const fatal = missing.filter((path) =>
      after.wanted.some((w) => w.path === path && !w.optional),
    );
    if (fatal.length > 0) throw new SetupError(`npm finished but left out ${fatal.join(', ')}.`);
    if (missing.length > 0) say(`npm left out the optional ${missing.join(', ')}`);
    writeStamp(root, after, dev || state.stamp?.dev === true);
  } finally {
    turn.end();
  }
}

async function install(root, state, dev, turn) {
  const first = !existsSync(join(root, 'node_modules'));
  // `npm ci` deletes node_modules first, but a running server or test run of this checkout still
  // reads from it. And complete packages need not be installed again.
  const running = !first && discoverHere(root).length > 0;
  const inPlace = running || state.kept;
  say(reason(state, first) + (running ? ' (in place, because a process runs from here)' : ''));
  const scope = dev ? '--include=dev' : '--omit=dev';
  if (inPlace) {
    for (const path of state.broken) rmSync(join(root, path), { recursive: true, force: true });
    // Without npm's own record, npm checks what is really there.
    rmSync(join(root, 'node_modules/.package-lock.json'), { force: true });
  }
  const verb = inPlace ? ['install', '--no-save'] : ['ci'];
  // No install script is needed: the launcher makes PostgreSQL's library links in its own copy.
  const options = [
    '--include=optional',
    '--loglevel=error',
    '--ignore-scripts',
    '--prefer-offline',
  ];
  const retries = [
    '--fetch-retries=2',
    '--fetch-retry-mintimeout=1000',
    '--fetch-retry-maxtimeout=5000',
  ];
  const started = Date.now();
  const stopProgress = showProgress(root, state.lock.wanted);
  const { code, errors } = await runNpm(root, [...verb, scope, ...options, ...retries], turn);
  stopProgress();
  if (code !== 0) throw new SetupError(failure(code, errors));
  say(`installed in ${Math.round((Date.now() - started) / 1000)} s`);
}

function reason(state, first) {
  if (first) return 'first run: installing packages, Node and PostgreSQL';
  if (state.adds) return 'installing development packages';
  if (state.stamp === null) return 'installing: no completed install found';
  if (state.broken.length > 0) {
    const more = state.broken.length > 3 ? ` and ${state.broken.length - 3} more` : '';
    return `installing again: ${state.broken.slice(0, 3).join(', ')}${more} missing or damaged`;
  }
  return 'installing again: the lock file has changed';
}

function failure(code, errors) {
  if (NO_NETWORK.test(errors)) {
    return 'The packages could not be downloaded: a first run needs access to an npm registry.';
  }
  if (/ENOSPC/.test(errors)) return 'The disk is full: make room, then start again.';
  if (/EACCES|EPERM|EROFS/.test(errors)) {
    return 'npm cannot write here: start once as the owner of this folder, then as anybody.';
  }
  return `npm ended with code ${code}; see its output above.`;
}

function showProgress(root, wanted) {
  let last = -1;
  const timer = setInterval(() => {
    const there = wanted.filter(({ path }) => existsSync(join(root, path, 'package.json'))).length;
    // Packages from before are counted until npm has removed them.
    if (there !== last && there < wanted.length) {
      say(`${there} of ${wanted.length} packages are in place`);
    }
    last = there;
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}

/** Runs the npm that runs us, with its output on stderr: stdout belongs to the server. */
function runNpm(root, args, turn) {
  const own = process.env.npm_execpath;
  const viaNode = own !== undefined && /npm-cli\.c?js$/.test(own) && existsSync(own);
  const command = viaNode ? process.execPath : 'npm';
  return new Promise((resolve, reject) => {
    const child = spawn(command, viaNode ? [own, ...args] : args, {
      cwd: root,
      stdio: ['ignore', 2, 'pipe'],
      env: environmentForNpm(),
    });
    if (child.pid !== undefined) turn.also(child.pid);
    const pass = (signal) => child.kill(signal);
    process.on('SIGTERM', pass).on('SIGINT', pass);
    let errors = '';
    child.stderr.on('data', (chunk) => {
      process.stderr.write(chunk);
      errors = (errors + chunk.toString()).slice(-20_000);
    });
    child.once('error', (error) => reject(new SetupError(`npm cannot be run: ${error.message}.`)));
    child.once('close', (code, signal) => {
      process.off('SIGTERM', pass).off('SIGINT', pass);
      if (signal !== null) process.exit(signal === 'SIGINT' ? 130 : 143);
      resolve({ code: code ?? 1, errors });
    });
  });
}

/** The outer npm's silence and dry runs are meant for it alone. */
function environmentForNpm() {
  const env = { ...process.env };
  for (const name of [
    'loglevel',
    'omit',
    'include',
    'json',
    'dry_run',
    'global',
    'ignore_scripts',
  ]) {
    delete env[`npm_config_${name}`];
  }
  delete env.NODE_ENV;
  return env;
}

/** One install at a time per checkout; whoever waited finds it done. */
async function takeTurn(root) {
  const file = join(root, '.holdfast/install.lock');
  const aside = `${file}.${process.pid}`;
  try {
    mkdirSync(join(root, '.holdfast'), { recursive: true });
    writeFileSync(aside, String(process.pid));
  } catch {
    throw new SetupError(
      `Packages are missing and ${root} is not writable for you: install as its owner.`,
    );
  }
  const deadline = Date.now() + WAIT_FOR_OTHER_MS;
  let told = false;
  for (;;) {
    try {
      // A link appears with its content: nobody reads a lock that names no process yet.
      linkSync(aside, file);
      rmSync(aside);
      return {
        // A killed start leaves its npm running: nobody may install beside that one either.
        also(pid) {
          writeFileSync(aside, `${process.pid} ${pid}`);
          renameSync(aside, file);
        },
        end: () => rmSync(file, { force: true }),
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (
      !readOr(file)
        .split(' ')
        .some((pid) => alive(Number(pid)))
    )
      rmSync(file, { force: true });
    else if (Date.now() > deadline)
      throw new SetupError('Another install of this checkout is still running. Try again later.');
    else {
      if (!told) say('another start is installing; waiting for it');
      told = true;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/** Marks this checkout as running until the process ends. */
export function writeDiscovery(root) {
  const file = join(root, '.holdfast/running', String(process.pid));
  try {
    mkdirSync(join(root, '.holdfast/running'), { recursive: true });
    writeFileSync(file, '');
  } catch {
    return;
  }
  process.once('exit', () => rmSync(file, { force: true }));
}

function discoverHere(root) {
  const folder = join(root, '.holdfast/running');
  try {
    // Discovery files of servers for `holdfast listen` are there too.
    const marks = readdirSync(folder).filter((name) => /^\d+$/.test(name));
    return marks.filter((name) => {
      if (Number(name) === process.pid) return false;
      if (alive(Number(name))) return true;
      rmSync(join(folder, name), { force: true });
      return false;
    });
  } catch {
    return [];
  }
}

function alive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function readOr(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
