// Request bodies and records of businesses: the one place where their wire fields are spelled.
// Errors are named at their field; no answer holds a US tax number or a file. [seed: KYB entity,
// G-54]
import { z } from 'zod';
import {
  fileText,
  list,
  optional,
  reference,
  strictObject,
  text,
  wireIdOf,
} from '../../../core/schema.ts';
import { FURTHER_FILES_MAX_BYTES } from '../../../providers/files/port.ts';
import { fileOr, KYC_STATES, sizeOfFurther } from '../identity/index.ts';
import { DOCUMENT_REASONS, DOCUMENT_STATES } from './judged.ts';
import { KYB_STATES } from './machine.ts';
import { ENTITY_REASON_CODES } from './reasons.ts';
import { NEEDS, ROLES } from './rules.ts';
import { anOwner, ENTITY_TYPES, NAME_MAX, ofItsCountry, person, stated } from './stated.ts';

/** In bytes. */
export const DOCUMENT_MAX_BYTES = 10 * 1_048_576;
export const DOCUMENTS_MAX = 20;
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

/** [G-54] */
export const onboardBody = strictObject({
  ...stated,
  /** Both are accepted and ignored. */
  jurisdiction: optional(reference()),
  custom_application_id: optional(reference()),
  agents: optional(
    list(strictObject({ ...person, documents: optional(documents) }).check(anOwner)),
  ),
  documents: optional(documents),
}).check(ofItsCountry, ({ value, issues }) => {
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
  agents: optional(
    list(
      strictObject({ entity_agent_id: optional(wireIdOf('agt')), ...person }).check(
        newAddress,
        anOwner,
      ),
    ),
  ),
}).check(ofItsCountry);
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
  status: z.enum(DOCUMENT_STATES),
  /** Why it is not accepted; null where it is, or nobody has decided. */
  reason: z.strictObject({ code: z.enum(DOCUMENT_REASONS), sentence: z.string() }).nullable(),
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
  /** A band such as 25-50, or a percentage; '' where it is not stated. */
  ownership: z.string(),
  created: z.string(),
  updated: z.string(),
  documents: z.array(documentRecord),
}).meta({ title: 'KYBAgent' });
export type AgentRecord = z.output<typeof agentRecord>;

/** A business, without its US tax number and files. [seed: KYB entity, G-54] */
export const entityRecord = z.strictObject({
  entity_id: z.string(),
  entity_name: z.string(),
  naics_numbers: z.string(),
  duns_numbers: z.string(),
  account_id: z.string(),
  /** '' until it is stated. */
  entity_type: z.enum([...ENTITY_TYPES, '']),
  /** As registered; what is not stated is ''. */
  country: z.string(),
  legal_form: z.string(),
  registration_number: z.string(),
  register: z.string(),
  vat_number: z.string(),
  street: z.string(),
  street2: z.string(),
  city: z.string(),
  region: z.string(),
  postal_code: z.string(),
  /** The best status among the documents about the business as a whole. */
  registration_document: z.enum([...DOCUMENT_STATES, 'missing']),
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
  /** The kinds of business to choose from in the US. */
  entity_types: z.array(z.enum(ENTITY_TYPES)),
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
