// Every way in which a simulator call can go, with one sentence each and the calls it applies to:
// what scripts may name and pages show.
import type { ExchangeFact } from '../../ports/counterparties.ts';
import { DECLINE_CODES } from '../../../providers/processor/port.ts';
import { EXCHANGE_NAMES } from '../processor/index.ts';
import { ANSWERS } from '../receiver/index.ts';
import { EXCHANGES } from '../vendor/index.ts';

const ALL = ['authorize', 'capture', 'reverse', 'remit', 'look', 'look_remittance'] as const;
const CHANGES = ['authorize', 'capture', 'reverse', 'remit'] as const;
const CAPTURE = ['capture'] as const;
const MOVED = ['capture', 'remit'] as const;

type Row = readonly [story: string, operations: readonly string[]];

/** The processor's, except declines. */
const STORIES: Readonly<Record<string, Row>> = {
  honest: ['The call succeeds at once.', ALL],
  slow: ['The call succeeds after two seconds.', ALL],
  timeout_before_effect: ['The call times out, and nothing happened.', ALL],
  timeout_after_effect: ['The call times out, although it took effect.', ALL],
  late_effect: ['The call times out and takes effect after 15 seconds.', ALL],
  fault_before_effect: ['The call returns 500, and nothing happened.', ALL],
  fault_after_effect: ['The call returns 500, although it took effect.', ALL],
  busy: ['The call returns 429 (too many requests), and nothing happened.', ALL],
  garbled_after_effect: ['The response is unreadable, although the call took effect.', ALL],
  one_less: ['One minor unit less than ordered is captured.', CAPTURE],
  other_currency: ['Another currency than ordered is captured.', CAPTURE],
  pending: ['The call is accepted and pending until an outside event settles or fails it.', MOVED],
  settles_late: ['The call is accepted and settles after 15 seconds.', MOVED],
  fails_late_in_silence: ['The call times out; it is pending and fails after 15 seconds.', MOVED],
  returned_late: ['The call takes effect, and the bank returns the money after 15 seconds.', MOVED],
  silence_without_notice: ['No response and no webhook, although it took effect.', CHANGES],
  notice_before_answer: ['The webhook arrives two seconds before the response.', CHANGES],
  notice_late: ['The webhook arrives five seconds late, after later webhooks.', CHANGES],
  notice_twice: ['The webhook arrives twice.', CHANGES],
  captured_but_denied: [
    'The response is a decline, although the money was captured.',
    ['authorize', 'capture'],
  ],
  captured_twice: ['The money is captured twice under one key.', CAPTURE],
  forgotten_key: ['The idempotency key is lost: a retry reserves a second time.', ['authorize']],
  challenge: ['The bank asks the buyer to confirm first.', ['authorize']],
  challenge_in_silence: [
    'The call times out, and the bank asks the buyer to confirm first.',
    ['authorize'],
  ],
};

const DECLINES = new Map(
  DECLINE_CODES.map((code): [string, Row] => [
    `decline_${code}`,
    [`Declined: ${code}.`, CHANGES],
  ]),
);

function rowOf(name: string): Row {
  const row = STORIES[name] ?? DECLINES.get(name);
  if (row === undefined) throw new Error(`nobody has said what the exchange ${name} means`);
  return row;
}

/** Of the processor. */
export const PROCESSOR_EXCHANGES: readonly ExchangeFact[] = EXCHANGE_NAMES.map((name) => {
  const [story, operations] = rowOf(name);
  return { name, story, operations };
});

/** Of the vendor; only the start of a check is followed by a webhook. */
export const VENDOR_EXCHANGES: readonly ExchangeFact[] = EXCHANGES.map((name) => {
  const [story, operations] = rowOf(name);
  return { name, story, operations: operations === ALL ? ['begin', 'look', 'forget'] : ['begin'] };
});

/** Of receivers. */
export const RECEIVER_EXCHANGES: readonly ExchangeFact[] = Object.entries(ANSWERS).map(
  ([name, { story }]) => ({ name, story, operations: ['deliver'] }),
);

/** The sentence of a name. */
export function storyOf(name: string): string {
  return rowOf(name)[0];
}
