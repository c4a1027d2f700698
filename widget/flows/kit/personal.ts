// The fields of people's forms: what a browser may fill in, and how what is typed is read. Every
// field of personal data is named here, also where browsers know nothing of it. [WCAG 1.3.5]
import { typedCode, typedMoney } from '../../../texts/typed.ts';

interface Personal {
  /** The value of `autocomplete`, by HTML. */
  readonly fill: string;
  /** Absent: text stays as it is typed. */
  readonly read?: (typed: string) => string;
}

/** Names of fields, of whoever fills the form in. */
const PERSONAL: Readonly<Record<string, Personal>> = {
  first: { fill: 'given-name' },
  middle: { fill: 'additional-name' },
  last: { fill: 'family-name' },
  signature: { fill: 'name' },
  holder: { fill: 'name' },
  country: { fill: 'country' },
  street: { fill: 'address-line1' },
  street2: { fill: 'address-line2' },
  // A prefecture, province or state is the first level everywhere, a town the second.
  state: { fill: 'address-level1' },
  city: { fill: 'address-level2' },
  region: { fill: 'address-level1' },
  zip: { fill: 'postal-code', read: typedCode },
  postal_code: { fill: 'postal-code', read: typedCode },
  phone_code: { fill: 'tel-country-code', read: typedCode },
  phone_number: { fill: 'tel-national', read: typedCode },
  birth_day: { fill: 'bday-day', read: typedCode },
  birth_month: { fill: 'bday-month' },
  birth_year: { fill: 'bday-year', read: typedCode },
  entity_name: { fill: 'organization' },
  user_email: { fill: 'email', read: typedCode },
  // Browsers have no word for these.
  ssn: { fill: 'off', read: typedCode },
  tax_id: { fill: 'off', read: typedCode },
  registration_number: { fill: 'off', read: typedCode },
  vat_number: { fill: 'off', read: typedCode },
  naics_numbers: { fill: 'off', read: typedCode },
  duns_numbers: { fill: 'off', read: typedCode },
  iban: { fill: 'off', read: typedCode },
  amount: { fill: 'off', read: typedMoney },
};

/** What a field of the table is given: how browsers fill it in, and how it is read. */
export function personal(name: string): {
  readonly autoComplete: string;
  readonly read?: (typed: string) => string;
} {
  const { fill, read } = PERSONAL[name] ?? { fill: 'off' };
  return { autoComplete: fill, ...(read && { read }) };
}
