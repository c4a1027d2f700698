// Random histories of everything that moves money, played against the reference model, and what
// they met.
import { play, type Seen } from './play.ts';
import { hold, programOf } from './programs.ts';

/** What all histories so far went along. */
export const seen: Seen = { arrows: new Map(), refusals: new Map(), ends: new Map() };

/** Plays the history of a seed and a number; throws where the model and the decisions differ. */
export function proveOne(seed: number, n: number, lying: boolean): void {
  hold((one, trace) => play(one, trace, seen), programOf(seed * 1_000_003 + n, lying));
}
