// Reads the invoices of an account: those that it pays and, if requested, those that pay it.
// Cancel, refund and commit invoices are not listed.
import type { Queryable } from '../../../db/index.ts';
import type { JsonText } from '../../../core/json-text.ts';
import { renderInvoice } from '../invoice/index.ts';
import { one, PARTS, PURCHASES, withInvoices } from './parts.ts';
import type { InvoicePart } from './read.ts';

/** A requested list. Null states: all. Kinds of documents; '' for a plain purchase. */
export interface InvoiceList {
  readonly limit: number;
  readonly offset: number;
  readonly states: readonly string[] | null;
  readonly kinds: readonly string[];
  readonly sort: 'asc' | 'desc';
  readonly field: 'created' | 'updated';
  readonly recipient: boolean;
}

type Row = Pick<
  InvoicePart,
  'lineage' | 'id' | 'document' | 'state' | 'updated' | 'failure_code'
>;

/** The invoices of a page, each as its record. */
export async function invoicesOf(
  db: Queryable,
  workspace: number,
  account: string,
  { limit, offset, states, kinds, sort, field, recipient }: InvoiceList,
): Promise<JsonText[]> {
  const parts = recipient ? PARTS : PURCHASES;
  const order = `order by v.${field} ${sort}, v.id ${sort}`;
  const rows = await db.query<Row>({
    name: `invoices_of_account_${field}_${sort}${recipient ? '_all' : ''}`,
    text: `select (select lineage from workspace where workspace = $1) as lineage, v.id, d.document,
      v.state,
        v.updated, i.failure_code
      from (select * from (${withInvoices(parts)}) v
        where coalesce(v.kind, '') = any($6) and ($3::text[] is null or v.state = any($3))
        ${order} limit $4 offset $5) v
      ${one('invoice', 'failure_code', 'id = v.id', 'i')}
      ${one('invoice_document', 'document', 'id = v.id', 'd')}
      ${order}`,
    values: [workspace, account, states, limit, offset, kinds],
  });
  return rows.map((row) => renderInvoice(row.lineage, row, row));
}
