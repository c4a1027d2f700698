// Request bodies and records of businesses: the one place where their wire fields are spelled.
// Errors are named at their field; no answer holds a tax number or a file. [seed: KYB entity, G-54]
import { z } from 'zod';
import {
  fileText,
  list,
  name,
  optional,
  reference,
  shapedOrEmpty,
  strictObject,
  text,
  wireIdOf,
} from '../../../core/schema.ts';
import { isAddress } from '../account/index.ts';
import { FURTHER_FILES_MAX_BYTES } from '../../../providers/files/port.ts';
import { fileOr, KYC_STATES, sizeOfFurther } from '../identity/index.ts';
import { KYB_STATES } from './machine.ts';
import { ENTITY_REASON_CODES } from './reasons.ts';
import { NEEDS, ROLES } from './rules.ts';

/** [G-54] */
export const ENTITY_TYPES = [
  'sole_proprietorship',
  'single_member_llc',
  'multi_member_llc',
  'partnership',
  'corporation',
  'public_corporation',
  'nonprofit',
  'trust',
  'government',
] as const;

/** In bytes. */
export const DOCUMENT_MAX_BYTES = 10 * 1_048_576;
export const DOCUMENTS_MAX = 20;
const NAME_MAX = 255;
const EMAIL_MAX = 320;
/** The most codes in one list. */
const CODES = 20;

function codes(digits: number): z.ZodString {
  const shape = new RegExp(`^\\d{${digits}}(?:,\\d{${digits}}){0,${CODES - 1}}$`);
  const sentence = `must be ${digits}-digit numbers, separated by commas`;
  return shapedOrEmpty(shape, CODES * (digits + 1) - 1, sentence);
}

const stated = {
  entity_name: name(NAME_MAX),
  user_email: optional(
    shapedOrEmpty(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, EMAIL_MAX, 'must be an e-mail address, or empty'),
  ),
  /** '' as in records: not stated yet. */
  entity_type: optional(z.enum([...ENTITY_TYPES, ''])),
  /** For the US: an employer's number, or a person's. */
  tax_id: optional(
    shapedOrEmpty(
      /^(?:\d{2}-?\d{7}|\d{3}-\d{2}-\d{4})$/,
      11,
      'must be nine digits, such as 12-3456789',
    ),
  ),
  naics_numbers: optional(codes(6)),
  duns_numbers: optional(codes(9)),
} as const;

const file = fileText(DOCUMENT_MAX_BYTES);
const document = strictObject({
  pii_document_name: optional(text(NAME_MAX)),
  file,
  /** Must match the file. [seed: KYB entity document] */
  mime_type: optional(reference()),
});
const documents = list(fileOr(file, document));
export type DocumentBody = z.output<typeof documents>[number];
type DocumentRecordBody = z.output<typeof document>;

function eachOnce({ value, issues }: z.core.ParsePayload<string[]>): void {
  if (new Set(value).size === value.length) return;
  issues.push({ code: 'custom', input: value, message: 'must list each role only once' });
}

function anAddress({ value, issues }: z.core.ParsePayload<string>): void {
  if (isAddress(value)) return;
  issues.push({ code: 'custom', input: value, message: 'must be a mail address' });
}

const person = {
  agent_name: name(NAME_MAX),
  agent_email: optional(reference(EMAIL_MAX).check(anAddress)).meta({
    format: 'email',
    description: 'Where the person is mailed their link, once the business is submitted.',
  }),
  roles: list(z.enum(ROLES)).check(z.minLength(1), z.maxLength(ROLES.length), eachOnce),
} as const;

/** [G-54] */
export const onboardBody = strictObject({
  ...stated,
  /** Both are accepted and ignored. */
  jurisdiction: optional(reference()),
  custom_application_id: optional(reference()),
  agents: optional(list(strictObject({ ...person, documents: optional(documents) }))),
  documents: optional(documents),
}).check(({ value, issues }) => {
  const all = [value.documents, ...(value.agents ?? []).map((one) => one.documents)].flatMap(
    (some) => some ?? [],
  );
  const size = all.reduce((sum, one) => sum + sizeOfFurther(fileOf(one)), 0);
  const wrong =
    all.length > DOCUMENTS_MAX
      ? `must contain at most ${DOCUMENTS_MAX} documents in total`
      : size > FURTHER_FILES_MAX_BYTES
        ? `must be at most ${FURTHER_FILES_MAX_BYTES} bytes in total`
        : null;
  if (wrong !== null) {
    issues.push({ code: 'custom', input: value, path: ['documents'], message: wrong });
  }
});
export type OnboardBody = z.output<typeof onboardBody>;

/** The record of a document; null where the file stands alone. */
export function recordOf(one: DocumentBody): DocumentRecordBody | null {
  return typeof one === 'object' && 'file' in one ? one : null;
}

/** The file of a document, in either form. */
export function fileOf(one: DocumentBody): Exclude<DocumentBody, DocumentRecordBody> {
  return typeof one === 'object' && 'file' in one ? one.file : one;
}

const COUNTRY = /^[A-Z]{2}$/;

type NewAddress = { entity_agent_id?: string | undefined; agent_email?: string | undefined };

/** Later the address is changed as that of any account. */
function newAddress({ value, issues }: z.core.ParsePayload<NewAddress>): void {
  if (value.entity_agent_id === undefined || value.agent_email === undefined) return;
  const message = 'is given with a new person only';
  issues.push({ code: 'custom', input: value, path: ['agent_email'], message });
}

/** The whole form; an absent tax number stays as it was. */
export const formBody = strictObject({
  ...stated,
  country: optional(shapedOrEmpty(COUNTRY, 2, 'must be a country code of two upper-case letters')),
  agents: optional(
    list(
      strictObject({ entity_agent_id: optional(wireIdOf('agt')), ...person }).check(newAddress),
    ),
  ),
});
export type FormBody = z.output<typeof formBody>;

/** A document to add to the form. */
export const documentBody = strictObject({
  ...document.shape,
  entity_agent_id: optional(wireIdOf('agt')),
});

/** The answer to an added document. */
export const documentAnswer = z.strictObject({ entity_document_id: z.string() });

/** [G-54] */
export const onboardAnswer = z.strictObject({
  entity_id: z.string(),
  vendor_response: z.strictObject({}),
});

const documentRecord = z.strictObject({
  entity_document_id: z.string(),
  entity_id: z.string(),
  /** '' for a document about the whole business. */
  entity_agent_id: z.string(),
  pii_document_name: z.string(),
  pii_document_id: z.string(),
  mime_type: z.string(),
  created: z.string(),
  updated: z.string(),
});
export type DocumentRecord = z.output<typeof documentRecord>;

const agentRecord = z.strictObject({
  entity_agent_id: z.string(),
  entity_id: z.string(),
  agent_name: z.string(),
  account_id: z.string(),
  status: z.enum(KYB_STATES),
  kyc_status: z.enum(KYC_STATES),
  roles: z.array(z.enum(ROLES)),
  created: z.string(),
  updated: z.string(),
  documents: z.array(documentRecord),
}).meta({ title: 'KYBAgent' });
export type AgentRecord = z.output<typeof agentRecord>;

/** A business, without tax number and files. [seed: KYB entity, G-54] */
export const entityRecord = z.strictObject({
  entity_id: z.string(),
  entity_name: z.string(),
  naics_numbers: z.string(),
  duns_numbers: z.string(),
  account_id: z.string(),
  /** '' until it is stated. */
  entity_type: z.enum([...ENTITY_TYPES, '']),
  status: z.enum(KYB_STATES),
  created: z.string(),
  updated: z.string(),
  agents: z.array(agentRecord),
  documents: z.array(documentRecord),
}).meta({ title: 'KYBEntity' });
export type EntityRecord = z.output<typeof entityRecord>;

export const statusRecord = z.strictObject({
  entity_id: z.string(),
  status: z.enum(KYB_STATES),
});

/** What the form of a business is built from. */
export const formRecord = z.strictObject({
  /** Null until the form was saved once. */
  entity: entityRecord.nullable(),
  /** False while the business is checked, and once it is accepted or inactive. */
  open: z.boolean(),
  country: z.string(),
  tax_id_given: z.boolean(),
  user_email: z.string(),
  /** What is missing for a submission. */
  needs: z.array(z.enum(NEEDS)),
  reasons: z.array(z.strictObject({ code: z.enum(ENTITY_REASON_CODES), sentence: z.string() })),
});
export type FormRecord = z.output<typeof formRecord>;

/** [seed: Events, G-55] */
export const statusMessage = z.strictObject({
  account_id: z.string(),
  entity_id: z.string(),
  entity_status: z.enum(KYB_STATES),
  vendor_application_id: z.literal(''),
  custom_application_id: z.literal(''),
});

export const setterBody = strictObject({ status: z.enum(KYB_STATES) });
