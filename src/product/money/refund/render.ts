// The one home of a refund's wire form: its row with what changes inserted. Pure.
import { displayAmount } from '../../../core/currency.ts';
import { proportionOf, toWire } from '../../../core/money.ts';
import { invoiceTime, type Instant } from '../../../core/time.ts';
import type { ReturnPart } from '../invoice/index.ts';
import type { RefundState } from './machine.ts';
import { shown, type RefundRecord } from './schema.ts';
import type { RefundRow } from './tables.ts';
import { shared, sumOf, taxIn, type Returned } from './refunded.ts';

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
export function invoiceRequestOf(
  row: Pick<Refund, 'parts' | 'lines' | 'taxes' | 'amount'>,
): Returned {
  return {
    amount: toWire(row.amount),
    parts: JSON.parse(row.parts) as ReturnPart[],
    lines: JSON.parse(row.lines) as Record<string, number>,
    taxes: JSON.parse(row.taxes) as Record<string, number>,
  };
}

/** The refused parts, and how much less that returns for each line item, of its tax too. */
export function refusedOf(asked: Returned, refused: readonly string[]): Returned {
  const parts = asked.parts.filter((part) => refused.includes(part.method));
  const amount = sumOf(parts);
  const lines = shared(amount, asked.lines);
  const taxes = Object.entries(asked.taxes).map(([id, tax]) => {
    return [id, proportionOf(tax, lines[id] ?? 0, asked.lines[id] ?? 0)] as const;
  });
  return { amount, parts, lines, taxes: Object.fromEntries(taxes) };
}

/** What is or was returned: nothing of a refused part. */
export function givenBack(row: Refund, moment: RefundMoment): Returned {
  const asked = invoiceRequestOf(row);
  const { refused = [] } = detailOf(moment);
  const less = refusedOf(asked, refused);
  const parts = asked.parts.map((part) => {
    return refused.includes(part.method) ? { ...part, amount: 0 } : part;
  });
  const rest = (of: 'lines' | 'taxes'): Returned['lines'] => {
    const left = Object.entries(asked[of]).map(([id, amount]) => {
      return [id, amount - (less[of][id] ?? 0)] as const;
    });
    return Object.fromEntries(left);
  };
  const amount = asked.amount - less.amount;
  return { amount, parts, lines: rest('lines'), taxes: rest('taxes') };
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
  const tax = taxIn(invoiceRequestOf(row));
  return {
    refund_id: row.id,
    invoice_id: row.invoice_id,
    refund_invoice_id: hasMoved(moment) ? row.refund_invoice_id : '',
    line_item_id: row.line_item_id ?? '',
    status: moment.state,
    amount: toWire(row.amount),
    currency: row.currency,
    display_amount: displayAmount(row.amount, row.currency),
    ...(tax > 0 && { tax: shown(tax, row.currency) }),
    reason: row.reason,
    sub_reason: row.sub_reason,
    payment_methods: Object.fromEntries(parts.map((part) => [part.method, part.amount])),
    failure_code: detailOf(moment).failure_code ?? '',
    created: invoiceTime(row.created),
    updated: invoiceTime(moment.at),
  };
}
