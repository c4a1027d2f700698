// Wire format between the processor simulator and its client: bodies, answers, failure codes. Both
// sides use it. Amounts are texts of digits (minor units), because a JSON number may lose digits on
// its way.
import { z } from 'zod';
import { isInstant } from '../../../core/time.ts';
import { EVIDENCE_KINDS, LINE_KINDS } from '../../../providers/processor/port.ts';
import { fileText } from '../../../core/schema.ts';
import { callKey } from '../store/endpoint.ts';

/** Calls about the key of a charge. */
export const CHARGE_OPERATIONS = ['authorize', 'capture', 'reverse', 'look'] as const;
export type ChargeOperation = (typeof CHARGE_OPERATIONS)[number];

/** All calls: those, and two each about outbound transfers and answers to disputes. */
export const OPERATIONS = [
  ...CHARGE_OPERATIONS,
  ...(['remit', 'look_remittance', 'answer', 'look_answer'] as const),
] as const;
export type ExchangeOperation = (typeof OPERATIONS)[number];

const digits = z.string().regex(/^[1-9][0-9]{0,17}$/);
const currency = z.string().regex(/^[A-Z]{3,10}$/);

/** Body of authorize, capture and reverse: the whole order, the same on every retry. */
export const chargeBody = z.strictObject({
  token: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  /** Minor units. */
  amount: digits,
  currency,
});

const MONEY = {
  key: callKey,
  reference: z.string().min(1).max(100),
  amount: digits,
  currency,
} as const;
const DECLINED = z.object({
  state: z.literal('declined'),
  key: callKey,
  reference: z.string().min(1).max(100),
  code: z.string().min(1).max(100),
});
const ABSENT = z.object({ state: z.literal('absent'), key: callKey });

/** The state of a key; `absent` is explicit, so that a wrong URL is not mistaken for it. */
export const chargeAnswer = z.discriminatedUnion('state', [
  z.object({
    state: z.enum(['authorized', 'pending', 'captured', 'reversed']),
    ...MONEY,
  }),
  z.object({
    state: z.literal('challenged'),
    ...MONEY,
    /** The page where the buyer confirms. */
    url: z.string().max(500).regex(/^https?:\/\/[\w.:[\]-]+(\/[\w.~/?=&%-]*)?$/),
  }),
  DECLINED,
  ABSENT,
]);
export type ChargeAnswer = z.output<typeof chargeAnswer>;

/** Body of `POST /v1/remittances/{key}`: the whole order, the same on every retry. */
export const transferBody = z.strictObject({
  kind: z.enum(['refund', 'payout']),
  /** Of a refund the key of the charge, of a payout the token of the account. */
  target: callKey,
  amount: digits,
  currency,
});

/** The state of an outbound transfer's key. */
export const transferAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['pending', 'paid', 'returned']), ...MONEY }),
  DECLINED,
  ABSENT,
]);
export type TransferAnswer = z.output<typeof transferAnswer>;

/** Bytes of a file, and of a whole answer with its files as base64. */
const EVIDENCE_FILE_MAX = 3 * 1_048_576;
export const ANSWER_BYTES_MAX = 16 * 1_048_576;
const PIECES_MAX = 50;

/** Body of `POST /v1/disputes/{key}`: all evidence, the same on every retry. */
export const disputeBody = z.strictObject({
  reference: z.string().min(1).max(100),
  /** The key of the disputed charge. */
  charge: callKey,
  texts: z
    .array(z.strictObject({ kind: z.enum(EVIDENCE_KINDS), text: z.string().max(4_096) }))
    .max(PIECES_MAX),
  files: z
    .array(
      z.strictObject({
        kind: z.enum(EVIDENCE_KINDS),
        mime: z.enum(['image/jpeg', 'image/png', 'application/pdf']),
        /** Base64. */
        content: fileText(EVIDENCE_FILE_MAX),
      }),
    )
    .max(PIECES_MAX),
});
export type DisputeBody = z.output<typeof disputeBody>;

/** The state of an answer's key. */
export const disputeAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.literal('accepted'), key: callKey, reference: z.string().min(1).max(100) }),
  DECLINED,
  ABSENT,
]);
export type DisputeAnswer = z.output<typeof disputeAnswer>;

/** One page of the statement. */
export const statementAnswer = z.object({
  lines: z.array(
    z.object({
      line: z.string().regex(/^[1-9][0-9]{0,17}$/),
      kind: z.enum(LINE_KINDS),
      part: z.int().min(1),
      ...MONEY,
      /** Of money taken back: reason code, and deadline for an answer. */
      reason: z.string().regex(/^[a-z_]{1,50}$/).nullable(),
      due_by: z.string().refine(isInstant).nullable(),
      /** Only where the workspace has settlement terms. */
      fee: z.string().regex(/^-?[0-9]{1,18}$/).default('0'),
      available_at: z.string().refine(isInstant).nullable().default(null),
    }),
  ),
});

/** Body of a webhook. The signature in its headers says who sent it. */
export const noticeBody = z.object({
  notice_id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  key: callKey,
  about: z.enum(['charge', 'remittance', 'statement']),
  at: z.string().min(1).max(40),
});
export type NoticeBody = z.output<typeof noticeBody>;

/** Body of `POST /v1/cards`: a test card by number or by name. */
export const cardBody = z.union([
  z.strictObject({
    number: z.string().regex(/^[0-9]{12,19}$/),
    expiry_month: z.int().min(1).max(12),
    expiry_year: z.int().min(2000).max(9999),
    cvc: z.string().regex(/^[0-9]{3,4}$/),
  }).meta({ title: 'CardNumber' }),
  z.strictObject({ test_card: z.string().min(1).max(100) }).meta({ title: 'TestCard' }),
]);
export type CardBody = z.output<typeof cardBody>;

/** A card as the processor shows it. */
export const cardAnswer = z.object({
  token: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  brand: z.string().regex(/^[a-z]+(-[a-z]+)*$/),
  last4: z.string().regex(/^[0-9]{4}$/),
  expires: z.string().regex(/^[0-9]{4}-[0-9]{2}$/).optional(),
  fingerprint: z.string().min(1).max(100).optional(),
});
