// Measures how long `npm start` takes to its ready line, first on a new data folder and then again,
// on the embedded database. Also a program: `node bench/start-time.ts`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keepLog, platformEnvironment, readyLine, stopProcess } from './platform.ts';

/** Seconds from the command to its ready line. */
export interface StartTimes {
  readonly first: number;
  /** The starts after the first one. */
  readonly later: readonly number[];
}

async function startOnce(root: string, dataFolder: string, portBase: number): Promise<number> {
  const began = performance.now();
  const args = ['start', '--silent', '--', '--json', '--port-base', String(portBase)];
  const child = spawn('npm', args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: platformEnvironment({ program: '', databaseUrl: null, portBase, dataFolder }),
  });
  try {
    await readyLine(child, keepLog(child));
    return Math.round(performance.now() - began) / 1000;
  } finally {
    await stopProcess(child);
  }
}

/** Starts the platform once on a new folder under `parent`, then `again` times on the same. */
export async function timeStart(
  root: string,
  parent: string,
  portBase: number,
  again: number,
): Promise<StartTimes> {
  const dataFolder = mkdtempSync(join(parent, 'holdfast-start-'));
  try {
    const first = await startOnce(root, dataFolder, portBase);
    const later: number[] = [];
    for (let i = 0; i < again; i += 1) later.push(await startOnce(root, dataFolder, portBase));
    return { first, later };
  } finally {
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const times = await timeStart(join(import.meta.dirname, '..'), '/var/tmp', 22_700, 3);
  process.stdout.write(`first ${times.first} s, then ${times.later.join(', ')} s\n`);
}
