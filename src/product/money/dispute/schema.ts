// The dispute record: the one place where its wire fields are spelled. [G-93]
import { z } from 'zod';
import { displayAmount } from '../../../core/currency.ts';
import { instantFromPostgres } from '../../../core/time.ts';
import { EVIDENCE_KINDS } from '../../../providers/processor/port.ts';
import { accountId, wireId } from '../../../core/ids.ts';
import { toWire } from '../../../core/money.ts';
import { numberText, optional, strictObject, uuid } from '../../../core/schema.ts';
import { invoiceTime, type Instant } from '../../../core/time.ts';
import { fileNameOf, pieceFields } from '../evidence/index.ts';
import { disputeMachine, type DisputeState } from './machine.ts';
import type { DisputeFacts } from './tables.ts';

/** A piece of evidence: what it is about and when it was added, never what it says. */
const evidence = strictObject({
  evidence_id: uuid(),
  kind: z.enum(EVIDENCE_KINDS),
  /** Of ours, such as `receipt.pdf`; '' for a text. */
  file_name: z.string(),
  /** `declined`: submitted, and the processor declined it. */
  status: z.enum(['collected', 'submitted', 'declined']),
  added: z.string(),
});

/** A dispute in answers and events. [G-93] */
export const disputeRecord = strictObject({
  dispute_id: uuid(),
  account_id: z.string(),
  /** The invoice that was charged; '' where it was a deposit. */
  invoice_id: z.string(),
  /** The escrow of that invoice; '' where it has none. */
  escrow_id: z.string(),
  /** The deposit that was charged; '' where it was an invoice. */
  deposit_id: z.string(),
  amount: z.int(),
  currency: z.string(),
  display_amount: z.string(),
  reason: z.string(),
  status: z.enum(disputeMachine.states),
  /** The processor's deadline for an answer; '' where it takes none. */
  due_by: z.string(),
  /** In the order in which it was added. */
  evidence: z.array(evidence),
  provider_reference: z.string(),
  created: z.string(),
  updated: z.string(),
});
export type DisputeRecord = z.output<typeof disputeRecord>;

/** A page of disputes, newest first, and how many there are in all. */
export const disputePage = strictObject({
  total: z.int(),
  disputes: z.array(disputeRecord),
});

const LIST_MAX = 100;
const OFFSET_MAX = 100_000;
/** Any text passes; a malformed id matches nothing. */
const anyId = z.string().max(64);

export const disputesQuery = strictObject({
  status: optional(z.enum(disputeMachine.states)),
  account_id: optional(anyId),
  invoice_id: optional(anyId),
  escrow_id: optional(anyId),
  limit: optional(numberText(1, LIST_MAX)),
  offset: optional(numberText(0, OFFSET_MAX)),
});

/** Body of evidence: a text or a file. */
export const evidenceBody = strictObject({
  kind: z.enum(EVIDENCE_KINDS),
  ...pieceFields,
});

/** Evidence in JSON, as SQL gives it for a version: `said` is the last word about it. */
interface Collected {
  readonly id: string;
  readonly kind: (typeof EVIDENCE_KINDS)[number];
  readonly mime: string | null;
  readonly added: string;
  readonly said: string | null;
}

const STATUS: Readonly<Record<string, 'submitted' | 'declined'>> = {
  submit: 'submitted',
  decline_answer: 'declined',
};

function renderEvidence({ id, kind, mime, added, said }: Collected) {
  return {
    evidence_id: id,
    kind,
    file_name: fileNameOf(kind, mime),
    status: STATUS[said ?? ''] ?? ('collected' as const),
    added: invoiceTime(instantFromPostgres(added)),
  };
}

/** The part of a dispute that changes. */
export interface DisputeMoment {
  readonly state: DisputeState;
  readonly updated: Instant;
  /** JSON of the evidence at that moment. */
  readonly evidence: string;
}

/** The dispute record at one moment. */
export function renderDispute(facts: DisputeFacts, moment: DisputeMoment): DisputeRecord {
  const { id, account_id, resource_id, purpose, escrow_id, currency, due_by } = facts;
  const amount = toWire(facts.amount);
  return {
    dispute_id: id,
    account_id: accountId(account_id),
    invoice_id: purpose === 'deposit' ? '' : resource_id,
    escrow_id: escrow_id === null ? '' : wireId('esc', escrow_id),
    deposit_id: purpose === 'deposit' ? resource_id : '',
    amount,
    currency,
    display_amount: displayAmount(amount, currency),
    reason: facts.reason,
    status: moment.state,
    due_by: due_by === null ? '' : invoiceTime(due_by),
    evidence: (JSON.parse(moment.evidence) as Collected[]).map(renderEvidence),
    provider_reference: facts.reference,
    created: invoiceTime(facts.created),
    updated: invoiceTime(moment.updated),
  };
}
