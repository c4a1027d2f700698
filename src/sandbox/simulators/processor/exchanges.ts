// The ways in which a call to the processor simulator can go, one row each: what happens to the
// record, and what the caller gets to see. Test cards and scripts name these rows, so a new kind of
// trouble is one more row.
import type { OutsideEvent } from '../../ports/cards.ts';
import { DECLINE_CODES, type DeclineCode } from '../../../providers/processor/port.ts';

/** One way in which a call goes. */
export interface Exchange {
  /** Milliseconds before the effect. */
  readonly waitMs: number;
  /**
   * The effect; `none`: nothing. `challenge`: the buyer must confirm first; `pending`: the capture
   * settles later; `taken`: an authorization captures at once; `twice`: a capture is made twice;
   * `anew`: an authorization under a known key is made again.
   */
  readonly effect:
    | 'none'
    | 'honest'
    | 'decline'
    | 'challenge'
    | 'one_less'
    | 'other_currency'
    | 'pending'
    | 'taken'
    | 'twice'
    | 'anew';
  /** The code of a decline. */
  readonly code?: DeclineCode;
  /**
   * The answer: the truth, nothing for a long time, an error status, unreadable text, or a false
   * decline.
   */
  readonly reply: 'truth' | 'silence' | 'fault' | 'busy' | 'garbled' | 'denial';
  /** Milliseconds between effect and answer. */
  readonly holdMs?: number;
  /** How the webhook is sent; absent: once, soon after. */
  readonly notice?: keyof typeof NOTICES;
  /** What happens to the charge 15 seconds after the effect. */
  readonly later?: OutsideEvent;
}

/** How often a webhook is sent, and how many milliseconds after the change. */
export interface NoticePolicy {
  readonly times: number;
  readonly afterMs: number;
}

/** A usual webhook comes long after the answer. */
export const USUAL_NOTICE: NoticePolicy = { times: 1, afterMs: 1_000 };
/** Scripted ways of sending. `late` comes after the webhooks of later changes. */
export const NOTICES = {
  never: { times: 0, afterMs: 0 },
  twice: { times: 2, afterMs: 0 },
  early: { times: 1, afterMs: 0 },
  late: { times: 1, afterMs: 5_000 },
} as const satisfies Record<string, NoticePolicy>;

const SLOW_MS = 2_000;
/** Longer than any client of ours waits, so the effect comes after it has given up. */
export const LATE_MS = 15_000;
/** After so long without an answer a connection is closed with a 504. */
export const SILENCE_MS = 60_000;

const HONEST = { waitMs: 0, effect: 'honest', reply: 'truth' } as const;
const IN_SILENCE = { waitMs: 0, effect: 'honest', reply: 'silence' } as const;
const PENDING = { waitMs: 0, effect: 'pending', reply: 'truth' } as const;

const TROUBLES = {
  honest: HONEST,
  slow: { ...HONEST, waitMs: SLOW_MS },
  timeout_before_effect: { ...IN_SILENCE, effect: 'none' },
  timeout_after_effect: IN_SILENCE,
  late_effect: { ...IN_SILENCE, waitMs: LATE_MS },
  fault_before_effect: { waitMs: 0, effect: 'none', reply: 'fault' },
  fault_after_effect: { ...HONEST, reply: 'fault' },
  busy: { waitMs: 0, effect: 'none', reply: 'busy' },
  garbled_after_effect: { ...HONEST, reply: 'garbled' },
  one_less: { ...HONEST, effect: 'one_less' },
  other_currency: { ...HONEST, effect: 'other_currency' },
  pending: PENDING,
  settles_late: { ...PENDING, later: 'settle' },
  fails_late_in_silence: { ...PENDING, reply: 'silence', later: 'fail' },
  returned_late: { ...HONEST, later: 'return' },
  silence_without_notice: { ...IN_SILENCE, notice: 'never' },
  notice_before_answer: { ...HONEST, notice: 'early', holdMs: SLOW_MS },
  notice_late: { ...HONEST, notice: 'late' },
  notice_twice: { ...HONEST, notice: 'twice' },
  captured_but_denied: { waitMs: 0, effect: 'taken', reply: 'denial' },
  captured_twice: { ...HONEST, effect: 'twice' },
  forgotten_key: { ...HONEST, effect: 'anew' },
  challenge: { ...HONEST, effect: 'challenge' },
  challenge_in_silence: { ...IN_SILENCE, effect: 'challenge' },
} as const satisfies Record<string, Exchange>;

type TroubleName = keyof typeof TROUBLES;
type DeclineName = `decline_${DeclineCode}`;
/** Names that test cards and scripts use. */
export type ExchangeName = TroubleName | DeclineName;

const ROWS: ReadonlyMap<string, Exchange> = new Map<string, Exchange>([
  ...Object.entries(TROUBLES),
  ...DECLINE_CODES.map(
    (code) =>
      [`decline_${code}`, { waitMs: 0, effect: 'decline', code, reply: 'truth' }] as const,
  ),
]);

/** Every name, for the validation of scripts and for the docs. */
export const EXCHANGE_NAMES: readonly string[] = [...ROWS.keys()];

/** The row of a name; an unknown name is a fault. */
export function exchangeOf(name: string): Exchange {
  const row = ROWS.get(name);
  if (row === undefined) throw new Error('the book names an exchange that does not exist');
  return row;
}

/** True if the caller does not learn the outcome; a test card does this once per key. */
export function leavesDoubt(exchange: Exchange): boolean {
  return exchange.reply !== 'truth';
}
