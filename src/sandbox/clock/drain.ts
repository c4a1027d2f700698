// Drains a workspace: waits until nothing due is left in it. It reads rows, not this process's
// memory, so that it sees what the loops of any process have not ended. Names what does not end.
import { setTimeout as sleep } from 'node:timers/promises';
import { prepared, type Queryable } from '../../db/index.ts';
import { refuse } from '../../core/refusal.ts';
import type { SandboxServices } from '../services.ts';
import { wakeStatements } from '../../product/money/reconciliation/index.ts';
import { leftUndone, readRunning } from './due.ts';
import { refusals } from './refusals.ts';

/** Milliseconds that a due item may take: longer than a receiver that does not answer. */
const WAIT_MS = 20_000;
const PAUSE_MS = 10;

/** How often the statement is read; each read can lead to another row of it. */
const READS_MAX = 5;

/** What the clock needs. */
export type ClockServices = Pick<SandboxServices, 'db' | 'random' | 'turn'>;

/**
 * Runs every loop until nothing due is left, then reads the processor's statement and does what
 * follows from it. Throws CLOCK_BUSY with what does not end, WORLD_ENDED for an archived workspace.
 */
export async function settle(services: ClockServices, workspace: number): Promise<void> {
  const { db } = services;
  await untilCalm(services, workspace);
  for (
    let reads = 0;
    reads < READS_MAX && (await statementTells(db, workspace, reads));
    reads += 1
  ) {
    await wakeStatements(db, [workspace], 0);
    await untilCalm(services, workspace);
  }
}

/** True where the statement has unread rows; in the first round also where read ones wait. */
async function statementTells(db: Queryable, workspace: number, reads: number): Promise<boolean> {
  const [row] = await db.query<{ tells: boolean }>(prepared('clock_statement')`
    select exists (select from processor_statement s where s.workspace = c.workspace
        and s.line > case when c.cursor ~ '^[0-9]+$' then c.cursor::int8 else 0 end)
      or (${reads === 0} and exists (select from statement_line l where l.workspace = c.workspace
        and l.verdict = 'waiting')) as tells
    from statement_cursor c where c.workspace = ${workspace}`);
  return row?.tells === true;
}

async function untilCalm({ db, turn }: ClockServices, workspace: number): Promise<void> {
  const end = performance.now() + WAIT_MS;
  // Twice, since the second turn may find what the last work of the first has made possible.
  for (let calm = 0; calm < 2;) {
    if ((await turn?.()) === false) {
      throw refuse(refusals.CLOCK_BUSY, { due: 'the server is shutting down' });
    }
    const left = await leftUndone(db, workspace);
    calm = left.length === 0 ? calm + 1 : 0;
    if (left.length === 0) continue;
    await readRunning(db, workspace);
    if (performance.now() > end) throw refuse(refusals.CLOCK_BUSY, { due: named(left) });
    await sleep(PAUSE_MS);
  }
}

function named(left: readonly { readonly what: string; readonly id: string }[]): string {
  return left
    .slice(0, 5)
    .map(({ what, id }) => `${what} ${id}`)
    .join(', ');
}
