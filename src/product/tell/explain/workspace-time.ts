// Converts between a workspace's time and real time, also for moments before its clock was last
// moved.
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import { addMicros, type Instant } from '../../../core/time.ts';

interface Move {
  readonly at: Instant;
  readonly began: Instant;
  readonly micros: number;
}

/** The most clock moves that are read; before the oldest, its offset counts. */
const MOST_MOVES = 5_000;

/** The two times of one workspace, as of when it was read. */
export class WorkspaceTime {
  /** Newest first. */
  readonly #moves: readonly Move[];

  constructor(moves: readonly Move[]) {
    this.#moves = moves;
  }

  static async read(db: Queryable, workspace: number): Promise<WorkspaceTime> {
    const rows = await db.query<Omit<Move, 'micros'> & { readonly micros: bigint }>(
      prepared('explain_clock')`
      select at, at + clock_offset as began,
        (extract(epoch from clock_offset) * 1000000)::bigint as micros
      from clock_move where workspace = ${workspace} order by at desc limit ${raw(MOST_MOVES)}`);
    return new WorkspaceTime(rows.map((row) => ({ ...row, micros: Number(row.micros) })));
  }

  /** The workspace's time at a real moment. */
  virtualOf(real: Instant): Instant {
    const move = this.#moves.find(({ at }) => at <= real) ?? this.#moves.at(-1);
    return addMicros(real, move?.micros ?? 0);
  }

  /** The real time of a moment on the workspace's clock; for a skipped moment, that of the jump. */
  realOf(virtual: Instant): Instant {
    const found = this.#moves.findIndex(({ began }) => began <= virtual);
    const at = found < 0 ? this.#moves.length - 1 : found;
    const real = addMicros(virtual, -(this.#moves[at]?.micros ?? 0));
    const next = this.#moves[at - 1];
    return next !== undefined && real > next.at ? next.at : real;
  }
}
