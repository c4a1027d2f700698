// A submitted command on its way: what it asked, what was found for it, who waits for the answer.
import type { Command, CommandAnswer, Submission } from './command.ts';
import type { LockKey } from './view.ts';
import { Loaded } from './view.ts';

/** The command with its input, typed away: the engine never looks inside. */
export type AnyCommand = Command<unknown>;

/** What became of a command: an answer, or the kept one of an earlier run of the same request. */
export interface Outcome {
  readonly answer: CommandAnswer;
  readonly replayed: boolean;
}

export interface Pending {
  readonly command: AnyCommand;
  readonly input: unknown;
  readonly submission: Submission;
  /** Of the submission's world. */
  readonly line: number;
  /** Milliseconds on the engine's clock. */
  readonly arrived: number;
  loaded: Loaded;
  /** Rows as they were when its lock set turned out too small. */
  hints: Loaded | null;
  locks: readonly LockKey[];
  /** Names of what it must have alone: its rows under lock and its idempotency key. */
  keys: readonly string[];
  /** Times it came back because its rows were held elsewhere. */
  rounds: number;
  settle(outcome: Outcome): void;
  fail(error: unknown): void;
}

/** A command that has just arrived; nothing is known of it yet. */
export function arriving(
  given: Pick<Pending, 'command' | 'input' | 'submission' | 'line' | 'arrived' | 'settle' | 'fail'>,
): Pending {
  return { ...given, loaded: new Loaded(), hints: null, locks: [], keys: [], rounds: 0 };
}

/** Name of an idempotency claim among the keys. */
export function claimKey(submission: Submission): string | null {
  const claim = submission.idempotency;
  return claim ? `idempotency:${submission.world}:${claim.scope}` : null;
}

/** Forgets what was discovered, so that it is read again. */
export function forget(pending: Pending): void {
  pending.loaded = new Loaded();
  pending.locks = [];
  pending.keys = [];
}
