// The default adapter of the keys port: the master keys lie in one file that only its owner can
// read. Answers for making that file, and for its versions. Refuses to know what the keys protect.
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { open, seal } from '../kernel/sealing.ts';
import type { Keys } from '../ports/keys.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

interface KeyFile {
  /** Version that wraps now. */
  readonly current: string;
  /** Wrapping keys by version, base64. Old ones stay until nothing is wrapped under them. */
  readonly wrapping: Readonly<Record<string, string>>;
  /** Root of the keyed hashes, base64; it never changes, or no look-up would find anything. */
  readonly lookup: string;
}

/**
 * Keys from the file at `path`, which is made with fresh keys if it is absent; two processes that
 * start at once end with the same file. A file that others can read is refused.
 */
export function fileKeys(path: string): Keys {
  ensureFile(path);
  return keysOf(readKeyFile(path));
}

/** Adds a wrapping key that wraps from the next start on; gives its version. */
export function rotateFileKeys(path: string): string {
  const file = readKeyFile(path);
  const version = `v${Object.keys(file.wrapping).length + 1}`;
  const wrapping = { ...file.wrapping, [version]: freshKey() };
  const draft = `${path}.${process.pid}.draft`;
  writeKeyFile(draft, { ...file, current: version, wrapping });
  // One step, so that there is always a whole file of this name.
  renameSync(draft, path);
  return version;
}

function freshKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

function writeKeyFile(path: string, file: KeyFile): void {
  writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  chmodSync(path, OWNER_ONLY);
}

function ensureFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.draft`;
  writeKeyFile(draft, { current: 'v1', wrapping: { v1: freshKey() }, lookup: freshKey() });
  try {
    // Fails if another process was faster; then its file is the one.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

function readKeyFile(path: string): KeyFile {
  if ((statSync(path).mode & OTHERS) !== 0) {
    throw new Error('the key file can be read by others than its owner; change its mode to 600');
  }
  const file = JSON.parse(readFileSync(path, 'utf8')) as Partial<KeyFile>;
  const keys = [...Object.values(file.wrapping ?? {}), file.lookup ?? ''];
  const whole = keys.every((key) => Buffer.from(key, 'base64').length === KEY_BYTES);
  if (!whole || file.wrapping?.[file.current ?? ''] === undefined) {
    throw new Error('the key file is damaged; restore it from its copy');
  }
  return file as KeyFile;
}

function keysOf(file: KeyFile): Keys {
  const wrapping = new Map(
    Object.entries(file.wrapping).map(([name, key]) => [name, Buffer.from(key, 'base64')]),
  );
  const lookup = Buffer.from(file.lookup, 'base64');
  const macKeys = new Map<string, Buffer>();
  const current = wrapping.get(file.current) as Buffer;
  const macKey = (purpose: string): Buffer => {
    const known = macKeys.get(purpose);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync('sha256', lookup, '', `mac:${purpose}`, KEY_BYTES));
    macKeys.set(purpose, key);
    return key;
  };
  return {
    wrap: async (key, context) =>
      `${file.current}.${seal(current, randomBytes(NONCE_BYTES), key.toString('base64'), context)}`,
    unwrap: async (wrapped, context) => {
      const point = wrapped.indexOf('.');
      const key = wrapping.get(wrapped.slice(0, point));
      if (key === undefined)
        throw new Error('a key is wrapped under a version that is not on file');
      return Buffer.from(open(key, wrapped.slice(point + 1), context), 'base64');
    },
    mac: (purpose, text) => createHmac('sha256', macKey(purpose)).update(text).digest('hex'),
  };
}
