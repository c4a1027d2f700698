// A receipt as programs get it: the name of a template, and what a template shows. [G-43, G-66]
import { z } from 'zod';
import { displayAmount } from '../../../core/currency.ts';
import { strictObject, uuid } from '../../../core/schema.ts';
import { invoiceTime } from '../../../core/time.ts';
import type { Services } from '../../context.ts';
import { mailSettings, settingsOf } from '../../tenant/settings/index.ts';
import { receiptPath } from './receipt-link.ts';
import { RECEIPT_KINDS, RECEIPT_STATES, type Receipt, type ReceiptRow } from './receipt.ts';
import { money, shown } from './schema.ts';

const row = strictObject({ name: z.string(), ...money('amount') }).meta({ title: 'ReceiptRow' });

const attributes = strictObject({
  number: uuid(),
  state: z.enum(RECEIPT_STATES),
  date: z.string(),
  currency: z.string(),
  lines: z.array(row),
  ...money('subtotal', 'tax', 'fee', 'total'),
  payment_methods: z.array(row),
  sellers: z.array(z.string()).meta({
    description: 'Sellers that are verified businesses; private persons are not named.',
  }),
  shop: strictObject({
    name: z.string(),
    contact: z.string().meta({ description: "An address or a page; '' where none is known." }),
  }),
  url: z.string().meta({ description: 'Its page, which anybody who has the address can open.' }),
});

export const receiptAnswer = strictObject({
  receipt_data: strictObject({ template_id: z.enum(RECEIPT_KINDS), attributes }),
}).meta({ title: 'TransactionReceipt' });

type Parts = Pick<Services, 'db' | 'env' | 'keys' | 'urls'>;

/** The receipt of an account (a UUID) as programs get it. */
export async function receiptRecordOf(
  parts: Parts,
  { workspace, account }: { readonly workspace: number; readonly account: string },
  receipt: Receipt,
): Promise<z.output<typeof receiptAnswer>> {
  const { db, env, urls } = parts;
  const { name, contact } = await settingsOf(db, workspace);
  const { reply_to } = await mailSettings(db, workspace, env);
  const { number, state, at, currency, kind, sellers } = receipt;
  const rows = (of: readonly ReceiptRow[]) =>
    of.map((one) => ({ name: one.name, ...shown('amount', one.amount, currency) }));
  return {
    receipt_data: {
      template_id: kind,
      attributes: {
        ...{ number, state, date: invoiceTime(at), currency, lines: rows(receipt.lines) },
        ...shown('subtotal', receipt.subtotal, currency),
        ...shown('tax', receipt.tax, currency),
        ...shown('fee', receipt.fee, currency),
        ...shown('total', receipt.total, currency),
        payment_methods: rows(receipt.methods),
        sellers: [...sellers],
        shop: { name, contact: contact || reply_to },
        url: urls.hosted + receiptPath(parts, { workspace, account, transaction: number }),
      },
    },
  };
}

/** An amount of a receipt with its currency. */
export function amountOf({ currency }: Receipt, amount: number): string {
  return displayAmount(amount, currency);
}
