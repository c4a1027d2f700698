// The key file on the disk: read whole or refused, and replaced in one step. Its keys stand in the
// clear, or wrapped by a key service.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
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
import { kmsUnwrap, kmsWrap } from './kms.ts';

const KEY_BYTES = 32;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;

/** Base64; or wrapped by the key service's key of this ARN. */
export type StoredKey = string | { readonly kms: string; readonly blob: string };

export interface KeyFile {
  /** Version that wraps now. */
  readonly current: string;
  /** Wrapping keys by version. Old ones stay until nothing is wrapped under them. */
  readonly wrapping: Readonly<Record<string, StoredKey>>;
  /** When a version stopped wrapping, in UTC. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Root of the keyed hashes; it must never change, or look-ups find nothing. */
  readonly lookup: StoredKey;
  /** Names the installation to a key service. */
  readonly installation?: string;
}

/** The keys of a file in the clear. */
export interface OpenKeys {
  readonly current: string;
  readonly wrapping: Readonly<Record<string, Buffer>>;
  readonly lookup: Buffer;
}

/** The name of the look-up key beside those of the versions. */
export const LOOKUP = 'lookup';

/** The key that the service wraps this file's keys by; null: they are in the clear. */
export function kmsOf({ lookup }: KeyFile): string | null {
  return typeof lookup === 'string' ? null : lookup.kms;
}

/** A key as the file is to hold it; what was wrapped is tried before anything depends on it. */
export async function storedKey(
  key: Buffer,
  name: string,
  kms: string | null,
  { installation = '' }: Pick<KeyFile, 'installation'>,
): Promise<StoredKey> {
  if (kms === null) return key.toString('base64');
  const context = { installation, key: name };
  const blob = await kmsWrap(kms, key, context);
  if (!key.equals(await kmsUnwrap(kms, blob, context))) {
    throw new Error(`The key service gives back other keys than it was given (${kms}).`);
  }
  return { kms, blob };
}

/** Opens key files; what the key service has unwrapped before is not asked for again. */
export function keyOpener(): (file: KeyFile) => Promise<OpenKeys> {
  const known = new Map<string, Buffer>();
  const opened = async (file: KeyFile, name: string, stored: StoredKey): Promise<Buffer> => {
    if (typeof stored === 'string') return Buffer.from(stored, 'base64');
    const { kms, blob } = stored;
    const asked = `${kms} ${blob} ${name}`;
    const { installation = '' } = file;
    const key = known.get(asked) ?? (await kmsUnwrap(kms, blob, { installation, key: name }));
    known.set(asked, key);
    return key;
  };
  return async (file) => {
    const wrapping = Object.entries(file.wrapping).map(
      async ([version, stored]) => [version, await opened(file, version, stored)] as const,
    );
    const [lookup, ...keys] = await Promise.all([opened(file, LOOKUP, file.lookup), ...wrapping]);
    return { current: file.current, wrapping: Object.fromEntries(keys), lookup };
  };
}

/** Changes when the file is replaced; '' if there is none. */
export function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
}

export function freshKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** Renamed into place, so that the file is always complete; and flushed before it is used. */
export function replaceKeyFile(path: string, file: KeyFile): void {
  const draft = `${path}.draft`;
  // Left by a killed process.
  rmSync(draft, { force: true });
  writeKeyFile(draft, file, path);
  renameSync(draft, path);
  flush(dirname(path));
}

/** Through the open file alone: a folder of another account may change under a command of root. */
function writeKeyFile(draft: string, file: KeyFile, path: string): void {
  const descriptor = openSync(draft, 'wx', OWNER_ONLY);
  try {
    fchmodSync(descriptor, OWNER_ONLY);
    // What root writes stays with the account of the service.
    if (process.getuid?.() === 0) {
      const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? statSync(dirname(path));
      fchownSync(descriptor, uid, gid);
    }
    writeFileSync(descriptor, `${JSON.stringify(file, null, 2)}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Creates the file where there is none; two processes that start at once end with the same one. */
export function ensureKeyFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.draft`;
  const [v1, lookup] = [freshKey().toString('base64'), freshKey().toString('base64')];
  writeKeyFile(draft, { current: 'v1', wrapping: { v1 }, lookup }, path);
  try {
    // Fails if another process was faster; then its file counts.
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

/** Reads the file. One that is missing, damaged or open to others is refused with a sentence. */
export function readKeyFile(path: string): KeyFile {
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
  const keys = [...Object.values(file?.wrapping ?? {}), file?.lookup];
  if (!keys.every(isWhole) || file?.wrapping?.[file.current ?? ''] === undefined) {
    throw new Error(`The key file ${path} is damaged: ${RESTORE}`);
  }
  return file as KeyFile;
}

const RESTORE = 'restore it from a backup.';

function isWhole(key: StoredKey | null | undefined): boolean {
  if (typeof key === 'string') return Buffer.from(key, 'base64').length === KEY_BYTES;
  return typeof key?.kms === 'string' && typeof key.blob === 'string';
}

/** Null for invalid JSON; the parser's own error would quote keys. */
function parsed(text: string): Partial<KeyFile> | null {
  try {
    return JSON.parse(text) as Partial<KeyFile> | null;
  } catch {
    return null;
  }
}
