// News of worlds: lines of copies and clients that moved. Answers for every running process knowing
// them before the one that wrote them goes on; refuses to know what is written.
import type { Database, Queryable } from '../../db/index.ts';
import type { Lines } from '../../kernel/lines.ts';
import type { WorldNews } from '../context.ts';

/** Reads the lines of all copies. */
export async function readLines(db: Queryable, lines: Lines): Promise<void> {
  lines.learn(
    await db.query<{ world: number; line: number }>({
      name: 'world_lines',
      text: 'select world, line from world where world > $1',
      values: [lines.newest],
    }),
  );
}

/** The news of a database; `refresh` reads what this process must know. */
export function worldNews(db: Database, refresh: () => Promise<void>): WorldNews {
  return {
    async announce(work) {
      const made = await db.transaction(work);
      await refresh();
      return made;
    },
  };
}
