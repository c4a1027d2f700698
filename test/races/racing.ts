// Common parts of races over HTTP: calls in turn and at once through the processes, answers counted
// by kind, the checks at the end.
import assert from 'node:assert/strict';
import type { Api, Reply } from '../kit/api.ts';
import { reconciled, sealed, settled } from '../kit/books.ts';
import type { Fleet } from '../kit/platform.ts';

/** Callers at once; `npm run prove` has more. */
export const RACERS = Number(process.env['HOLDFAST_RACERS'] ?? 200);
/** How often a race is run. */
export const ROUNDS = Number(process.env['HOLDFAST_RACE_ROUNDS'] ?? 1);

const SETTLED_WITHIN_MS = 30_000;

/** The client of the process whose turn it is. */
export function clientAt({ apis }: Fleet, at: number): Api {
  return apis[at % apis.length] as Api;
}

/** `count` calls at once, in turn through the processes. */
export function race<T = Reply>(
  fleet: Fleet,
  count: number,
  call: (api: Api, at: number) => Promise<T>,
): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => call(clientAt(fleet, at), at)));
}

/** How often each status and code was answered. */
export function refundedAmounts(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, codes } of replies) {
    const name = [status, ...codes].join(' ');
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Everything has ended, the books are right, and no process had a fault. */
export async function proof(fleet: Fleet): Promise<void> {
  await settled(fleet.db, SETTLED_WITHIN_MS);
  await sealed(fleet.db);
  await reconciled(fleet.db);
  assert.deepEqual(fleet.faults(), []);
}

/** Lines of the processor's statement about what was charged and sent back for an invoice. */
export async function statementOf({ db }: Fleet, invoice: string): Promise<string[]> {
  const rows = await db.query<{ line: string }>({
    text: `select s.kind || ' ' || s.amount as line from processor_statement s
      where s.key in (select id::text from attempt where resource_id = $1
        union all select id::text from transfer where resource_id = $1) order by s.line`,
    values: [invoice],
  });
  return rows.map((row) => row.line);
}
