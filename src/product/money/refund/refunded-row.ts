// Maps the refunded amounts of an invoice between their row and the arithmetic in tally.ts, always
// under a lock. The sums in the row are computed from its parts. [M12]
import { EngineFault, type Decision, type Want } from '../../../engine/index.ts';
import type { Plan } from '../invoice/index.ts';
import { refundTallyTable } from './tables.ts';
import { EMPTY, type MethodTally, type Tally } from './refunded.ts';

/** Locks the refunded amounts of an invoice; the row may not exist yet. */
export function wantTally(want: Want, invoiceId: string): void {
  want.read(refundTallyTable, invoiceId);
  want.lock(refundTallyTable, invoiceId);
}

/** The refunded amounts of an invoice; empty where there is no row yet. */
export function tallyIn(decision: Decision, invoiceId: string): Tally {
  const row = decision.get(refundTallyTable, invoiceId);
  if (row === null) return EMPTY;
  return {
    lines: JSON.parse(row.lines) as Record<string, number>,
    methods: JSON.parse(row.methods) as Record<string, MethodTally>,
  };
}

/** Minor units of one charge that the buyer's bank took back. [M15] */
export function chargedBackOf(decision: Decision, invoiceId: string, charge: string): number {
  return tallyIn(decision, invoiceId).methods[charge]?.charged_back ?? 0;
}

/** Writes the refunded amounts; `plan` is needed for the first row of an invoice. */
export function saveTally(
  decision: Decision,
  invoiceId: string,
  plan: Plan | null,
  tally: Tally,
): void {
  const sum = (of: keyof MethodTally): bigint =>
    Object.values(tally.methods).reduce((total, method) => total + BigInt(method[of]), 0n);
  const sums = {
    refunded: sum('refunded'),
    charged_back: sum('charged_back'),
    lines: JSON.stringify(tally.lines),
    methods: JSON.stringify(tally.methods),
  };
  const row = decision.get(refundTallyTable, invoiceId);
  if (row !== null) {
    decision.update(refundTallyTable, invoiceId, { ...sums, version: row.version + 1 });
    return;
  }
  if (plan === null) throw new EngineFault('a refund has no tally');
  const { world } = decision;
  const charged = BigInt(plan.total);
  const head = { world, id: invoiceId, currency: plan.currency, charged, version: 1 };
  decision.insert(refundTallyTable, { ...head, ...sums });
}
