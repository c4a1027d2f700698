// Maps the refunded amounts of an invoice between their row and the arithmetic in
// refunded.ts, always under a lock. The sums in the row are computed from its parts. [M12]
import { EngineFault, type Decision, type ReadSet } from '../../../engine/index.ts';
import type { Allocation } from '../invoice/index.ts';
import { refundedAmountsTable, type RefundedAmountsRow } from './tables.ts';
import { EMPTY, type MethodRefunded, type RefundedAmounts } from './refunded.ts';

/** Locks the refunded amounts of an invoice; the row may not exist yet. */
export function readRefunded(rows: ReadSet, invoiceId: string): RefundedAmountsRow | null {
  rows.lock(refundedAmountsTable, invoiceId);
  return rows.read(refundedAmountsTable, invoiceId);
}

/** The refunded amounts of an invoice. */
export function refundedIn(decision: Decision, invoiceId: string): RefundedAmounts {
  return refundedOf(decision.get(refundedAmountsTable, invoiceId));
}

/** The refunded amounts of a row; empty where there is no row yet. */
export function refundedOf(
  row: Pick<RefundedAmountsRow, 'lines' | 'methods' | 'taxes'> | null,
): RefundedAmounts {
  if (row === null) return EMPTY;
  return {
    lines: JSON.parse(row.lines) as Record<string, number>,
    methods: JSON.parse(row.methods) as Record<string, MethodRefunded>,
    taxes: JSON.parse(row.taxes) as Record<string, number>,
  };
}

/** Minor units of one charge that the buyer's bank took back. [M15] */
export function chargedBackOf(decision: Decision, invoiceId: string, charge: string): number {
  return refundedIn(decision, invoiceId).methods[charge]?.charged_back ?? 0;
}

/** Writes the refunded amounts; `plan` is needed for the first row of an invoice. */
export function saveRefunded(
  decision: Decision,
  invoiceId: string,
  allocation: Allocation | null,
  refundedAmounts: RefundedAmounts,
): void {
  const sum = (of: keyof MethodRefunded): bigint =>
    Object.values(refundedAmounts.methods).reduce(
      (total, method) => total + BigInt(method[of]),
      0n,
    );
  const sums = {
    refunded: sum('refunded'),
    charged_back: sum('charged_back'),
    lines: JSON.stringify(refundedAmounts.lines),
    methods: JSON.stringify(refundedAmounts.methods),
    taxes: JSON.stringify(refundedAmounts.taxes),
  };
  const row = decision.get(refundedAmountsTable, invoiceId);
  if (row !== null) {
    decision.update(refundedAmountsTable, invoiceId, { ...sums, version: row.version + 1 });
    return;
  }
  if (allocation === null) throw new EngineFault('a refund has no refundedAmounts');
  const { workspace } = decision;
  const charged = BigInt(allocation.total);
  const head = { workspace, id: invoiceId, currency: allocation.currency, charged, version: 1 };
  decision.insert(refundedAmountsTable, { ...head, ...sums });
}
