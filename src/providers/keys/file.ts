// The keys port with the master keys in one file that only its owner can read. A running process
// notices when the file is replaced.
import {
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  randomUUID,
  type KeyObject,
} from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Purpose } from '../../core/labels.ts';
import { Lineages } from '../../core/lineages.ts';
import { open, seal } from '../../core/sealing.ts';
import {
  ensureKeyFile,
  freshKey,
  keyOpener,
  kmsOf,
  LOOKUP,
  readKeyFile,
  replaceKeyFile,
  stampOf,
  storedKey,
  type KeyFile,
  type OpenKeys,
  type StoredKey,
} from './key-file.ts';
import type { KeyVersions } from './versions.ts';
import type { Keys } from './port.ts';

const MAC_KEY_BYTES = 32;
const NONCE_BYTES = 12;
/** By then everything wrapped under the previous version is stored, so a count finds it. */
const SETTLED_MINUTES = 15;
const FRESH_MINUTES = 60;
/** Milliseconds until a replaced file that could not be used is tried again. */
const RETRY_MS = 10_000;
/** The same for what was wrapped under a version that only the replaced file can have. */
const NEEDED_MS = 1_000;

/** What a process may say about its keys. */
export interface FileKeysOptions {
  /** Of the clones known to the process. */
  readonly lineages?: Lineages;
  /** True, the default: an absent file is created, since nothing was encrypted yet. */
  readonly mayMake?: boolean;
  /** Told once of each replaced file that cannot be used. */
  notice?(text: string): void;
}

/**
 * Keys from the file at `path`. A file that others can read is refused. A replaced file is used
 * from the next call on; while it cannot be, the keys read before stay.
 */
export async function fileKeys(path: string, options: FileKeysOptions = {}): Promise<Keys> {
  const { lineages = new Lineages(), mayMake = true, notice = () => {} } = options;
  if (mayMake) ensureKeyFile(path);
  const { lookup, now } = await followed(path, notice);
  // As key objects: raw bytes would be prepared again for every hash, at many times the cost.
  const macKeys = new Map<Purpose, KeyObject>();
  const macKey = (purpose: Purpose): KeyObject => {
    const known = macKeys.get(purpose);
    if (known !== undefined) return known;
    const bytes = hkdfSync('sha256', lookup, '', `mac:${purpose}`, MAC_KEY_BYTES);
    const key = createSecretKey(Buffer.from(bytes));
    macKeys.set(purpose, key);
    return key;
  };
  return {
    async wrap(key, context) {
      const { current, wrapping } = await now();
      const master = wrapping[current] ?? Buffer.alloc(0);
      const sealed = seal(master, randomBytes(NONCE_BYTES), key.toString('base64'), context);
      return `${current}.${sealed}`;
    },
    async unwrap(wrapped, context) {
      const point = wrapped.indexOf('.');
      const version = wrapped.slice(0, point);
      const master = (await now(version)).wrapping[version];
      if (master === undefined) {
        throw new Error('a key is wrapped under a version that the key file does not have');
      }
      return Buffer.from(open(master, wrapped.slice(point + 1), context), 'base64');
    },
    mac: (purpose, text) => createHmac('sha256', macKey(purpose)).update(text).digest('hex'),
    lineageOf: (workspace) => lineages.lineageOf(workspace),
  };
}

/** Versions of the master key in the file at `path`; only one caller may change them at a time. */
export function fileKeyVersions(path: string): KeyVersions {
  return {
    async list() {
      const file = readKeyFile(path);
      const fresh = Object.values(file.replaced ?? {}).some((at) => isWithin(FRESH_MINUTES, at));
      return { current: file.current, all: Object.keys(file.wrapping), fresh, kms: kmsOf(file) };
    },
    async make() {
      const file = readKeyFile(path);
      const numbers = Object.keys(file.wrapping).map((version) => Number(version.slice(1)));
      const version = `v${Math.max(...numbers) + 1}`;
      const stored = await storedKey(freshKey(), version, kmsOf(file), file);
      return async () => {
        const { wrapping, ...rest } = unchanged(path, file);
        replaceKeyFile(path, { ...rest, wrapping: { ...wrapping, [version]: stored } });
        return version;
      };
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
    async wrapBy(kms) {
      const file = readKeyFile(path);
      const next = await wrappedBy(file, kms);
      return async () => {
        unchanged(path, file);
        replaceKeyFile(path, next);
      };
    },
  };
}

/** The same keys, wrapped by this key of a key service or, with null, in the clear. */
async function wrappedBy(file: KeyFile, kms: string | null): Promise<KeyFile> {
  const opened = await keyOpener()(file);
  const named = { ...file, installation: file.installation ?? randomUUID() };
  const stored = async (name: string, key: Buffer): Promise<[string, StoredKey]> => {
    return [name, await storedKey(key, name, kms, named)];
  };
  const all = Object.entries({ ...opened.wrapping, [LOOKUP]: opened.lookup });
  const made = await Promise.all(all.map(([name, key]) => stored(name, key)));
  const { [LOOKUP]: lookup = file.lookup, ...wrapping } = Object.fromEntries(made);
  return { ...named, wrapping, lookup };
}

/** The file as it stands, which must be what was read before. */
function unchanged(path: string, before: KeyFile): KeyFile {
  const file = readKeyFile(path);
  if (isDeepStrictEqual(file, before)) return file;
  throw new Error('Another command has just changed the key file: run this one again.');
}

function isWithin(minutes: number, at: string): boolean {
  return Date.now() - Date.parse(at) < minutes * 60_000;
}

interface Followed {
  /** It never changes. */
  readonly lookup: Buffer;
  /** The keys as of now, for whoever needs this version. */
  now(version?: string): Promise<OpenKeys>;
}

/** Reads the file, and again when it was replaced. */
async function followed(path: string, notice: (text: string) => void): Promise<Followed> {
  const openFile = keyOpener();
  let seen = stampOf(path);
  let opened = await openFile(readKeyFile(path));
  const { lookup } = opened;
  let refused = { stamp: seen, at: 0 };
  let reading: Promise<void> | null = null;
  const read = async (stamp: string): Promise<void> => {
    try {
      const next = await openFile(readKeyFile(path));
      if (!next.lookup.equals(lookup)) throw new Error('The key file is of another installation.');
      opened = next;
      seen = stamp;
    } catch (error) {
      const why = error instanceof Error ? error.message : '';
      if (refused.stamp !== stamp) notice(`${why} The keys that were read before stay in use.`);
      refused = { stamp, at: performance.now() };
    }
  };
  return {
    lookup,
    async now(version = opened.current) {
      const stamp = stampOf(path);
      const restMs = opened.wrapping[version] === undefined ? NEEDED_MS : RETRY_MS;
      const isRefused = stamp === refused.stamp && performance.now() < refused.at + restMs;
      if (stamp === seen || isRefused) return opened;
      reading ??= read(stamp).finally(() => {
        reading = null;
      });
      await reading;
      return opened;
    },
  };
}
