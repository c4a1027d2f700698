// Why an application did not pass, as the applicant reads it: for each code a sentence, and the
// parts of the form that it is about. Nothing that compliance keeps to itself is among them.
import { PARTS, WHOLE_FORM, type Part } from './parts.ts';

/** The role of a document in a submission. */
export type DocumentRole = 'front' | 'back' | 'extra';

interface Reason {
  /** One plain sentence, with what the applicant can do. */
  readonly sentence: string;
  /** Parts that must be sent again; others are kept. [G-52] */
  readonly about: readonly Part[];
}

/** All reasons; a vendor's adapter answers with these codes. [G-51] */
export const REASONS = {
  DOCUMENT_FRONT_UNREADABLE: {
    sentence: 'The front of the document cannot be read; send a sharper picture.',
    about: ['document_front'],
  },
  DOCUMENT_BACK_UNREADABLE: {
    sentence: 'The back of the document is missing or not readable; send an image of it.',
    about: ['document_back'],
  },
  DOCUMENT_EXPIRED: {
    sentence: 'The document has expired; send one that is valid.',
    about: ['document_front', 'document_back'],
  },
  DOCUMENT_NOT_ACCEPTED: {
    sentence: 'This kind of document is not accepted; send another.',
    about: ['document_front', 'document_back'],
  },
  DOCUMENT_COUNTRY_DIFFERS: {
    sentence: 'The document and the address are from different countries; send a proof of address.',
    about: ['extra_files'],
  },
  PROOF_OF_ADDRESS_NEEDED: {
    sentence: 'Send a proof of address from the last 90 days.',
    about: ['extra_files'],
  },
  NAME_DIFFERS: {
    sentence: 'The name does not match the document; enter it as on the document.',
    about: ['name'],
  },
  BIRTH_DATE_DIFFERS: {
    sentence: 'The date of birth does not match the document; correct it.',
    about: ['birth'],
  },
  ADDRESS_NOT_CONFIRMED: {
    sentence: 'The address could not be confirmed; check street, city and postal code.',
    about: ['address'],
  },
  PHONE_NOT_CONFIRMED: {
    sentence: 'The telephone number does not match the country; correct it.',
    about: ['phone'],
  },
  TAX_NUMBER_NOT_CONFIRMED: {
    sentence: 'The tax number could not be confirmed; correct it.',
    about: ['tax'],
  },
  UNDERAGE: {
    sentence: 'A person must be at least 18 years old.',
    about: ['birth'],
  },
  INFORMATION_INCOMPLETE: {
    sentence: 'Something is missing; send everything again.',
    about: WHOLE_FORM,
  },
  NOT_VERIFIED: {
    sentence: 'The identity could not be verified with the data that was sent.',
    about: WHOLE_FORM,
  },
} as const satisfies Readonly<Record<string, Reason>>;
export type ReasonCode = keyof typeof REASONS;

/** The known codes, each once; an unknown code becomes NOT_VERIFIED. */
export function knownReasons(codes: readonly string[]): ReasonCode[] {
  const known = codes.map((code) => (Object.hasOwn(REASONS, code) ? code : 'NOT_VERIFIED'));
  return [...new Set(known as ReasonCode[])];
}

/** The parts that reasons are about; null where none is given, or it is the whole form. */
export function partsAbout(codes: readonly ReasonCode[]): readonly Part[] | null {
  const abouts: readonly (readonly Part[])[] = codes.map((code) => REASONS[code].about);
  if (abouts.length === 0 || abouts.includes(WHOLE_FORM)) return null;
  return PARTS.filter((part) => abouts.some((about) => about.includes(part)));
}
