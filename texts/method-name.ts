// The name of a payment method in a language. The platform names it in English until its owner does.
import type { Values } from './say.ts';

const GIVEN = /^(?:(Bank account)|(Card)|(.+)) ending in (\d{4})$/;

type NameKey = 'sale.wallet' | 'sale.bank_ending' | 'sale.card_ending' | 'sale.brand_ending';

/** `Visa ending in 1111`, as `told` says it; a name that somebody gave stays. */
export function methodNameBy(
  name: string,
  told: (key: NameKey, values: Values) => string,
): string {
  const [, currency] = /^([A-Z]{3}) wallet$/.exec(name) ?? [];
  if (currency !== undefined) return told('sale.wallet', { currency });
  const [, bank, card, brand, digits] = GIVEN.exec(name) ?? [];
  if (digits === undefined) return name;
  if (bank !== undefined) return told('sale.bank_ending', { digits });
  if (card !== undefined) return told('sale.card_ending', { digits });
  return told('sale.brand_ending', { brand: brand ?? '', digits });
}
