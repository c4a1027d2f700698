// CPU seconds and resident memory of processes, and what stays idle, from /proc; Linux only.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second, as Linux reports them. */
const TICKS = 100;
/** Names of the threads on which V8 collects garbage and compiles, as Node 24 gives them. */
const V8_THREADS = /^(?:V8Worker|DelayedTask)/;

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

function secondsOf(stat: readonly string[]): number {
  return (Number(stat[11] ?? 0) + Number(stat[12] ?? 0)) / TICKS;
}

/** CPU seconds that each of these processes has used so far. */
export function cpuSeconds(pids: readonly number[]): Map<number, number> {
  return new Map(pids.map((pid) => [pid, secondsOf(statOf(pid))]));
}

/** CPU seconds of their living threads so far: the main ones, and those that V8 starts itself. */
export function threadSeconds(pids: readonly number[]) {
  const main = new Map<number, number>();
  const helpers = new Map<number, number>();
  for (const pid of pids) {
    for (const name of existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : []) {
      const path = `${pid}/task/${name}`;
      const isHelper = V8_THREADS.test(readOrEmpty(`/proc/${path}/comm`));
      if (Number(name) === pid || isHelper) {
        (isHelper ? helpers : main).set(Number(name), secondsOf(statOf(path)));
      }
    }
  }
  return { main, helpers };
}

/** Seconds that the machine's cores together have been idle since it started. */
export function idleSeconds(): number {
  const [, , , , idle, waiting] = readOrEmpty('/proc/stat').split(/\s+/, 6);
  return (Number(idle) + Number(waiting)) / TICKS;
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
