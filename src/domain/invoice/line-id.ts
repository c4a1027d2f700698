// Ids of line items, from which their invoice is found: the invoice's own id with the line's number
// added to 20 of its last 24 bits. So finding a line costs a creation nothing: no row, no index.
// Refuses to know what is done with a line.
import type { Queryable } from '../../db/index.ts';
import { isUuid } from '../../kernel/ids.ts';
import { agreementOf, type Agreement } from './agreement.ts';

/** Where the 20 bits stand: the last digit stays, it tells the invoices of an escrow apart. */
const [FIRST, END] = [30, 35];

/** The id of line number `at` of an invoice: a UUIDv7 of the same moment. */
export function lineItemId(invoiceId: string, at: number): string {
  const bits = Number.parseInt(invoiceId.slice(FIRST, END), 16) + at + 1;
  const digits = (bits & 0xfffff).toString(16).padStart(END - FIRST, '0');
  return invoiceId.slice(0, FIRST) + digits + invoiceId.slice(END);
}

/** An invoice as it was agreed. */
export interface AgreedInvoice {
  readonly id: string;
  readonly agreement: Agreement;
}

/** The invoice that has this line, or null. A look-up in a narrow range of the primary key. */
export async function invoiceOfLine(
  db: Queryable,
  world: number,
  lineId: string,
): Promise<AgreedInvoice | null> {
  if (!isUuid(lineId)) return null;
  const start = lineId.slice(0, FIRST);
  const rows = await db.query<{ id: string; document: string }>({
    name: 'invoice_of_line',
    text: `select id, document from invoice_document
      where world = $1 and id between $2::uuid and $3::uuid`,
    values: [world, `${start}000000`, `${start}ffffff`],
  });
  for (const row of rows) {
    const agreement = agreementOf(row);
    if (agreement.lines.some((line) => line.id === lineId)) return { id: row.id, agreement };
  }
  return null;
}
