// Reads a processor's answers about charges, outbound transfers and the statement. An answer that
// is not plainly understood, or not plainly about the key, is `unknown`, never a failure and never
// a success. [M13]
import type { z } from 'zod';
import {
  DECLINE_CODES,
  type AnswerOutcome,
  type ChargeOutcome,
  type DeclineCode,
  type Declined,
  type Absent,
  type TransferOutcome,
  type StatementPage,
  type Unknown,
} from '../../../providers/processor/port.ts';
import type { Reply } from './json-line.ts';
import {
  chargeAnswer,
  disputeAnswer,
  transferAnswer,
  statementAnswer,
} from '../processor/protocol.ts';

export const UNKNOWN: Unknown = { state: 'unknown' };

const BUSY: Unknown = { state: 'unknown', busy: true };
const CODES: ReadonlySet<string> = new Set(DECLINE_CODES);
const isCode = (code: string): code is DeclineCode => CODES.has(code);
/** Rows of a full page. */
const PAGE = 1_000;

/** An answer with money held, moved or coming. */
interface Money {
  readonly state: string;
  readonly key: string;
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
}

/** Answers about either kind of key. */
type Answered =
  | Money
  | { readonly state: 'accepted'; readonly key: string; readonly reference: string }
  | (Omit<Declined, 'code'> & { readonly key: string; readonly code: string })
  | (Absent & { readonly key: string });

/** A money answer `A` in the port's form. */
type Read<A> = A extends Money
  ? Omit<A, 'key' | 'amount'> & { readonly amount: bigint }
  : A extends { readonly state: 'accepted' }
    ? Omit<A, 'key'>
    : never;

function outcomeOf<A extends Answered>(
  schema: z.ZodType<A>,
  { status, body }: Reply,
  key: string,
  looked: boolean,
): Read<A> | Declined | Absent | Unknown {
  if (status === 429) return BUSY;
  const read = schema.safeParse(body);
  if (status !== 200 || !read.success || read.data.key !== key) return UNKNOWN;
  const answer: Answered = read.data;
  if ('amount' in answer) {
    const { key: _key, amount, ...rest } = answer;
    return { ...rest, amount: BigInt(amount) } as unknown as Read<A>;
  }
  if (answer.state === 'accepted') {
    return { state: answer.state, reference: answer.reference } as unknown as Read<A>;
  }
  // Only retrieving may report absent: an order that led to nothing is unexpected, not a fact.
  if (!('code' in answer)) return looked ? { state: 'absent' } : UNKNOWN;
  // A decline with an unknown reason is still a decline.
  const code = isCode(answer.code) ? answer.code : 'generic_error';
  return { state: 'declined', reference: answer.reference, code };
}

/** Reads an answer about a charge; `looked`: it was only retrieved. */
export function chargeOutcome(reply: Reply, key: string, looked: boolean): ChargeOutcome {
  return outcomeOf(chargeAnswer, reply, key, looked);
}

/** Reads an answer about an outbound transfer. */
export function transferOutcome(
  reply: Reply,
  key: string,
  looked: boolean,
): TransferOutcome {
  return outcomeOf(transferAnswer, reply, key, looked);
}

/** Reads an answer about the answer to a dispute. */
export function answerOutcome(reply: Reply, key: string, looked: boolean): AnswerOutcome {
  return outcomeOf(disputeAnswer, reply, key, looked);
}

/**
 * Reads the page after a row, whose number is the cursor; null for anything else, and for rows that
 * do not ascend.
 */
export function statementPage(reply: Reply, after: bigint): StatementPage | null {
  const read = statementAnswer.safeParse(reply.body);
  if (reply.status !== 200 || !read.success) return null;
  const numbers = [after, ...read.data.lines.map(({ line }) => BigInt(line))];
  if (numbers.some((number, at) => at > 0 && number <= (numbers[at - 1] ?? 0n))) return null;
  const lines = read.data.lines.map(({ line: row, amount, fee, ...rest }) => {
    return { ...rest, row, amount: BigInt(amount), fee: BigInt(fee) };
  });
  return { lines, cursor: String(numbers.at(-1)), more: lines.length >= PAGE };
}
