// Reads of refunds: the current record, the record at a version, and all that was returned of an
// invoice.
import { prepared, raw, type Database, type Queryable } from '../../../db/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { toWire } from '../../../core/money.ts';
import { invoiceTime } from '../../../core/time.ts';
import { recordAtVersion } from '../../../outbox/index.ts';
import { givenBack, hasMoved, renderRefund, type Refund, type RefundMoment } from './render.ts';
import { refundRecord, shown, type InvoiceRefundsRecord, type RefundRecord } from './schema.ts';
import type { ReversalRow } from './tables.ts';

type MomentRow = Refund & RefundMoment & { readonly version: number };

const FACTS = `r.workspace, r.id, r.invoice_id, r.refund_invoice_id, r.line_item_id, r.currency,
  r.amount, r.reason, r.sub_reason, r.parts, r.lines, r.taxes, r.created`;
const NOW = `select ${FACTS}, s.version, s.to_state as state, s.at, s.detail
  from refund r cross join lateral (select * from history h
    where h.workspace = r.workspace and h.resource_id = r.id and h.version = r.version limit 1) s`;

/** The current refund, or null. On the primary. [M19] */
export async function readRefund(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<RefundRecord | null> {
  if (!isUuid(id)) return null;
  const [row] = await db.query<MomentRow>(prepared('read_refund')`
    ${raw(NOW)} where r.workspace = ${workspace} and r.id = ${id}`);
  return row === undefined ? null : renderRefund(row, row);
}

/** The refund record at a version. */
export const refundRecords = recordAtVersion<MomentRow>(
  { kind: 'refund', schema: refundRecord, table: 'refund r', columns: `${FACTS}, s.at` },
  (row) => renderRefund(row, row),
);

type ListedReversal = Omit<ReversalRow, 'attempt_id' | 'reference' | 'version' | 'secured'> & {
  readonly payment_method_id: string;
};

/** The most refunds that the list of an invoice holds; the latest ones. */
const MOST_LISTED = 500;

/** What was returned of an invoice, with its refunds in one status; null for an unknown invoice. */
export async function refundsOfInvoice(
  db: Database,
  workspace: number,
  id: string,
  status: string,
): Promise<InvoiceRefundsRecord | null> {
  if (!isUuid(id)) return null;
  const values = [workspace, id];
  // One snapshot, so that all parts of the answer are of the same moment.
  return db.transaction(async (tx) => {
    const [invoice] = await tx.query<{ total: bigint; currency: string; back: bigint }>({
      name: 'refunded_invoice',
      text: `select sale_term(id::text, document, 'total')::bigint as total,
          sale_term(id::text, document, 'currency') as currency,
          (select coalesce(sum(r.counted), 0)::bigint from refund r
            where r.workspace = d.workspace and r.invoice_id = d.id
              and r.state in ('REFUND-SUCCESS', 'REFUND-FAILED')) as back
        from invoice_document d where workspace = $1 and id = $2`,
      values,
    });
    if (invoice === undefined) return null;
    const refunds = await tx.query<MomentRow>({
      name: 'refunds_of_invoice',
      text: `${NOW}
        where r.workspace = $1 and r.invoice_id = $2 and r.state = $3
        order by r.created desc, r.id desc limit ${MOST_LISTED}`,
      values: [...values, status],
    });
    const reversals = await tx.query<ListedReversal>({
      name: 'reversals_of_invoice',
      text: `select v.workspace, v.id, v.resource_id, v.kind, v.amount, v.currency, v.state,
        v.created,
          v.updated, a.payment_method_id
        from reversal v join attempt a on a.workspace = v.workspace and a.id = v.attempt_id
        where v.workspace = $1 and v.resource_id = $2 order by v.created, v.id`,
      values,
    });
    return {
      invoice_id: id,
      is_fully_refunded: invoice.back > 0n && invoice.back === invoice.total,
      ...listed(refunds.reverse(), invoice.currency),
      reversals: Object.fromEntries(reversals.map((one) => [one.id, reversalOf(one)])),
    };
  }, 'begin isolation level repeatable read read only');
}

type Listed = Pick<
  InvoiceRefundsRecord,
  'refund_invoice_ids' | 'payments' | 'refunds' | 'line_item_refunds'
>;

function listed(rows: readonly MomentRow[], currency: string): Listed {
  const payments = new Map<string, number>();
  const lines = new Map<string, number>();
  const add = (sums: Map<string, number>, id: string, amount: number): void => {
    sums.set(id, (sums.get(id) ?? 0) + amount);
  };
  for (const row of rows) {
    const back = givenBack(row, row);
    for (const { method, amount } of back.parts) add(payments, method, amount);
    for (const [line, amount] of Object.entries(back.lines)) add(lines, line, amount);
  }
  const money = (sums: Map<string, number>): Listed['payments'] =>
    Object.fromEntries([...sums].map(([id, amount]) => [id, shown(amount, currency)]));
  return {
    refund_invoice_ids: rows.filter(hasMoved).map((row) => row.refund_invoice_id),
    payments: money(payments),
    refunds: Object.fromEntries(rows.map((row) => [row.id, renderRefund(row, row)])),
    line_item_refunds: money(lines),
  };
}

function reversalOf(row: ListedReversal): InvoiceRefundsRecord['reversals'][string] {
  return {
    reversal_id: row.id,
    payment_method_id: row.payment_method_id,
    kind: row.kind,
    ...shown(toWire(row.amount), row.currency),
    status: row.state,
    created: invoiceTime(row.created),
    updated: invoiceTime(row.updated),
  };
}
