// The one home of a refund's wire form: its row with what changes inserted. Pure.
import { displayAmount } from '../../../core/currency.ts';
import { toWire } from '../../../core/money.ts';
import { invoiceTime, type Instant } from '../../../core/time.ts';
import type { ReturnPart } from '../invoice/index.ts';
import type { RefundState } from './machine.ts';
import type { RefundRecord } from './schema.ts';
import type { RefundRow } from './tables.ts';
import { shared, sumOf, type Returned } from './refunded.ts';

/** What a step of a refund records besides its state. */
export interface RefundDetail {
  readonly failure_code?: string;
  /** Payment methods whose part the processor refused. */
  readonly refused?: readonly string[];
}

/** State, time and detail of a refund at one of its steps. */
export interface RefundMoment {
  readonly state: RefundState;
  readonly at: Instant;
  /** JSON of RefundDetail. */
  readonly detail: string | null;
}

/** The part of a refund that never changes. */
export type Refund = Omit<RefundRow, 'state' | 'version' | 'updated' | 'counted' | 'sealed_note'>;

/** The parts and line items of a refund as requested. */
export function invoiceRequestOf(row: Pick<Refund, 'parts' | 'lines' | 'amount'>): Returned {
  return {
    amount: toWire(row.amount),
    parts: JSON.parse(row.parts) as ReturnPart[],
    lines: JSON.parse(row.lines) as Record<string, number>,
  };
}

/** The refused parts, and how much less that returns for each line item. */
export function refusedOf(asked: Returned, refused: readonly string[]): Returned {
  const parts = asked.parts.filter((part) => refused.includes(part.method));
  const amount = sumOf(parts);
  return { amount, parts, lines: shared(amount, asked.lines) };
}

/** What is or was returned: nothing of a refused part. */
export function givenBack(row: Refund, moment: RefundMoment): Returned {
  const asked = invoiceRequestOf(row);
  const { refused = [] } = detailOf(moment);
  const less = refusedOf(asked, refused);
  const parts = asked.parts.map((part) => {
    return refused.includes(part.method) ? { ...part, amount: 0 } : part;
  });
  const lines = Object.entries(asked.lines).map(([id, amount]) => {
    return [id, amount - (less.lines[id] ?? 0)] as const;
  });
  return { amount: asked.amount - less.amount, parts, lines: Object.fromEntries(lines) };
}

function detailOf({ detail }: RefundMoment): RefundDetail {
  return detail === null ? {} : (JSON.parse(detail) as RefundDetail);
}

const MOVED: readonly string[] = ['REFUND-PENDING', 'REFUND-SUCCESS', 'REFUND-FAILED'];

/** True where money has moved, so that there is a refund invoice. */
export function hasMoved(moment: Pick<RefundMoment, 'state'>): boolean {
  return MOVED.includes(moment.state);
}

/** The refund record at one moment. */
export function renderRefund(row: Refund, moment: RefundMoment): RefundRecord {
  const { parts } = givenBack(row, moment);
  return {
    refund_id: row.id,
    invoice_id: row.invoice_id,
    refund_invoice_id: hasMoved(moment) ? row.refund_invoice_id : '',
    line_item_id: row.line_item_id ?? '',
    status: moment.state,
    amount: toWire(row.amount),
    currency: row.currency,
    display_amount: displayAmount(row.amount, row.currency),
    reason: row.reason,
    sub_reason: row.sub_reason,
    payment_methods: Object.fromEntries(parts.map((part) => [part.method, part.amount])),
    failure_code: detailOf(moment).failure_code ?? '',
    created: invoiceTime(row.created),
    updated: invoiceTime(moment.at),
  };
}
