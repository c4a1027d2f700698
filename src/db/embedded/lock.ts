// One owner per data directory, by a file lock that the operating system drops when its holder
// dies, so there are no stale locks.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const RETRY_MS = 100;

/** A held lock. */
export interface DirectoryLock {
  /** Safe to call twice. */
  release(): void;
}

/**
 * Takes the directory's lock, waiting at most `waitMs` for a process that is just ending. Node has
 * no flock, so this locks a SQLite database, for which SQLite uses fcntl. Fails with one sentence
 * that names the holder.
 */
export async function lockDirectory(directory: string, waitMs: number): Promise<DirectoryLock> {
  mkdirSync(directory, { recursive: true });
  const deadline = Date.now() + waitMs;
  for (;;) {
    const lock = tryLock(join(directory, 'lock'));
    if (lock !== null) {
      writeFileSync(join(directory, 'lock.pid'), `${process.pid}\n`);
      return lock;
    }
    if (Date.now() >= deadline) throw new Error(inUse(directory));
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** True if another process holds the directory now. */
export function isLocked(directory: string): boolean {
  if (!existsSync(join(directory, 'lock'))) return false;
  const lock = tryLock(join(directory, 'lock'));
  lock?.release();
  return lock === null;
}

function tryLock(file: string): DirectoryLock | null {
  let handle: DatabaseSync;
  try {
    handle = new DatabaseSync(file);
  } catch {
    throw new Error(`${file} cannot be written: set HOLDFAST_DATA_DIR to a directory of your own.`);
  }
  try {
    handle.exec('begin exclusive');
  } catch (error) {
    handle.close();
    if (error instanceof Error && /locked|busy/.test(error.message)) return null;
    throw error;
  }
  let held = true;
  return {
    release() {
      if (!held) return;
      held = false;
      handle.close();
    },
  };
}

function inUse(directory: string): string {
  let holder = '';
  try {
    holder = ` (process ${readFileSync(join(directory, 'lock.pid'), 'utf8').trim()})`;
  } catch {
    holder = '';
  }
  return (
    `The data directory ${directory} is in use by another Holdfast${holder}: stop that one, ` +
    'start with --ephemeral, or set HOLDFAST_DATA_DIR to another directory.'
  );
}
