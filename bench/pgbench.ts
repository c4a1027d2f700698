// The yardstick: `pgbench` TPC-B on the same server in the same run. 32 clients, prepared
// statements, scale 50.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Postgres } from './postgres.ts';

const run = promisify(execFile);
const DATABASE = 'pgbench';
const SCALE = 50;
const CLIENTS = 32;
const THREADS = 2;

/** How the yardstick is run, for the report. */
export const YARDSTICK = `pgbench TPC-B, ${CLIENTS} clients, -M prepared, scale ${SCALE}`;

/** Fills the yardstick's database; about 10 seconds. */
export async function preparePgbench(postgres: Postgres): Promise<void> {
  await postgres.createDatabase(DATABASE);
  const args = ['-U', 'postgres', '-i', '-q', '-s', String(SCALE), DATABASE];
  await run(join(postgres.binaries, 'pgbench'), args, {
    env: { ...process.env, ...postgres.environment },
  });
}

/** Transactions per second from pgbench's output, connection time excluded. */
export function tpsIn(output: string): number {
  const found = /^tps = ([\d.]+)/m.exec(output);
  if (found === null) throw new Error(`pgbench gave no figure: ${output.slice(0, 500)}`);
  return Number(found[1]);
}

/** Runs the yardstick; returns transactions per second. */
export async function runPgbench(postgres: Postgres, seconds: number): Promise<number> {
  await postgres.checkpoint();
  const args = ['-U', 'postgres', '-M', 'prepared', '-c', String(CLIENTS), '-j', String(THREADS)];
  args.push('-T', String(seconds), DATABASE);
  const { stdout } = await run(join(postgres.binaries, 'pgbench'), args, {
    env: { ...process.env, ...postgres.environment },
  });
  return tpsIn(stdout);
}
