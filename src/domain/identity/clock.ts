// The clock of identity: finds reviews in which the person did not answer in time, in the time of
// their world. [G-51]
import type { Queryable } from '../../db/index.ts';

/** Accounts whose review has come to its end, the longest overdue first. */
export async function dueReviews(
  db: Queryable,
  most: number,
): Promise<readonly { readonly world: number; readonly id: string }[]> {
  return db.query({
    name: 'due_reviews',
    text: `select w.world, k.id from world w
      cross join lateral (select id, due from kyc
        where world = w.world and due is not null
          and due <= clock_timestamp() + w.clock_offset
        order by due limit $1) k
      order by k.due limit $1`,
    values: [most],
  });
}
