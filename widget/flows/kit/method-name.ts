// The name of a payment method. The platform names it in English until its owner does; that name is
// said in the page's language.
import { t } from '../texts.ts';

/** `Visa ending in 1111`; a name that somebody gave stays. */
export function methodName(name: string): string {
  const [, brand = '', digits = ''] = /^(.+) ending in (\d{4})$/.exec(name) ?? [];
  if (digits === '') return name;
  if (brand === 'Bank account') return t('sale.bank_ending', { digits });
  if (brand === 'Card') return t('sale.card_ending', { digits });
  return t('sale.brand_ending', { brand, digits });
}
