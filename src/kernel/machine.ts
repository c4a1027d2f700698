// Lifecycles are rows. One list gives the guard, the database's table of legal moves, the diagram,
// the exhaustive state-by-event test and the console's buttons. Pure; knows no storage.

/** One legal move of a lifecycle. */
export interface Move {
  /** State before; null for the birth of the resource. */
  readonly from: string | null;
  /** The event or command that moves it. */
  readonly on: string;
  readonly to: string;
  /** Who may cause it. */
  readonly by: 'caller' | 'user' | 'processor' | 'vendor' | 'operator' | 'system';
  /** Name of the named money movement in postings.ts, if one is posted. */
  readonly posts?: string;
  /** Webhook event that announces it. [G-61] */
  readonly emits?: string;
  /** One sentence: why the arrow exists. */
  readonly why: string;
  /** Source of the arrow: "seed: Invoice state" or "G-51". */
  readonly cites: string;
  /** True for arrows that are loaded into the database in staging only. */
  readonly stagingOnly?: true;
}

/** A lifecycle: a name and its rows. */
export interface Machine {
  /** The name stored with each history step. */
  readonly name: string;
  /** What moves, in words. */
  readonly noun: string;
  readonly moves: readonly Move[];
}

/** Declares a machine; a duplicate arrow or two targets for one (from, on) is a fault at load. */
export function defineMachine(machine: Machine): Machine {
  const seen = new Set<string>();
  for (const move of machine.moves) {
    const key = `${move.from ?? ''} ${move.on} ${move.to}`;
    if (seen.has(key)) throw new Error(`machine ${machine.name}: the arrow ${key} stands twice`);
    seen.add(key);
  }
  return machine;
}

/** The row for (from, on), or null where the machine has no such arrow. */
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

/** All states of a machine, in order of first appearance. */
export function statesOf(machine: Machine): string[] {
  const states = new Set<string>();
  for (const move of machine.moves) {
    if (move.from !== null) states.add(move.from);
    states.add(move.to);
  }
  return [...states];
}
