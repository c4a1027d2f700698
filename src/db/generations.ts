// Tables whose rows end by their age, in two generations: the older one is emptied at once when all
// of it has ended, by a function of the owner that does nothing before. See decision 0030.
import type { Queryable } from './statement.ts';

/**
 * Turns every table whose time has come; gives how many. One that somebody uses at that very moment
 * is left for the next call.
 */
export async function turnGenerations(db: Queryable): Promise<number> {
  const due = await db.query<{ name: string }>(
    'select name from generation where since <= clock_timestamp() - keeps order by name',
  );
  let turned = 0;
  // Each in a transaction of its own, so that none is locked for longer than it takes.
  for (const { name } of due) {
    const text = 'select from turn_generation($1) as t(turned) where turned';
    turned += (await db.query({ text, values: [name] })).length;
  }
  return turned;
}
