// Answers for reading what a processor says about charges, remittances and its statement: an answer
// that is not plainly understood, and plainly about the key that was asked, is `unknown`, never a
// failure and never a success. [M13] Knows nothing of the network.
import type { z } from 'zod';
import type {
  ChargeOutcome,
  Declined,
  Absent,
  RemittanceOutcome,
  StatementLine,
  Unknown,
} from '../ports/processor.ts';
import type { Reply } from './json-line.ts';
import {
  CARD_FAILURE_CODES,
  chargeAnswer,
  remittanceAnswer,
  statementAnswer,
} from './sandbox-processor/protocol.ts';

export const UNKNOWN: Unknown = { state: 'unknown' };

const BUSY: Unknown = { state: 'unknown', busy: true };
const CODES: ReadonlySet<string> = new Set(CARD_FAILURE_CODES);

/** What both kinds of key are answered with; `S`: the states in which there is money. */
type Answered<S extends string> =
  | {
      readonly state: S;
      readonly key: string;
      readonly reference: string;
      readonly amount: string;
      readonly currency: string;
    }
  | (Declined & { readonly key: string })
  | (Absent & { readonly key: string });

type Outcome<S extends string> =
  | {
      readonly state: S;
      readonly reference: string;
      readonly amount: bigint;
      readonly currency: string;
    }
  | Declined
  | Absent
  | Unknown;

function outcomeOf<S extends string>(
  schema: z.ZodType<Answered<S>>,
  { status, body }: Reply,
  key: string,
  looked: boolean,
): Outcome<S> {
  if (status === 429) return BUSY;
  const read = schema.safeParse(body);
  if (status !== 200 || !read.success || read.data.key !== key) return UNKNOWN;
  const answer = read.data;
  if ('amount' in answer) {
    const { state, reference, amount, currency } = answer;
    return { state, reference, amount: BigInt(amount), currency };
  }
  // Only a look-up may say absent: an order that led to nothing is a surprise, not a fact.
  if (!('code' in answer)) return looked ? { state: 'absent' } : UNKNOWN;
  // A no with a reason that we do not know is still a no.
  const code = CODES.has(answer.code) ? answer.code : 'generic_error';
  return { state: 'declined', reference: answer.reference, code };
}

/** Reads an answer about the key of a charge; `looked`: nothing was ordered. */
export function chargeOutcome(reply: Reply, key: string, looked: boolean): ChargeOutcome {
  return outcomeOf(chargeAnswer, reply, key, looked);
}

/** Reads an answer about the key of a remittance. */
export function remittanceOutcome(
  reply: Reply,
  key: string,
  looked: boolean,
): RemittanceOutcome {
  return outcomeOf(remittanceAnswer, reply, key, looked);
}

/** Reads a page of the statement; null for anything else, and for lines that do not ascend. */
export function statementLines(reply: Reply, after: bigint): readonly StatementLine[] | null {
  const read = statementAnswer.safeParse(reply.body);
  if (reply.status !== 200 || !read.success) return null;
  const lines = read.data.lines.map((line) => {
    return { ...line, line: BigInt(line.line), amount: BigInt(line.amount) };
  });
  const ascends = lines.every(({ line }, at) => line > (lines[at - 1]?.line ?? after));
  return ascends ? lines : null;
}
