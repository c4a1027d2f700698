// Copies the legal transitions of every machine into the database, which enforces them even against
// SQL typed by hand. Rows are never removed: an older node may still run beside this one.
import type { Queryable } from '../db/index.ts';
import type { Machine } from '../core/machine.ts';

/** Adds the machines' transitions; the staging-only ones are left out in production. */
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
