// Copies of worlds as rows of their own: made, and ended. Answers for a copy belonging to the line
// and the tenant of what it is of, and for nothing being acknowledged in a world after its end.
// Refuses to know what is copied.
import type { Transaction } from '../../db/index.ts';
import { stillWorld } from '../../engine/index.ts';

/** A copy to be made. */
export interface NewCopy {
  /** Number of any world of the line. */
  readonly of: number;
  /** For people. */
  readonly name: string;
  /** What it begins as; null: not kept on a shelf. */
  readonly snapshot: string | null;
}

/** A copy that was made. */
export interface MadeCopy {
  readonly world: number;
  /** The world's id on the wire. */
  readonly id: string;
}

/**
 * Makes the row of a copy, which is nobody's main world yet; to be called inside an announcement,
 * before any other row of it. Its clock is that of the world it is of.
 */
export async function addCopy(tx: Transaction, { of, name, snapshot }: NewCopy): Promise<MadeCopy> {
  const rows = await tx.query<MadeCopy>({
    text: `insert into world
        (world, integrator, line, name, main, snapshot_id, clock_offset)
      overriding system value
      select nextval('world_copy'), integrator, line, $2, false, $3, clock_offset
      from world where world = $1 returning world, id`,
    values: [of, name, snapshot],
  });
  const [made] = rows;
  if (made === undefined) throw new Error('a copy of a world that is not there');
  return made;
}

/**
 * Ends a world: waits for the commands under way in it and lets no other one in. Where it was its
 * tenant's main world, `heir` is from now on. Ending again changes nothing.
 */
export async function endWorld(
  tx: Transaction,
  world: number,
  heir: number | null = null,
): Promise<void> {
  await stillWorld(tx, world);
  const rows = await tx.query<{ main: boolean }>({
    text: `update world set ended = clock_timestamp() where world = $1 and ended is null
      returning main`,
    values: [world],
  });
  if (rows[0]?.main !== true || heir === null) return;
  await tx.execute({ text: 'update world set main = true where world = $1', values: [heir] });
}
