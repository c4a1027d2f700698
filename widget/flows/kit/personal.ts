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
export const PERSONAL: Readonly<Record<string, Personal>> = {
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
  zip: { fill: 'postal-code', read: typedCode },
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
  naics_numbers: { fill: 'off', read: typedCode },
  duns_numbers: { fill: 'off', read: typedCode },
  iban: { fill: 'off', read: typedCode },
  amount: { fill: 'off', read: typedMoney },
};

/** The row of a field; other fields are not filled in by browsers, and stay as typed. */
export function personalOf(name: string): Personal {
  return PERSONAL[name] ?? { fill: 'off' };
}

type Typing = InputEvent | CompositionEvent;

/** What is in a field, as the platform reads it; `take` gets it with each change. */
export function reading(name: string, take: (text: string) => void) {
  const { read } = personalOf(name);
  const hear = (event: Typing & { readonly currentTarget: HTMLInputElement }): void => {
    const field = event.currentTarget;
    const { value, selectionStart: at } = field;
    // What is still being put together must not change under the hand.
    const composing = 'isComposing' in event && event.isComposing;
    const text = read === undefined || composing ? value : read(value);
    if (text !== value) {
      field.value = text;
      // An address field has no selection.
      if (at !== null && text.length === value.length) field.setSelectionRange(at, at);
    }
    take(text);
  };
  return { onInput: hear, onCompositionEnd: hear };
}
