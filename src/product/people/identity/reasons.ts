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

function reason(about: readonly Part[], sentence: string): Reason {
  return { sentence, about };
}

/** All reasons; a vendor's adapter answers with these codes. [G-51] */
export const REASONS = {
  DOCUMENT_FRONT_UNREADABLE: reason(['document_front'],
    'The front of the document cannot be read; send a sharper picture.'),
  DOCUMENT_BACK_UNREADABLE: reason(['document_back'],
    'The back of the document is missing or not readable; send an image of it.'),
  DOCUMENT_EXPIRED: reason(['document_front', 'document_back'],
    'The document has expired; send one that is valid.'),
  DOCUMENT_NOT_ACCEPTED: reason(['document_front', 'document_back'],
    'This kind of document is not accepted; send another.'),
  DOCUMENT_COUNTRY_DIFFERS: reason(['extra_files'],
    'The document and the address are from different countries; send a proof of address.'),
  PROOF_OF_ADDRESS_NEEDED: reason(['extra_files'],
    'Send a proof of address from the last 90 days.'),
  NAME_DIFFERS: reason(['name'],
    'The name does not match the document; enter it as on the document.'),
  BIRTH_DATE_DIFFERS: reason(['birth'],
    'The date of birth does not match the document; correct it.'),
  ADDRESS_NOT_CONFIRMED: reason(['address'],
    'The address could not be confirmed; check street, city and postal code.'),
  PHONE_NOT_CONFIRMED: reason(['phone'],
    'The telephone number does not match the country; correct it.'),
  TAX_NUMBER_NOT_CONFIRMED: reason(['tax'], 'The tax number could not be confirmed; correct it.'),
  UNDERAGE: reason(['birth'], 'A person must be at least 18 years old.'),
  INFORMATION_INCOMPLETE: reason(WHOLE_FORM, 'Something is missing; send everything again.'),
  NOT_VERIFIED: reason(WHOLE_FORM,
    'The identity could not be verified with the data that was sent.'),
} as const;
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
