// A submitted command until it is answered: its input, what discovery found, and the callbacks.
import type { Command, CommandAnswer, Submission } from '../core/command.ts';
import type { LockKey } from './rows.ts';
import { Loaded } from './rows.ts';

/** A command of any input type; the engine never reads inputs. */
export type AnyCommand = Command<unknown>;

/** The answer of a command; `replayed` if an earlier run of the same request stored it. */
export interface Outcome {
  readonly answer: CommandAnswer;
  readonly replayed: boolean;
}

export interface Pending {
  readonly command: AnyCommand;
  readonly input: unknown;
  readonly submission: Submission;
  /** Lineage of the submission's workspace. */
  readonly line: number;
  /** Milliseconds on the engine's clock. */
  readonly arrived: number;
  loaded: Loaded;
  /** Locked rows from a run whose read set was too small, for speculative reads. */
  speculative: Loaded | null;
  locks: readonly LockKey[];
  /** Names of what it needs exclusively: its locked rows and its idempotency claim. */
  keys: readonly string[];
  /** How often it was sent back because of rows locked elsewhere or a lost connection. */
  rounds: number;
  /** Times that others went before it because its rows were in flight here. */
  passed: number;
  settle(outcome: Outcome): void;
  fail(error: unknown): void;
}

/** A command that has just arrived; nothing is loaded yet. */
export function arriving(
  given: Pick<Pending, 'command' | 'input' | 'submission' | 'line' | 'arrived' | 'settle' | 'fail'>,
): Pending {
  return {
    ...given,
    loaded: new Loaded(),
    speculative: null,
    locks: [],
    keys: [],
    rounds: 0,
    passed: 0,
  };
}

/** The idempotency claim's name among the keys; null without one. */
export function claimKey(submission: Submission): string | null {
  const claim = submission.idempotency;
  return claim ? `idempotency:${submission.workspace}:${claim.scope}` : null;
}

/** Drops what discovery found, so that it is read again. */
export function forget(pending: Pending): void {
  pending.loaded = new Loaded();
  pending.locks = [];
  pending.keys = [];
}
