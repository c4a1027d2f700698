// What a person stated, sealed as one blob for each application and bound to that row, and the
// keyed encodings by which names and tax numbers are compared. Of a tax number no more is kept than
// the form needs. [G-52]
import { lineagePurpose } from '../../../core/labels.ts';
import type { CheckedPerson } from '../../../providers/identity/port.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { digitsOf, type KycPii } from './submission-schema.ts';

/** What is kept of a person. Absent texts are ''. */
export interface Applicant extends CheckedPerson {
  readonly signature: string;
  readonly use_1099: boolean | null;
  /** All nine digits; only with the tax form. */
  readonly ssn: string;
}

/** The person in a body. The full form keeps only the last four digits of a tax number. */
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

/** What the vendor gets. */
export function checkedPerson(applicant: Applicant): CheckedPerson {
  const { signature: _signature, use_1099: _flag, ssn: _ssn, ...person } = applicant;
  return person;
}

/** Letters and digits only, without accents and case, words in alphabetical order. */
export function normalName(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}]+/u).filter(Boolean).sort().join(' ');
}

/** The keyed encoding of a name with a birth date, as the watch-list holds it. */
export function watchKey(keys: Keys, workspace: number, name: string, birthDate: string): string {
  const purpose = lineagePurpose('watchList', keys.lineageOf(workspace));
  return keys.mac(purpose, `${normalName(name)}|${birthDate}`);
}

/** The encodings under which the list may have a person: with and without the middle name. */
export function watchKeysOf(keys: Keys, workspace: number, person: Applicant): string[] {
  const { first, middle, last, date_of_birth } = person;
  if (date_of_birth === '') return [];
  const names = [`${first} ${last}`, `${first} ${middle} ${last}`];
  return [...new Set(names.map((name) => watchKey(keys, workspace, name, date_of_birth)))];
}

/** The keyed encoding of the last four digits of a tax number; null without a number. */
export function ssnKeyOf(keys: Keys, workspace: number, { ssn_last4 }: Applicant): string | null {
  const purpose = lineagePurpose('ssnLast4', keys.lineageOf(workspace));
  return ssn_last4 === '' ? null : keys.mac(purpose, ssn_last4);
}
