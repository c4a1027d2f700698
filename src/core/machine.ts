// State machines are rows. From one list come the types, the guard, the announcements, the
// database's table of legal transitions, the diagram and the exhaustive state-by-event test.
import type { WebhookEvent } from './event.ts';

interface Transition<E extends string> {
  /** The event or command that causes it. */
  readonly on: E;
  /** Who may cause it. */
  readonly by: 'caller' | 'user' | 'processor' | 'vendor' | 'operator' | 'system';
  /** Names of the movements of money, one of which the same command posts. */
  readonly posts?: string | readonly string[];
  /** Webhook event that announces it. [G-61] */
  readonly emits?: WebhookEvent;
  /** One sentence: why the transition exists. */
  readonly why: string;
  /** The source: "seed: Invoice state" or "G-51". */
  readonly cites: string;
  /** Loaded into the database in staging only. */
  readonly stagingOnly?: true;
}

/** One legal transition. */
export interface Move<S extends string = string, E extends string = string> extends Transition<E> {
  /** State before; null for the creation of the resource. */
  readonly from: S | null;
  readonly to: S;
}

/** Transitions that differ in their states only: one from each to each. */
export interface Moves<S extends string, E extends string> extends Transition<E> {
  readonly from: S | null | readonly (S | null)[];
  readonly to: S | readonly S[];
}

/** A machine: its states and its rows. */
export interface Machine<S extends string = string, E extends string = string> {
  /** The name stored with each history step. */
  readonly name: string;
  /** What moves, in words. */
  readonly noun: string;
  /** In the order in which the interface lists them. */
  readonly states: readonly S[];
  readonly moves: readonly Move<S, E>[];
  /** The moves by the state that they leave; those under null create the resource. */
  readonly leaving: ReadonlyMap<string | null, readonly Move<S, E>[]>;
}

export type StateOf<M> = M extends Machine<infer S> ? S : never;
export type OnOf<M> = M extends Machine<string, infer E> ? E : never;

/** What only some transitions do. */
type More = Pick<Transition<string>, 'posts' | 'emits' | 'stagingOnly'>;

/** A row of a machine; lists of states stand for one transition from each to each. */
export function move<const S extends string, const E extends string>(
  from: Moves<S, E>['from'],
  on: E,
  to: Moves<S, E>['to'],
  by: Move['by'],
  cites: string,
  why: string,
  more?: More,
): Moves<S, E> {
  return { from, on, to, by, cites, why, ...more };
}

/** Declares a machine; a transition that is listed twice is a fault at load. */
export function defineMachine<const S extends string, const E extends string>(
  name: string,
  rows: {
    readonly noun: string;
    readonly states: readonly S[];
    readonly moves: readonly Moves<NoInfer<S>, E>[];
  },
): Machine<S, E> {
  const moves = rows.moves.flatMap((row) =>
    listOf(row.from).flatMap((from) => listOf(row.to).map((to) => ({ ...row, from, to }))),
  );
  const seen = new Set<string>();
  for (const move of moves) {
    const key = `${move.from ?? ''} ${move.on} ${move.to}`;
    if (seen.has(key)) throw new Error(`machine ${name}: the arrow ${key} stands twice`);
    seen.add(key);
  }
  return { name, ...rows, moves, leaving: Map.groupBy(moves, ({ from }) => from) };
}

function listOf<T extends string | null>(value: T | readonly T[]): readonly T[] {
  return typeof value === 'object' && value !== null ? value : [value];
}

/** The transition for (from, on, to), or null if there is none. */
export function findMove(
  machine: Machine,
  from: string | null,
  on: string,
  to: string,
): Move | null {
  for (const move of machine.leaving.get(from) ?? []) {
    if (move.on === on && move.to === to) return move;
  }
  return null;
}

/** States as a list in SQL; one that the machine lacks does not compile. */
export function listed<S extends string>(
  _machine: Machine<S>,
  ...states: readonly NoInfer<S>[]
): string {
  return states.map((state) => `'${state}'`).join(', ');
}

/** The movements of money that a move may post. */
export function postsOf({ posts = [] }: Pick<Move, 'posts'>): readonly string[] {
  return typeof posts === 'string' ? [posts] : posts;
}
