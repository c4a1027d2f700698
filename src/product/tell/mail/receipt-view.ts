// What a receipt says to people, in their order: the mail, the page and the PDF show these rows.
import { amountOf, type Receipt, type ReceiptRow } from '../../money/history/index.ts';
import type { TenantSettings } from '../../tenant/settings/index.ts';
import { say } from './texts.ts';

/** Who a mail is from, as people read it. */
export interface Shop extends Pick<TenantSettings, 'look' | 'contact'> {
  readonly name: string;
  readonly fromName: string;
  /** '': none. */
  readonly replyTo: string;
  /** Says that nothing of it is real. */
  readonly isSandbox: boolean;
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
  const { number, kind, state, at, subtotal, tax, fee, total, sellers } = receipt;
  const named = (rows: readonly ReceiptRow[], otherwise: string): Row[] =>
    rows.map((row) => [row.name || otherwise, amountOf(receipt, row.amount)]);
  const sum = (label: string, amount: number): Row[] =>
    amount === 0 ? [] : [[label, amountOf(receipt, amount)]];
  const parts = [...sum(say('label.tax'), tax), ...sum(say('label.fee'), -fee)];
  return {
    title: say(`title.${kind}`),
    facts: [
      [say('label.number'), number],
      [say('label.date'), dayOf(at)],
      [say('label.shop'), shop.name],
      ...(sellers.length === 0 ? [] : [[say('label.sellers'), sellers.join(', ')] as const]),
      ...(state === 'done' ? [] : [[say('label.state'), say(`state.${state}`)] as const]),
    ],
    lines: named(receipt.lines, say('label.item')),
    sums: parts.length === 0 ? [] : [...sum(say('label.subtotal'), subtotal), ...parts],
    total: [say('label.total'), amountOf(receipt, total)],
    methods: named(receipt.methods, say('label.method')),
    ends: endsOf(shop),
  };
}

/** How people reach the shop, and whether it is real: the end of everything they are told. */
export function endsOf(shop: Shop): string[] {
  const address = shop.contact || shop.replyTo;
  const values = { shop: shop.name, address };
  const contact = say(address === '' ? 'contact.shop' : 'contact.address', values);
  return shop.isSandbox ? [contact, say('footer.sandbox')] : [contact];
}

function dayOf(at: string): string {
  const how = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat('en', how).format(new Date(at))} UTC`;
}
