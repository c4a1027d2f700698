// Checks the machine before anything is installed or started: one clear sentence per obstacle.
// Plain JavaScript that any Node can parse.
import { existsSync, statfsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';

const GIGABYTE = 1e9;
const GLIBC = [
  '/lib64/ld-linux-x86-64.so.2',
  '/lib/ld-linux-aarch64.so.1',
  '/lib/x86_64-linux-gnu/libc.so.6',
  '/lib/aarch64-linux-gnu/libc.so.6',
];

/**
 * The facts that decide, gathered from the machine. `free` is in bytes, null when unknown.
 * @param {string} root the checkout or project
 */
export function gatherFacts(root) {
  return {
    platform: process.platform,
    arch: process.arch,
    node: Number.parseInt(process.versions.node, 10),
    glibc: process.platform !== 'linux' || GLIBC.some((file) => existsSync(file)),
    account: hasAccount(),
    free: freeBytes(root),
    ownDatabase: Boolean(process.env.DATABASE_URL),
  };
}

/**
 * The first obstacle as one sentence, or null. `firstRun` asks for room for what will be written.
 * @param {ReturnType<typeof gatherFacts>} facts
 * @param {boolean} firstRun
 * @returns {string | null}
 */
export function findObstacle(facts, firstRun) {
  if (facts.platform === 'win32') {
    return 'Holdfast does not run on Windows itself: run it inside WSL (wsl --install).';
  }
  if (facts.node < 18) {
    return `Node ${facts.node} is too old for Holdfast: install Node 20 or later.`;
  }
  if (!facts.glibc && !(facts.node >= 24 && facts.ownDatabase)) {
    return (
      'This system has no glibc (Alpine and others use musl), which the bundled Node and ' +
      'PostgreSQL need: use a glibc system such as Debian, or bring Node 24 and set DATABASE_URL.'
    );
  }
  if (!['x64', 'arm64'].includes(facts.arch) && !(facts.node >= 24 && facts.ownDatabase)) {
    return `Nothing is bundled for ${facts.arch}: bring Node 24 and set DATABASE_URL.`;
  }
  if (!facts.account && !facts.ownDatabase) {
    return (
      'Your uid has no entry in /etc/passwd, and PostgreSQL does not start without one: ' +
      'add an account for it, or set DATABASE_URL to a PostgreSQL server.'
    );
  }
  if (firstRun && facts.free !== null && facts.free < GIGABYTE) {
    const left = Math.round(facts.free / 1e6);
    return `Only ${left} MB of disk are free here and a first run needs 1 GB: make room first.`;
  }
  return null;
}

function hasAccount() {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

function freeBytes(root) {
  try {
    let folder = root;
    while (!existsSync(folder)) folder = dirname(folder);
    const disk = statfsSync(folder);
    return disk.bavail * disk.bsize;
  } catch {
    return null;
  }
}
