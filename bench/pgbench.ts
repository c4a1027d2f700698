// The yardsticks: what `pgbench` reaches on the same server in the same run. TPC-B is always asked;
// with `--peers` also the transfer of a ledger inside the database, of peers.sql.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Postgres } from './postgres.ts';

const run = promisify(execFile);
const SCALE = 50;
const THREADS = 2;

/** A yardstick; also the name of its database. */
export type Yardstick = 'pgbench' | 'peers';

/** How the yardsticks are run, for the report. */
export const YARDSTICK =
  `pgbench TPC-B, as many clients as connections, -M prepared, scale ${SCALE}`;
export const PEERS =
  'one function that moves money between two of 400 accounts: locks both, checks the balance, ' +
  'inserts a transfer and two entries with the balances before and after, updates both accounts';

const PEERS_FILE = readFileSync(new URL('peers.sql', import.meta.url), 'utf8');
/** Tables, function and accounts of the second yardstick, as one statement. */
export const PEERS_SCHEMA = `do $whole$ begin ${PEERS_FILE} end $whole$`;
/** One of its transactions, as pgbench reads it. */
const PEERS_SCRIPT = `\\set buyer random(1, 200)
\\set seller random(201, 400)
select make_transfer(:buyer, :seller, 200);
`;

/** Runs pgbench on a yardstick's database, which it may read a script for; returns its output. */
async function pgbench(
  postgres: Postgres,
  database: Yardstick,
  args: readonly string[],
  script = '',
): Promise<string> {
  const ran = run(join(postgres.binaries, 'pgbench'), ['-U', 'postgres', ...args, database], {
    env: { ...process.env, ...postgres.environment },
  });
  ran.child.stdin?.end(script);
  return (await ran).stdout;
}

/** Fills the yardstick's database; about 10 seconds for TPC-B. */
export async function prepareYardstick(postgres: Postgres, which: Yardstick): Promise<void> {
  await postgres.createDatabase(which);
  if (which === 'peers') await postgres.sql(which, PEERS_SCHEMA);
  else await pgbench(postgres, which, ['-i', '-q', '-s', String(SCALE)]);
}

/** Transactions per second from pgbench's output, connection time excluded. */
export function tpsIn(output: string): number {
  const found = /^tps = ([\d.]+)/m.exec(output);
  if (found === null) throw new Error(`pgbench gave no figure: ${output.slice(0, 500)}`);
  return Number(found[1]);
}

/** Runs a yardstick with so many clients; returns transactions per second. */
export async function runYardstick(
  postgres: Postgres,
  which: Yardstick,
  clients: number,
  seconds: number,
): Promise<number> {
  // What pgbench does to its own tables before a run.
  if (which === 'peers') await postgres.sql(which, 'vacuum account');
  await postgres.checkpoint();
  const args = ['-M', 'prepared', '-c', String(clients), '-j', String(THREADS)];
  // pgbench's time begins before its clients are connected, which takes some 10 ms for each.
  args.push('-T', String(seconds + Math.ceil(clients / 64)));
  if (which === 'pgbench') return tpsIn(await pgbench(postgres, which, args));
  return tpsIn(await pgbench(postgres, which, [...args, '-n', '-f', '-'], PEERS_SCRIPT));
}
