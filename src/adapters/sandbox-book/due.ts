// Answers for making happen what a foreign system's book put off until now, each once. Knows
// nothing of what happens then.
import type { Database, Transaction } from '../../db/index.ts';
import type { Book } from './access.ts';

const AT_ONCE = 20;

/** Makes happen what is due; gives how much that was. `E`: the events of the book. */
export function takeDue<E extends string>(
  db: Database,
  book: Book,
  happen: (tx: Transaction, world: number, key: string, event: E) => Promise<unknown>,
): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx.query<{ world: number; key: string; event: E }>({
      text: `delete from ${book}_due where (world, key, event) in (
          select world, key, event from ${book}_due where due <= clock_timestamp()
          order by due limit ${AT_ONCE} for update skip locked)
        returning world, key, event`,
    });
    for (const { world, key, event } of due) await happen(tx, world, key, event);
    return due.length;
  });
}
