// How addresses are written in each country: which parts they have, and in which order. The forms
// are those of a library, and are read where somebody asks for them. [G-54]
import { POSTCODES } from './countries-data.ts';

/** Parts that only some countries use; a street is everywhere. */
export const ADDRESS_PARTS = ['city', 'region', 'postal_code'] as const;
export type AddressPart = (typeof ADDRESS_PARTS)[number];

/** An address; absent texts are ''. */
export interface PostalAddress extends Readonly<Record<AddressPart, string>> {
  readonly country: string;
  readonly street: string;
  readonly street2: string;
}

/** The lines of an address in the form of its country, without the country's name. */
export async function addressLines(address: PostalAddress): Promise<string[]> {
  const { formatAddress } = await import('localized-address-format');
  return formatAddress({
    postalCountry: address.country,
    administrativeArea: address.region,
    locality: address.city,
    postalCode: address.postal_code,
    addressLines: [address.street, address.street2].filter((line) => line !== ''),
  });
}

const NAMED = { street: '', street2: '', city: 'city', region: 'region' } as const;

/** The parts that an address in a country has. */
export async function addressParts(country: string): Promise<AddressPart[]> {
  const lines = await addressLines({ ...NAMED, postal_code: 'postal_code', country });
  return ADDRESS_PARTS.filter((part) => lines.some((line) => line.includes(part)));
}

/** True where a country's postcodes have no plain shape, or this is one. */
export function isPostcode(country: string, text: string): boolean {
  return POSTCODES[country]?.test(text) ?? true;
}
