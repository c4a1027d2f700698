// VAT numbers: their shape and check digits by the rules of the country, which a library knows.
// Whether the number is in use is for operators, and for the vendor. [G-54]

/**
 * A VAT number without spaces, dots and hyphens; null where it is not one of this country. Where
 * the library has no rules, the number is taken as it is.
 */
export async function vatNumberOf(country: string, text: string): Promise<string | null> {
  const { default: vat } = await import('jsvat-next');
  const plain = text.toUpperCase().replaceAll(/[\s.-]/g, '');
  const rules = vat.countries.find(({ codes }) => codes.includes(country));
  return rules === undefined || vat.checkVAT(plain, [rules]).isValid ? plain : null;
}
