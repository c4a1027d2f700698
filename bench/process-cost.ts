// CPU seconds and resident memory of processes, from /proc; Linux only.
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second, as Linux reports them. */
const TICKS = 100;

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Fields of /proc/<pid>/stat from the third (state) on; the name before may hold blanks. */
function statOf(pid: number | string): string[] {
  const text = readOrEmpty(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** A process and all its descendants, except ended ones. */
export function processTree(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (Number.isInteger(pid)) parents.set(pid, Number(statOf(pid)[1]));
  }
  const tree = [root];
  for (const pid of tree) {
    for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  }
  return tree;
}

/** CPU seconds that each of these processes has used so far, or its main thread alone. */
export function cpuSeconds(pids: readonly number[], mainThread = false): Map<number, number> {
  return new Map(
    pids.map((pid) => {
      const stat = statOf(mainThread ? `${pid}/task/${pid}` : pid);
      return [pid, (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) / TICKS];
    }),
  );
}

/** CPU seconds between two readings; a new process counts from zero. */
export function cpuBetween(before: Map<number, number>, after: Map<number, number>): number {
  let sum = 0;
  for (const [pid, seconds] of after) sum += seconds - (before.get(pid) ?? 0);
  return sum;
}

/** Resident memory of a process in megabytes (2^20 bytes); 0 if it has ended. */
export function residentMegabytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readOrEmpty(`/proc/${pid}/status`));
  return Number(line?.[1] ?? 0) / 1024;
}
