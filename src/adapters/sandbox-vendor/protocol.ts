// Answers for what goes over the wire between the sandbox identity vendor and its client: bodies,
// answers, codes of reasons, notices. Both sides read it, so it has one spelling.
// Refuses to know the book and how a client reads trouble.
import { z } from 'zod';
import { fileText } from '../../kernel/schema.ts';

/** Codes that the vendor gives for what was wrong; all are of the catalogue of reasons. [G-51] */
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

/** Rules that are applied to each person: 0 passes, 1 wants a look, 2 fails. */
export const RULES = ['document', 'data', 'age_on_document', 'country', 'watch_list'] as const;
export type Rule = (typeof RULES)[number];

/** The questions that the vendor answers about a key. */
export const OPERATIONS = ['begin', 'look', 'forget'] as const;
export type VendorOperation = (typeof OPERATIONS)[number];

/** Bytes of one file, of any kind. [G-52] */
const FILE_MAX = 20_971_520;
/** Bytes of a whole check: more than what people can hand in, because texts are escaped. */
export const CHECK_BYTES_MAX = 50_331_648;

/** The caller's own idempotency key, as it stands in a path. */
export const checkKey = z.string().regex(/^[A-Za-z0-9._:-]{1,200}$/);

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

/** What the book says about a key; `absent` is said in words, so that a wrong address is not it. */
export const checkAnswer = z.discriminatedUnion('state', [
  z.object({
    state: z.enum(['accepted', 'denied', 'review', 'incomplete']),
    key: checkKey,
    reference,
    reasons: z.array(z.string().min(1).max(100)).max(100),
    rules: z.array(z.string().regex(/^[a-z_]{1,50}:[0-9]$/)).max(100),
  }),
  z.object({ state: z.literal('pending'), key: checkKey, reference }),
  z.object({ state: z.literal('absent'), key: checkKey }),
]);
export type CheckAnswer = z.output<typeof checkAnswer>;

/** The answer to forgetting. */
export const forgottenAnswer = z.object({ state: z.literal('forgotten'), key: checkKey });

/** Body of a notice. Who sent it is said by the signature in its headers. */
export const noticeBody = z.object({
  notice_id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  key: checkKey,
  at: z.string().min(1).max(40),
});
export type NoticeBody = z.output<typeof noticeBody>;
