// Every way in which a simulator call can go, with one sentence each and the calls it applies to:
// what scripts may name and pages show.
import type { ExchangeFact } from '../../ports/sandbox-counterparties.ts';
import { CARD_FAILURE_CODES, EXCHANGE_NAMES } from '../sandbox-processor/index.ts';
import { ANSWERS } from '../sandbox-receiver/index.ts';
import { EXCHANGES } from '../sandbox-vendor/index.ts';

const ALL = ['authorize', 'capture', 'reverse', 'remit', 'look', 'look_remittance'] as const;
const CHANGES = ['authorize', 'capture', 'reverse', 'remit'] as const;
const CAPTURE = ['capture'] as const;
const MOVED = ['capture', 'remit'] as const;

type Row = readonly [story: string, operations: readonly string[]];

/** The processor's, except declines. */
const STORIES: Readonly<Record<string, Row>> = {
  honest: ['The answer comes at once and is true.', ALL],
  slow: ['The answer takes two seconds and is true.', ALL],
  timeout_before_effect: ['No answer comes, and nothing happened.', ALL],
  timeout_after_effect: ['No answer comes, though it was done.', ALL],
  late_effect: ['No answer comes; it is done after 15 seconds, when nobody waits any more.', ALL],
  fault_before_effect: ['The answer is a fault (500), and nothing happened.', ALL],
  fault_after_effect: ['The answer is a fault (500), though it was done.', ALL],
  busy: ['The answer is that there is too much to do (429), and nothing happened.', ALL],
  garbled_after_effect: ['The answer makes no sense, though it was done.', ALL],
  one_less: ['One minor unit less than ordered is captured.', CAPTURE],
  other_currency: ['Another currency than ordered is captured.', CAPTURE],
  pending: ['It is accepted, and pending until an outside event settles or fails it.', MOVED],
  settles_late: ['It is accepted, and settles after 15 seconds.', MOVED],
  fails_late_in_silence: ['No answer comes; it is pending, and fails after 15 seconds.', MOVED],
  returned_late: ['It is done, and a bank brings the money back after 15 seconds.', MOVED],
  silence_without_notice: ['Neither an answer nor a notice comes, though it was done.', CHANGES],
  notice_before_answer: ['The notice comes two seconds before the answer.', CHANGES],
  notice_late: ['The notice comes five seconds late, after those of what happened next.', CHANGES],
  notice_twice: ['The notice comes twice.', CHANGES],
  captured_but_denied: [
    'The answer is a decline, though the money was captured.',
    ['authorize', 'capture'],
  ],
  captured_twice: ['The money is captured twice under one key.', CAPTURE],
  forgotten_key: ['The key is forgotten: what is sent again is reserved again.', ['authorize']],
  challenge: ['The bank asks the buyer to confirm first.', ['authorize']],
  challenge_in_silence: [
    'No answer comes, and the bank asks the buyer to confirm first.',
    ['authorize'],
  ],
};

const DECLINES = new Map(
  CARD_FAILURE_CODES.map((code): [string, Row] => [
    `decline_${code}`,
    [`It is declined: ${code}.`, CHANGES],
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
