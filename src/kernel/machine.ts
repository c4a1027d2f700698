// State machines are rows. From one list come the guard, the database's table of legal transitions,
// the diagram, the exhaustive state-by-event test and the console's buttons.

/** One legal transition. */
export interface Move {
  /** State before; null for the creation of the resource. */
  readonly from: string | null;
  /** The event or command that causes it. */
  readonly on: string;
  readonly to: string;
  /** Who may cause it. */
  readonly by: 'caller' | 'user' | 'processor' | 'vendor' | 'operator' | 'system';
  /** Names of the movements of money, one of which may be posted along it. */
  readonly posts?: string | readonly string[];
  /** Webhook event that announces it. [G-61] */
  readonly emits?: string;
  /** One sentence: why the transition exists. */
  readonly why: string;
  /** The source: "seed: Invoice state" or "G-51". */
  readonly cites: string;
  /** Loaded into the database in staging only. */
  readonly stagingOnly?: true;
}

/** A machine: a name and its rows. */
export interface Machine {
  /** The name stored with each history step. */
  readonly name: string;
  /** What moves, in words. */
  readonly noun: string;
  readonly moves: readonly Move[];
}

/**
 * Declares a machine; duplicate transitions or two targets for one (from, on) are a fault at load.
 */
export function defineMachine(machine: Machine): Machine {
  const seen = new Set<string>();
  for (const move of machine.moves) {
    const key = `${move.from ?? ''} ${move.on} ${move.to}`;
    if (seen.has(key)) throw new Error(`machine ${machine.name}: the arrow ${key} stands twice`);
    seen.add(key);
  }
  return machine;
}

/** The transition for (from, on), or null if there is none. */
export function findMove(
  machine: Machine,
  from: string | null,
  on: string,
  to?: string,
): Move | null {
  for (const move of machine.moves) {
    if (move.from === from && move.on === on && (to === undefined || move.to === to)) return move;
  }
  return null;
}

/** The movements of money that a move may post. */
export function postsOf({ posts = [] }: Pick<Move, 'posts'>): readonly string[] {
  return typeof posts === 'string' ? [posts] : posts;
}

/** All states, in order of first appearance. */
export function statesOf(machine: Machine): string[] {
  const states = new Set<string>();
  for (const move of machine.moves) {
    if (move.from !== null) states.add(move.from);
    states.add(move.to);
  }
  return [...states];
}
