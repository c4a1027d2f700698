// Waiting by progress instead of seconds: a slow machine or network is no failure, but one that
// makes no progress is.
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds without any progress that are a failure. */
const STILL_MS = 60_000;
/** Below the limit of a test file, so that it is said here what was waited for. */
const LONGEST_MS = 540_000;
const LOOK_MS = 20;

/**
 * Waits until something is so. False when `progress` has been the same for a minute, or after nine
 * minutes in all.
 */
export async function patiently(
  reached: () => boolean,
  progress: () => unknown,
  stillMs = STILL_MS,
): Promise<boolean> {
  const end = Date.now() + LONGEST_MS;
  // To look at processes costs more than to look whether all is done.
  const every = Math.min(1_000, stillMs / 10);
  let last = String(progress());
  let [moved, looked] = [Date.now(), Date.now()];
  while (!reached()) {
    const now = Date.now();
    if (now > end || now - moved > stillMs) return false;
    if (now - looked > every) {
      const seen = String(progress());
      if (seen !== last) moved = now;
      [last, looked] = [seen, now];
    }
    await pause(LOOK_MS);
  }
  return true;
}

/** A process and all below it, children before grandchildren. */
export function tree(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] !== 'Z') parents.set(Number(name), Number(fields[1]));
    } catch {
      // It ended while we were looking.
    }
  }
  const found = [pid];
  for (let index = 0; index < found.length; index += 1) {
    for (const [child, parent] of parents) if (parent === found[index]) found.push(child);
  }
  return found;
}

/** What processes have written so far, to files, pipes and sockets: what a download grows by. */
export function writtenBy(pids: readonly number[]): string {
  const counts = pids.map((pid) => {
    try {
      return /^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1];
    } catch {
      return 'gone';
    }
  });
  return counts.join();
}
