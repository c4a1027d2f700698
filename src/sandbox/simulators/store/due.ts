// Carries out a simulator's delayed events, each once.
import type { Database, Transaction } from '../../../db/index.ts';
import type { Book } from './access.ts';

const AT_ONCE = 20;

/** Carries out due events and returns how many. `E`: the simulator's events. */
export function takeDue<E extends string>(
  db: Database,
  book: Book,
  happen: (tx: Transaction, workspace: number, key: string, event: E) => Promise<unknown>,
): Promise<number> {
  return db.transaction(async (tx) => {
    const due = await tx.query<{ workspace: number; key: string; event: E }>({
      text: `delete from ${book}_due where (workspace, key, event) in (
          select workspace, key, event from ${book}_due where due <= clock_timestamp()
          order by due limit ${AT_ONCE} for update skip locked)
        returning workspace, key, event`,
    });
    for (const { workspace, key, event } of due) await happen(tx, workspace, key, event);
    return due.length;
  });
}
