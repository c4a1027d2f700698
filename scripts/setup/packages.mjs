// Compares the packages that the lock file wants with those installed. It runs at every start and
// notices a missing, emptied or outdated package in a few milliseconds.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The stamp that a finished install leaves. */
const STAMP = 'node_modules/.holdfast-install.json';

/**
 * The packages of this platform that must be there, with the lock file's hash.
 * @param {string} root
 * @param {boolean} dev with the development packages
 */
export function readLock(root, dev) {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const wanted = [];
  for (const [path, entry] of Object.entries(JSON.parse(text).packages)) {
    // Folders of this checkout are not installed: an install may remove what it puts in place.
    if (!path.startsWith('node_modules/') || entry.link || (entry.dev && !dev)) continue;
    const optional = entry.optional || entry.devOptional;
    if (!suits(entry.os, process.platform) || !suits(entry.cpu, process.arch)) continue;
    if (entry.libc && !suits(entry.libc, 'glibc')) continue;
    wanted.push({ path, version: entry.version, optional: Boolean(optional) });
  }
  return { hash: createHash('sha256').update(text).digest('hex'), wanted };
}

/** An `os`, `cpu` or `libc` list of a package: absent admits all, `!name` excludes. */
function suits(list, value) {
  if (list === undefined) return true;
  const names = Array.isArray(list) ? list : [list];
  if (names.includes(`!${value}`)) return false;
  return names.every((name) => name.startsWith('!')) || names.includes(value);
}

/**
 * The stamp of the last finished install, or null.
 * @returns {{hash: string, dev: boolean, contents: Record<string, string>} | null}
 */
export function readStamp(root) {
  try {
    return JSON.parse(readFileSync(join(root, STAMP), 'utf8'));
  } catch {
    return null;
  }
}

/** Writes the stamp atomically. */
export function writeStamp(root, lock, dev) {
  const contents = {};
  for (const { path } of lock.wanted) contents[path] = contentsOf(join(root, path));
  const aside = join(root, `${STAMP}.${process.pid}`);
  writeFileSync(aside, JSON.stringify({ hash: lock.hash, dev, contents }));
  renameSync(aside, join(root, STAMP));
}

/** The wanted packages that are missing, of another version, or lack files the stamp lists. */
export function findBroken(root, lock, stamp) {
  return lock.wanted
    .filter(({ path, version, optional }) => {
      const folder = join(root, path);
      const seen = stamp?.contents?.[path];
      if (optional && seen === '' && !existsSync(folder)) return false;
      if (versionOf(folder) !== version) return true;
      return seen !== undefined && seen !== contentsOf(folder);
    })
    .map(({ path }) => path);
}

function versionOf(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  } catch {
    return null;
  }
}

/** The names at the top of a package and one level below: enough to notice an emptied folder. */
function contentsOf(folder) {
  try {
    const names = [];
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === 'node_modules') continue;
      names.push(entry.name);
      if (!entry.isDirectory()) continue;
      for (const inner of readdirSync(join(folder, entry.name)))
        names.push(`${entry.name}/${inner}`);
    }
    return createHash('sha256').update(names.sort().join('\n')).digest('hex').slice(0, 16);
  } catch {
    return '';
  }
}
