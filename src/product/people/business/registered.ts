// What a business states of its registration outside the US: what a country asks for, and what is
// wrong with it. In the US an employer's number and a kind of business stand for all of it. Whether
// a VAT number of the right shape is in use is for operators, and for the vendor. [G-54]
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse } from '../../../core/refusal.ts';
import { addressParts, isPostcode, type PostalAddress } from '../identity/index.ts';

/**
 * A VAT number without spaces, dots and hyphens; null where it is not one of this country. Where
 * the library has no rules, the number is taken as it is.
 */
async function vatNumberOf(country: string, text: string): Promise<string | null> {
  const { default: vat } = await import('jsvat-next');
  const plain = text.toUpperCase().replaceAll(/[\s.-]/g, '');
  const rules = vat.countries.find(({ codes }) => codes.includes(country));
  return rules === undefined || vat.checkVAT(plain, [rules]).isValid ? plain : null;
}

/** Parts of a registration that a submission must have. */
export const REGISTRATION_NEEDS = [
  'legal_form',
  'registration_number',
  'register',
  'address',
] as const;
export type RegistrationNeed = (typeof REGISTRATION_NEEDS)[number];

/** Fields of a registration; absent texts are ''. */
export interface Registration extends Omit<PostalAddress, 'country'> {
  readonly legal_form: string;
  readonly registration_number: string;
  /** Who keeps the register. */
  readonly register: string;
  readonly vat_number: string;
}

/** True for a business that is registered outside the US; false where no country is known. */
export function isAbroad(country: string): boolean {
  return country !== '' && country !== 'US';
}

/** The registration as it is stored. Throws a Refusal that names what is not of its country. */
export async function registrationIn(
  country: string,
  stated: Registration,
): Promise<Registration> {
  const errors: Record<string, string> = {};
  const { vat_number: typed, postal_code } = stated;
  const vat_number = typed === '' ? '' : await vatNumberOf(country, typed);
  if (vat_number === null) errors['vat_number'] = 'must be a VAT number of the country';
  if (postal_code !== '' && isAbroad(country) && !isPostcode(country, postal_code)) {
    errors['postal_code'] = 'must be a postal code of the country';
  }
  if (Object.keys(errors).length > 0) throw refuse(inputRefusals.INVALID_FIELD, errors);
  return { ...stated, vat_number: vat_number ?? '' };
}

/** The parts of its registration that a business still lacks; none in the US. */
export async function lackingIn(
  country: string,
  registration: Registration,
): Promise<RegistrationNeed[]> {
  if (!isAbroad(country)) return [];
  const parts = await addressParts(country);
  const { street, city, postal_code, legal_form, registration_number, register } = registration;
  const placed = street !== '' && (city !== '' || !parts.includes('city'));
  const address = placed && isPostcode(country, postal_code) ? street : '';
  const has = { legal_form, registration_number, register, address };
  return REGISTRATION_NEEDS.filter((need) => has[need] === '');
}
