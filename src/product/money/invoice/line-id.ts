// A line item's id is its invoice's id with the item's position added to 20 of the last 24 bits. So
// the invoice is found from the id alone: a creation writes no row and no index for it.
import type { Queryable } from '../../../db/index.ts';
import { isUuid } from '../../../core/ids.ts';
import type { SaleTerms } from './sale-terms.ts';
import { saleTermsOf } from './stored-terms.ts';

/** Where the 20 bits are. The last digit stays: it distinguishes the invoices of one escrow. */
const [FIRST, END] = [30, 35];

/** The id of the line item at position `at` (from 0): a UUIDv7 with the invoice's timestamp. */
export function lineItemId(invoiceId: string, at: number): string {
  const bits = Number.parseInt(invoiceId.slice(FIRST, END), 16) + at + 1;
  const digits = (bits & 0xfffff).toString(16).padStart(END - FIRST, '0');
  return invoiceId.slice(0, FIRST) + digits + invoiceId.slice(END);
}

/** Gives ids to the subitems of an invoice with so many line items: those after the items' own. */
export function subitemIds(invoiceId: string, lines: number): () => string {
  let at = lines;
  return () => lineItemId(invoiceId, at++);
}

/** An invoice with its terms. */
export interface AgreedInvoice {
  readonly id: string;
  readonly saleTerms: SaleTerms;
}

/** The invoice that has this line item, or null. A lookup in a narrow range of the primary key. */
export async function invoiceOfLine(
  db: Queryable,
  workspace: number,
  lineId: string,
): Promise<AgreedInvoice | null> {
  if (!isUuid(lineId)) return null;
  const start = lineId.slice(0, FIRST);
  const rows = await db.query<{ id: string; document: string }>({
    name: 'invoice_of_line',
    text: `select id, document from invoice_document
      where workspace = $1 and id between $2::uuid and $3::uuid`,
    values: [workspace, `${start}000000`, `${start}ffffff`],
  });
  for (const row of rows) {
    const saleTerms = saleTermsOf(row);
    if (saleTerms.lines.some((line) => line.id === lineId)) return { id: row.id, saleTerms };
  }
  return null;
}
