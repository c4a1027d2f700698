// Wire format between the identity vendor simulator and its client: bodies, answers, reason codes,
// webhooks. Both sides use it.
import { z } from 'zod';
import { fileText } from '../../../core/schema.ts';
import { callKey } from '../store/endpoint.ts';

/** The vendor's reason codes, all from the catalogue of reasons. [G-51] */
export const REASON_CODES = [
  'DOCUMENT_FRONT_UNREADABLE',
  'DOCUMENT_BACK_UNREADABLE',
  'DOCUMENT_EXPIRED',
  'DOCUMENT_COUNTRY_DIFFERS',
  'NAME_DIFFERS',
  'BIRTH_DATE_DIFFERS',
  'UNDERAGE',
  'NOT_VERIFIED',
] as const;
export type ReasonCode = (typeof REASON_CODES)[number];

/** Rules applied to each person: 0 passes, 1 wants a review, 2 fails. */
export const RULES = ['document', 'data', 'age_on_document', 'country', 'watch_list'] as const;
export type Rule = (typeof RULES)[number];

/** Calls about a key. */
export const OPERATIONS = ['begin', 'look', 'forget'] as const;

/** Bytes of one file, of any kind. [G-52] */
const FILE_MAX = 20_971_520;
/** Bytes of a whole check: more than people can submit, because texts are escaped. */
export const CHECK_BYTES_MAX = 50_331_648;

const text = z.string().max(10_000);

/** Body of a check: the whole order, the same on every retry. */
export const checkBody = z.strictObject({
  person: z.strictObject({
    first: text,
    middle: text,
    last: text,
    date_of_birth: text,
    street: text,
    street2: text,
    city: text,
    region: text,
    zip: text,
    country: text,
    phone_code: text,
    phone_number: text,
    ssn_last4: text,
    document_type: text,
    document_country: text,
  }),
  files: z
    .array(
      z.strictObject({
        role: z.enum(['front', 'back', 'extra']),
        mime: z.enum(['image/jpeg', 'image/png', 'application/pdf']),
        /** Base64. */
        content: fileText(FILE_MAX),
      }),
    )
    .max(1_000),
});
export type CheckBody = z.output<typeof checkBody>;

const reference = z.string().min(1).max(100);

/** The state of a key; `absent` is explicit, so that a wrong URL is not mistaken for it. */
export const checkAnswer = z.discriminatedUnion('state', [
  z.object({
    state: z.enum(['accepted', 'denied', 'review', 'incomplete']),
    key: callKey,
    reference,
    reasons: z.array(z.string().min(1).max(100)).max(100),
    rules: z.array(z.string().regex(/^[a-z_]{1,50}:[0-9]$/)).max(100),
  }),
  z.object({ state: z.literal('pending'), key: callKey, reference }),
  z.object({ state: z.literal('absent'), key: callKey }),
]);
export type CheckAnswer = z.output<typeof checkAnswer>;

/** The answer to an erasure. */
export const forgottenAnswer = z.object({ state: z.literal('forgotten'), key: callKey });

/** Body of a webhook. The signature in its headers says who sent it. */
export const noticeBody = z.object({
  notice_id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  key: callKey,
  at: z.string().min(1).max(40),
});
export type NoticeBody = z.output<typeof noticeBody>;
