// Checks the money after every load: sample invoices are read back, paid ones are counted in the
// database, and the ledger's laws run. A fast run with one wrong cent is a failed run.
import { spawn } from 'node:child_process';
import type { Load } from './load.ts';
import type { Integrator } from './market.ts';
import { keepLog } from './platform.ts';
import type { Postgres } from './postgres.ts';

/** How long settling paid invoices may take after the load. */
const SETTLE_LIMIT_MS = 5000;

/** What is checked, and by which program. */
export interface ProofSubject {
  readonly postgres: Postgres;
  readonly database: string;
  readonly integrator: Integrator;
  /** The platform's program, for its `verify`. */
  readonly program: string;
  /** The platform's folder with its master keys. */
  readonly dataFolder: string;
}

/** Number of settled invoices in the database. */
export async function settledInvoices(subject: ProofSubject): Promise<number> {
  const query = `select count(*)::int as n from invoice where state = 'success'`;
  const [row] = await subject.postgres.sql(subject.database, query);
  return Number(row?.['n']);
}

/** Runs `verify --json`; returns what it found wrong, or null. */
export async function verify(subject: ProofSubject): Promise<string | null> {
  const child = spawn(process.execPath, [subject.program, 'verify', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATABASE_URL: subject.postgres.url(subject.database, 'holdfast'),
      HOLDFAST_DATA_DIR: subject.dataFolder,
    },
  });
  const log = keepLog(child);
  let output = '';
  child.stdout.on('data', (piece: Buffer) => {
    output = (output + piece.toString()).slice(0, 4000);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return code === 0 ? null : `verify ended with ${code}: ${output}${log()}`.slice(0, 1500);
}

/** Every fault of a load, in sentences; an empty list means that the load counts. */
export async function proveLoad(
  subject: ProofSubject,
  load: Load,
  settledBefore: number,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [what, count] of Object.entries(load.failures)) faults.push(`${count} x ${what}`);
  if (load.failureTexts[0] !== undefined) faults.push(`first failure: ${load.failureTexts[0]}`);
  if (load.purchases === 0) faults.push('nothing was paid');
  const start = performance.now();
  const wanted = settledBefore + load.paidInAll;
  let settled = await settledInvoices(subject);
  while (settled < wanted && performance.now() - start < SETTLE_LIMIT_MS) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    settled = await settledInvoices(subject);
  }
  if (settled < wanted) faults.push(`${wanted - settled} paid invoices are not settled`);
  for (const invoiceId of load.lastInvoices.slice(0, 10)) {
    const state = await subject.integrator.invoiceState(invoiceId);
    if (state !== 'success') faults.push(`invoice ${invoiceId} reads ${state}, not success`);
  }
  const wrong = await verify(subject);
  if (wrong !== null) faults.push(wrong);
  return faults;
}
