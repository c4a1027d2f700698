// The ways in which a hosted receiver can answer a delivery, as rows that scripts name, and what
// the delivery must then come to.

/** One way to answer. */
export interface ReceiverAnswer {
  /** Null: nothing readable as an answer. */
  readonly status: number | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds before the answer. */
  readonly waitMs?: number;
  /** Bytes sent in place of an answer; absent with a null status: the connection just ends. */
  readonly raw?: string;
  readonly body?: string;
  /** One sentence: what the receiver does. */
  readonly story: string;
  /** One sentence: what becomes of the delivery. */
  readonly ends: string;
  /** Final state of the delivery, its last failure reason, and its number of requests. */
  readonly outcome: readonly [state: string, code: string | null, tries: number];
}

/** Milliseconds of real time a hosted receiver has to answer; a silent one costs no more. */
export const WAIT_MS = 5_000;
/** Longer than any sender of ours waits. */
const SILENCE_MS = 60_000;
const SLOW_MS = 2_000;
const RETRY_AFTER_SECONDS = '7';
const TALK_BYTES = 200_000;

const ONCE = ['delivered', null, 1] as const;
const AGAIN = 'Retried under the same id with a new signature, then delivered.';

/** Every way, by the name that scripts use. */
export const ANSWERS = {
  ok: { status: 200, story: 'Says 200.', ends: 'Delivered at once.', outcome: ONCE },
  slow: {
    status: 200,
    waitMs: SLOW_MS,
    story: 'Returns 200 after two seconds.',
    ends: 'Delivered; events of other resources are not delayed.',
    outcome: ONCE,
  },
  talkative: {
    status: 200,
    body: 'thanks '.repeat(TALK_BYTES / 7),
    story: 'Returns 200 with a huge body.',
    ends: 'Delivered; at most 4 kB of the response are read.',
    outcome: ONCE,
  },
  fault: {
    status: 500,
    story: 'Says 500.',
    ends: AGAIN,
    outcome: ['delivered', '500', 2],
  },
  busy: {
    status: 429,
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
    story: 'Returns 429 with a Retry-After of seven seconds.',
    ends: 'Retried under the same id after that time at the earliest, then delivered.',
    outcome: ['delivered', '429', 2],
  },
  gone: {
    status: 410,
    story: 'Says 410.',
    ends: 'The delivery fails for good; the endpoint is disabled and receives nothing more.',
    outcome: ['dead', '410', 1],
  },
  redirect: {
    status: 302,
    headers: { location: '/receivers/elsewhere' },
    story: 'Returns a 302 to another address.',
    ends: `The redirect is never followed. ${AGAIN}`,
    outcome: ['delivered', 'redirect_not_followed', 2],
  },
  cut: {
    status: null,
    story: 'Closes the connection without a response.',
    ends: AGAIN,
    outcome: ['delivered', 'connection_reset', 2],
  },
  garbled: {
    status: null,
    raw: 'perhaps\r\n\r\n',
    story: 'Answers with something that is not HTTP.',
    ends: AGAIN,
    outcome: ['delivered', 'protocol', 2],
  },
  silent: {
    status: null,
    waitMs: SILENCE_MS,
    story: 'Accepts the request and never responds.',
    ends: `Times out after ${WAIT_MS / 1_000} seconds (15 for your own receivers). ${AGAIN}`,
    outcome: ['delivered', 'timeout', 2],
  },
} as const satisfies Record<string, ReceiverAnswer>;

export type AnswerName = keyof typeof ANSWERS;

const ROWS: ReadonlyMap<string, ReceiverAnswer> = new Map(Object.entries(ANSWERS));

/** The row of a name; an unknown name is a fault. */
export function answerNamed(name: string): ReceiverAnswer {
  const row = ROWS.get(name);
  if (row === undefined) throw new Error('the book names an answer that does not exist');
  return row;
}
