// The tally between its row and the arithmetic: read and written under the invoice's lock or its
// own. Answers for the sums in the row being those of its parts. [M12]
import { EngineFault, type Decision, type Want } from '../../engine/index.ts';
import type { Plan } from '../invoice/index.ts';
import { refundTallyTable } from './tables.ts';
import { EMPTY, type MethodTally, type Tally } from './tally.ts';

/** Names the tally of an invoice, under lock; there may be none yet. */
export function wantTally(want: Want, invoiceId: string): void {
  want.read(refundTallyTable, invoiceId);
  want.lock(refundTallyTable, invoiceId);
}

/** The tally of an invoice. */
export function tallyIn(decision: Decision, invoiceId: string): Tally {
  const row = decision.get(refundTallyTable, invoiceId);
  if (row === null) return EMPTY;
  return {
    lines: JSON.parse(row.lines) as Record<string, number>,
    methods: JSON.parse(row.methods) as Record<string, MethodTally>,
  };
}

/** Minor units of one charge that the buyer has back from their bank. [M15] */
export function chargedBackOf(decision: Decision, invoiceId: string, charge: string): number {
  return tallyIn(decision, invoiceId).methods[charge]?.charged_back ?? 0;
}

/** Writes a tally; the first one of an invoice is made from its plan. */
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
