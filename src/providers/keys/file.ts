// The keys port with the master keys in one file that only its owner can read. A running process
// notices when the file is replaced.
import { createHmac, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Purpose } from '../../core/labels.ts';
import { Lineages } from '../../core/lineages.ts';
import { open, seal } from '../../core/sealing.ts';
import type { KeyVersions } from './versions.ts';
import type { Keys } from './port.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
/** By then everything wrapped under the previous version is stored, so a count finds it. */
const SETTLED_MINUTES = 15;
const FRESH_MINUTES = 60;

interface KeyFile {
  /** Version that wraps now. */
  readonly current: string;
  /** Wrapping keys by version, base64. Old ones stay until nothing is wrapped under them. */
  readonly wrapping: Readonly<Record<string, string>>;
  /** When a version stopped wrapping, in UTC. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Root of the keyed hashes, base64; it must never change, or look-ups find nothing. */
  readonly lookup: string;
}

/**
 * Keys from the file at `path`. If it is absent and `mayMake` (nothing was encrypted yet), it is
 * created; two processes that start at once end with the same file. A file that others can read is
 * refused. A replaced file is used from the next call on. `lineages`: of the clones known to
 * the process.
 */
export function fileKeys(path: string, lineages = new Lineages(), mayMake = true): Keys {
  if (mayMake) ensureFile(path);
  const opened = openKeyFile(path);
  // As key objects: raw bytes would be prepared again for every hash, at many times the cost.
  const macKeys = new Map<Purpose, KeyObject>();
  const macKey = (purpose: Purpose): KeyObject => {
    const known = macKeys.get(purpose);
    if (known !== undefined) return known;
    const lookup = Buffer.from(opened().lookup, 'base64');
    const bytes = hkdfSync('sha256', lookup, '', `mac:${purpose}`, KEY_BYTES);
    const key = createSecretKey(Buffer.from(bytes));
    macKeys.set(purpose, key);
    return key;
  };
  return {
    async wrap(key, context) {
      const { current, wrapping } = opened();
      const master = Buffer.from(wrapping[current] ?? '', 'base64');
      const sealed = seal(master, randomBytes(NONCE_BYTES), key.toString('base64'), context);
      return `${current}.${sealed}`;
    },
    async unwrap(wrapped, context) {
      const point = wrapped.indexOf('.');
      const master = opened().wrapping[wrapped.slice(0, point)];
      if (master === undefined) {
        throw new Error('a key is wrapped under a version that the key file does not have');
      }
      const text = open(Buffer.from(master, 'base64'), wrapped.slice(point + 1), context);
      return Buffer.from(text, 'base64');
    },
    mac: (purpose, text) => createHmac('sha256', macKey(purpose)).update(text).digest('hex'),
    lineageOf: (workspace) => lineages.lineageOf(workspace),
  };
}

/** Versions of the master key in the file at `path`; only one caller may change them at a time. */
export function fileKeyVersions(path: string): KeyVersions {
  return {
    async list() {
      const { current, wrapping, replaced = {} } = readKeyFile(path);
      const fresh = Object.values(replaced).some((at) => isWithin(FRESH_MINUTES, at));
      return { current, all: Object.keys(wrapping), fresh };
    },
    async prepare() {
      const file = readKeyFile(path);
      const numbers = Object.keys(file.wrapping).map((version) => Number(version.slice(1)));
      const version = `v${Math.max(...numbers) + 1}`;
      replaceKeyFile(path, { ...file, wrapping: { ...file.wrapping, [version]: freshKey() } });
      return version;
    },
    async promote(version) {
      const file = readKeyFile(path);
      if (file.wrapping[version] === undefined) throw new Error(`There is no version ${version}.`);
      const replaced = { ...file.replaced, [file.current]: new Date().toISOString() };
      replaceKeyFile(path, { ...file, current: version, replaced });
    },
    async drop(version) {
      const file = readKeyFile(path);
      const { [version]: dropped, ...wrapping } = file.wrapping;
      if (dropped === undefined) throw new Error(`There is no version ${version}.`);
      if (version === file.current) {
        throw new Error(`Version ${version} is the current one and cannot be dropped.`);
      }
      const { [version]: since, ...replaced } = file.replaced ?? {};
      if (since !== undefined && isWithin(SETTLED_MINUTES, since)) {
        throw new Error(
          `${version} was current less than ${SETTLED_MINUTES} minutes ago: try later.`,
        );
      }
      replaceKeyFile(path, { ...file, wrapping, replaced });
    },
  };
}

function isWithin(minutes: number, at: string): boolean {
  return Date.now() - Date.parse(at) < minutes * 60_000;
}

/** Returns the current file, reading it again when it was replaced. */
function openKeyFile(path: string): () => KeyFile {
  let seen = stampOf(path);
  let file = readKeyFile(path);
  return () => {
    const stamp = stampOf(path);
    if (stamp === seen || stamp === '') return file;
    try {
      file = readKeyFile(path);
      seen = stamp;
    } catch {
      // A running process keeps its copy; the next start reports what is wrong.
    }
    return file;
  };
}

/** Changes when the file is replaced; '' if there is none. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
}

function freshKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** Renamed into place, so that the file is always complete; and flushed before it is used. */
function replaceKeyFile(path: string, file: KeyFile): void {
  const draft = `${path}.draft`;
  // Left by a killed process.
  rmSync(draft, { force: true });
  writeKeyFile(draft, file);
  renameSync(draft, path);
  flush(dirname(path));
}

function writeKeyFile(path: string, file: KeyFile): void {
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  chmodSync(path, OWNER_ONLY);
  flush(path);
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function ensureFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.draft`;
  writeKeyFile(draft, { current: 'v1', wrapping: { v1: freshKey() }, lookup: freshKey() });
  try {
    // Fails if another process was faster; then its file counts.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

function readKeyFile(path: string): KeyFile {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) {
    throw new Error(
      `The key file ${path} is missing, and the database cannot be read without it: ${RESTORE}`,
    );
  }
  if ((stat.mode & OTHERS) !== 0) {
    throw new Error('The key file can be read by other users: change its mode to 600.');
  }
  if (stat.size === 0) throw new Error(`The key file ${path} is empty: ${RESTORE}`);
  const file = parsed(readFileSync(path, 'utf8'));
  const keys = [...Object.values(file?.wrapping ?? {}), file?.lookup ?? ''];
  const whole = keys.every((key) => Buffer.from(key, 'base64').length === KEY_BYTES);
  if (!whole || file?.wrapping?.[file.current ?? ''] === undefined) {
    throw new Error(`The key file ${path} is damaged: ${RESTORE}`);
  }
  return file as KeyFile;
}

const RESTORE = 'restore it from a backup.';

/** Null for invalid JSON; the parser's own error would quote keys. */
function parsed(text: string): Partial<KeyFile> | null {
  try {
    return JSON.parse(text) as Partial<KeyFile> | null;
  } catch {
    return null;
  }
}
