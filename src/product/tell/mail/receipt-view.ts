// What a receipt says to people, in their order: the mail, the page and the PDF show these rows.
import { amountOf, type Receipt, type ReceiptRow } from '../../money/history/index.ts';
import { amountText } from '../../../../texts/amount.ts';
import { methodNameBy } from '../../../../texts/method-name.ts';
import { say, type Key, type Texts } from '../../../texts/index.ts';
import type { TenantSettings } from '../../tenant/settings/index.ts';

/** Who a mail is from, as people read it. */
export interface Shop extends Pick<TenantSettings, 'look' | 'contact'> {
  readonly name: string;
  readonly fromName: string;
  /** '': none. */
  readonly replyTo: string;
  /** Says that nothing of it is real. */
  readonly isSandbox: boolean;
  /** By BCP 47. */
  readonly language: string;
  /** What is said in it. */
  readonly texts: Texts;
}

export type Row = readonly [name: string, value: string];

/** A receipt in words. */
export interface ReceiptView {
  readonly title: string;
  /** Number, date, whom it is from, and what became of the money where it is not done. */
  readonly facts: readonly Row[];
  readonly lines: readonly Row[];
  /** What the total is made of, where that is more than the lines. */
  readonly sums: readonly Row[];
  readonly total: Row;
  readonly methods: readonly Row[];
  /** How to reach the shop, and that nothing of it is real. */
  readonly ends: readonly string[];
}

/** The receipt in the words of people. */
export function viewOf(receipt: Receipt, shop: Shop): ReceiptView {
  const told = (key: Key): string => say(shop.texts, key);
  const money = (amount: number): string =>
    amountText(amountOf(receipt, amount), shop.texts.about.locale);
  const { number, kind, state, at, subtotal, tax, fee, total, sellers } = receipt;
  const named = (rows: readonly ReceiptRow[], otherwise: string): Row[] =>
    rows.map((row) => [row.name || otherwise, money(row.amount)]);
  const inWords = ({ name, amount }: ReceiptRow): ReceiptRow => {
    return { name: methodNameBy(name, (key, values) => say(shop.texts, key, values)), amount };
  };
  const fact = (label: string, value: string): Row[] => (value === '' ? [] : [[label, value]]);
  const sum = (label: string, amount: number): Row[] =>
    amount === 0 ? [] : [[label, money(amount)]];
  const parts = [...sum(told('receipt.label_tax'), tax), ...sum(told('receipt.label_fee'), -fee)];
  return {
    title: told(`receipt.title_${kind}`),
    facts: [
      [told('receipt.label_number'), number],
      [told('receipt.label_date'), dayOf(at, shop.texts)],
      [told('receipt.label_shop'), shop.name],
      ...fact(told('receipt.label_sellers'), sellers.join(', ')),
      ...fact(told('receipt.label_state'), state === 'done' ? '' : told(`receipt.state_${state}`)),
    ],
    lines: named(receipt.lines, told('receipt.label_item')),
    sums: parts.length === 0 ? [] : [...sum(told('receipt.label_subtotal'), subtotal), ...parts],
    total: [told('receipt.label_total'), money(total)],
    methods: named(receipt.methods.map(inWords), told('receipt.label_method')),
    ends: endsOf(shop),
  };
}

/** How people reach the shop, and whether it is real: the end of everything they are told. */
export function endsOf(shop: Shop): string[] {
  const address = shop.contact || shop.replyTo;
  const values = { shop: shop.name, address };
  const key = address === '' ? 'receipt.contact_shop' : 'receipt.contact_address';
  const contact = say(shop.texts, key, values);
  return shop.isSandbox ? [contact, say(shop.texts, 'receipt.footer_sandbox')] : [contact];
}

/** A moment in a language, in UTC. */
export function dayOf(at: string, { about }: Texts): string {
  const how = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(about.dates ?? about.locale, how).format(new Date(at))} UTC`;
}
