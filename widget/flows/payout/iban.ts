// What is wrong with an IBAN that a person types, and what one of a country looks like. Any country
// of SEPA will do, wherever the person lives. The platform checks again. [G-91]
import { countrySpecs, electronicFormatIBAN, isSEPACountry, isValidIBAN } from 'ibantools';
import { regionName } from '../kit/countries.ts';
import { t } from '../texts.ts';

function charsOf(country: string): number | null {
  return countrySpecs[country]?.chars ?? null;
}

/** The length of an IBAN of the country, in words; undefined where it has none. */
export function ibanHint(country: string): string | undefined {
  const count = charsOf(country);
  if (count === null) return undefined;
  return t('payout.iban_hint', { country: regionName(country), code: country, count });
}

/** Under the field: the bank's country once it is typed, before that what to type. */
export function ibanWords(typed: string, country: string): string | undefined {
  const iban = electronicFormatIBAN(typed) ?? '';
  const there = iban.slice(0, 2);
  const count = charsOf(there);
  if (count === null) return ibanHint(country) ?? t('payout.iban_where');
  const named = { country: regionName(there), typed: iban.length, count };
  return t('payout.iban_bank', named);
}

/** What is wrong with it; undefined for an IBAN of SEPA. */
export function ibanFault(typed: string): string | undefined {
  const iban = electronicFormatIBAN(typed) ?? '';
  const code = iban.slice(0, 2);
  const count = charsOf(code);
  if (iban === '') return t('payout.iban_missing');
  if (count === null) return t('payout.iban_country', { code });
  const country = regionName(code);
  if (!isSEPACountry(code)) return t('payout.iban_outside', { country });
  if (iban.length !== count) {
    return t('payout.iban_length', { country, count, typed: iban.length });
  }
  return isValidIBAN(iban) ? undefined : t('payout.iban_digits');
}
