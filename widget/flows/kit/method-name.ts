// The name of a payment method. The platform names it in English until its owner does; that name is
// said in the page's language.
import { t } from '../texts.ts';

const GIVEN = /^(?:(Bank account)|(Card)|(.+)) ending in (\d{4})$/;

/** `Visa ending in 1111`; a name that somebody gave stays. */
export function methodName(name: string): string {
  const [, currency] = /^([A-Z]{3}) wallet$/.exec(name) ?? [];
  if (currency !== undefined) return t('sale.wallet', { currency });
  const [, bank, card, brand, digits] = GIVEN.exec(name) ?? [];
  if (digits === undefined) return name;
  if (bank !== undefined) return t('sale.bank_ending', { digits });
  if (card !== undefined) return t('sale.card_ending', { digits });
  return t('sale.brand_ending', { brand: brand ?? '', digits });
}
