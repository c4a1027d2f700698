// What a person stated, as one sealed blob for each application, and as the vendor gets it. Answers
// for the place that a blob is bound to, for keeping no more of a tax number than the form needs,
// and for the keyed encodings that are compared. Refuses to know rows and requests. [G-52]
import type { Entropy } from '../../kernel/entropy.ts';
import { open, seal } from '../../kernel/sealing.ts';
import type { CheckedPerson } from '../../ports/identity-vendor.ts';
import type { Keys } from '../../ports/keys.ts';
import { digitsOf, type KycPii } from './submission-schema.ts';

const NONCE_BYTES = 12;

/** What of a person is kept. Absent texts are ''. */
export interface Applicant extends CheckedPerson {
  readonly signature: string;
  readonly use_1099: boolean | null;
  /** All nine digits; with the tax form only. */
  readonly ssn: string;
}

/** The person of a body. Of a tax number the full form keeps the last four digits. */
export function applicantOf(form: 'full' | 'tax', pii: KycPii): Applicant {
  const ssn = digitsOf(pii.ssn ?? '');
  return {
    first: pii.first ?? '',
    middle: pii.middle ?? '',
    last: pii.last ?? '',
    date_of_birth: pii.date_of_birth ?? '',
    street: pii.street ?? '',
    street2: pii.street2 ?? '',
    city: pii.city ?? '',
    region: pii.state ?? '',
    zip: pii.zip ?? '',
    country: pii.country ?? '',
    phone_code: pii.phone_code ?? '',
    phone_number: pii.phone_number ?? '',
    ssn_last4: pii.ssn_last4 ?? ssn.slice(-4),
    document_type: pii.document_type ?? '',
    document_country: pii.document_country ?? '',
    signature: pii.signature ?? '',
    use_1099: pii.use_1099 ?? null,
    ssn: form === 'tax' ? ssn : '',
  };
}

/** What of it goes to the vendor. */
export function checkedPerson(applicant: Applicant): CheckedPerson {
  const { signature: _signature, use_1099: _flag, ssn: _ssn, ...person } = applicant;
  return person;
}

type Sealed = 'kyc_application' | 'kyc_note';

function place(line: number, table: Sealed, id: string): string {
  return `${line}/${table}/${id}`;
}

/** Seals a text of an application with the person's key; `line` is that of the world. */
export function sealText(
  key: Buffer,
  entropy: Entropy,
  line: number,
  table: Sealed,
  id: string,
  plain: string,
): string {
  return seal(key, entropy.bytes(NONCE_BYTES), plain, place(line, table, id));
}

/** Opens what a person stated; a changed blob or one of another row is a fault. */
export function openApplicant(key: Buffer, line: number, id: string, sealed: string): Applicant {
  return JSON.parse(open(key, sealed, place(line, 'kyc_application', id))) as Applicant;
}

/** Letters and digits only, without accents and case, words in order of the alphabet. */
function normalName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean).sort().join(' ');
}

/** The keyed encoding of one name with one birth date, as the watch-list of a world holds it. */
export function watchKey(keys: Keys, world: number, name: string, birthDate: string): string {
  return keys.mac(`watch_list:${keys.lineOf(world)}`, `${normalName(name)}|${birthDate}`);
}

/** The encodings under which a list may name a person: with and without the middle name. */
export function watchKeysOf(keys: Keys, world: number, person: Applicant): string[] {
  const { first, middle, last, date_of_birth } = person;
  if (date_of_birth === '') return [];
  const names = [`${first} ${last}`, `${first} ${middle} ${last}`];
  return [...new Set(names.map((name) => watchKey(keys, world, name, date_of_birth)))];
}

/** The keyed encoding of the last four digits of a tax number; null where there is none. */
export function ssnKeyOf(keys: Keys, world: number, { ssn_last4 }: Applicant): string | null {
  return ssn_last4 === '' ? null : keys.mac(`kyc_ssn_last4:${keys.lineOf(world)}`, ssn_last4);
}
