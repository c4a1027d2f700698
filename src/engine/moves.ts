// Loads the legal moves of every lifecycle into the database, which holds them against SQL typed by
// hand too. Rows are only added: an older node beside this one may still write the moves it knows.
import type { Queryable } from '../db/index.ts';
import type { Machine } from '../kernel/machine.ts';

/** Adds the arrows of the machines; those for staging only are left out elsewhere. */
export async function loadMoves(
  db: Queryable,
  machines: readonly Machine[],
  staging: boolean,
): Promise<void> {
  const rows = machines.flatMap((machine) =>
    machine.moves
      .filter((move) => staging || move.stagingOnly !== true)
      .map((move) => [machine.name, move.from ?? '', move.on, move.to] as const),
  );
  await db.query({
    text: `insert into machine_move (machine, from_state, event, to_state)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])
      on conflict do nothing`,
    values: [0, 1, 2, 3].map((column) => rows.map((row) => row[column])),
  });
}
