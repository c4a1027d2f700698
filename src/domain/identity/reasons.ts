// Why an application did not pass, as the applicant is told: one code, one sentence, and which of
// the documents it is about. Answers for telling nothing that compliance keeps to itself.

/** Where a document stands in a submission. */
export type DocumentRole = 'front' | 'back' | 'extra';

interface Reason {
  /** One plain sentence, with what can be done. */
  readonly sentence: string;
  /** Documents that must be sent again; others may be left out of the next submission. */
  readonly concerns: readonly DocumentRole[];
}

/** The catalogue of reasons; a vendor's adapter answers with these codes. [G-51] */
export const REASONS = {
  DOCUMENT_FRONT_UNREADABLE: {
    sentence: 'The front of the document cannot be read; send a sharper picture of it.',
    concerns: ['front'],
  },
  DOCUMENT_BACK_UNREADABLE: {
    sentence: 'The back of the document is missing or cannot be read; send a picture of it.',
    concerns: ['back'],
  },
  DOCUMENT_EXPIRED: {
    sentence: 'The document has expired; send one that is valid.',
    concerns: ['front', 'back'],
  },
  DOCUMENT_NOT_ACCEPTED: {
    sentence: 'The document is not one that is accepted; send another.',
    concerns: ['front', 'back'],
  },
  DOCUMENT_COUNTRY_DIFFERS: {
    sentence: 'The document is from another country than the address; send a proof of address.',
    concerns: ['extra'],
  },
  PROOF_OF_ADDRESS_NEEDED: {
    sentence: 'A proof of address from the last 90 days is needed.',
    concerns: ['extra'],
  },
  NAME_DIFFERS: {
    sentence: 'The name is not the one on the document; correct it as the document has it.',
    concerns: [],
  },
  BIRTH_DATE_DIFFERS: {
    sentence: 'The date of birth is not the one on the document; correct it.',
    concerns: [],
  },
  ADDRESS_NOT_CONFIRMED: {
    sentence: 'The address could not be confirmed; correct street, town and postcode.',
    concerns: [],
  },
  PHONE_NOT_CONFIRMED: {
    sentence: 'The telephone number is not one of the stated country; correct it.',
    concerns: [],
  },
  TAX_NUMBER_NOT_CONFIRMED: {
    sentence: 'The tax number could not be confirmed; correct it.',
    concerns: [],
  },
  UNDERAGE: {
    sentence: 'A person must be at least 18 years old.',
    concerns: [],
  },
  INFORMATION_INCOMPLETE: {
    sentence: 'Something that is needed was not sent; send everything again.',
    concerns: ['front', 'back', 'extra'],
  },
  NOT_VERIFIED: {
    sentence: 'The identity could not be verified with what was sent.',
    concerns: [],
  },
} as const satisfies Readonly<Record<string, Reason>>;
export type ReasonCode = keyof typeof REASONS;

/** Codes of the catalogue, each once; a code that is not in it becomes NOT_VERIFIED. */
export function knownReasons(codes: readonly string[]): ReasonCode[] {
  const known = codes.map((code) => (Object.hasOwn(REASONS, code) ? code : 'NOT_VERIFIED'));
  return [...new Set(known as ReasonCode[])];
}

/** True when a document of that role must be sent again. */
export function concerns(codes: readonly ReasonCode[], role: DocumentRole): boolean {
  return codes.some((code) => (REASONS[code].concerns as readonly DocumentRole[]).includes(role));
}
