// The clock of escrows: finds those whose time has come, in the time of their world, and has each
// ended by a command of its own. Answers for the warning's lead; knows no money. [G-42]
import type { Database } from '../../db/index.ts';

const DAY = 86_400;
const LEAD = 7 * DAY;

/** Seconds between the warning and the end: a week, or half of a short limit. */
export function warningSeconds(holdSeconds: number): number {
  return Math.min(LEAD, Math.floor(holdSeconds / 2));
}

/** Escrows that are due in their world's time, the longest overdue of each world first. */
export async function dueEscrows(
  db: Database,
  most: number,
): Promise<readonly { readonly world: number; readonly id: string }[]> {
  return db.query({
    name: 'due_escrows',
    text: `select w.world, e.id from world w
      cross join lateral (select id, due from escrow
        where world = w.world and due is not null
          and due <= clock_timestamp() + w.clock_offset
        order by due limit $1) e
      order by e.due limit $1`,
    values: [most],
  });
}
