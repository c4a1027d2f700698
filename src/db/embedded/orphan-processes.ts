// Finds orphan PostgreSQL processes of a cluster and stops them, and tells them from a stale pid
// file (a reused pid, a zombie). Only the holder of the directory lock calls this, so whatever runs
// is left over from a process that was killed.
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const POLL_MS = 20;
// The parent watchdog may already be stopping the server: that takes about 100 ms.
const WAIT_MS = 1_500;
const FAST_STOP_MS = 10_000;
const LAST_STOP_MS = 3_000;

/** Waits for, then stops, whatever still runs in the cluster; then removes its stale pid file. */
export async function vacate(cluster: string, log: (line: string) => void): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  const postmaster = readPid(pidFile);
  if (postmaster === null || process.platform !== 'linux') return;
  if (!(await emptied(cluster, WAIT_MS))) {
    log('stopping a PostgreSQL left over from a killed process');
    signal([postmaster], cluster, 'SIGINT');
    if (!(await emptied(cluster, FAST_STOP_MS))) {
      signal(residents(cluster), cluster, 'SIGQUIT');
      if (!(await emptied(cluster, LAST_STOP_MS))) signal(residents(cluster), cluster, 'SIGKILL');
      await emptied(cluster, LAST_STOP_MS);
    }
  }
  // Safe only now: no process is attached to the shared memory that the file names.
  if (residents(cluster).length === 0) rmSync(pidFile, { force: true });
}

/** The processes whose working directory is the cluster, as PostgreSQL's all are. */
export function residents(cluster: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      if (readlinkSync(`/proc/${name}/cwd`) !== cluster) return [];
      const state = /\) (\S)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1];
      return state === 'Z' || state === 'X' ? [] : [Number(name)];
    } catch {
      return [];
    }
  });
}

async function emptied(cluster: string, waitMs: number): Promise<boolean> {
  const deadline = Date.now() + waitMs;
  while (residents(cluster).length > 0) {
    if (Date.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}

function signal(pids: readonly number[], cluster: string, name: NodeJS.Signals): void {
  const living = residents(cluster);
  for (const pid of pids) {
    if (!living.includes(pid)) continue;
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function readPid(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}
