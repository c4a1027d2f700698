// Who is credited by a sale or by the commit of an escrow, and how much: sellers who may not be
// credited now get restricted funds, and sellers who owe for disputes repay first. [G-38, G-93]
import type { Decision, LedgerEntry, ReadSet } from '../../../engine/index.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { repayDebts } from '../wallet/index.ts';
import type { Allocation, CreditPart } from './allocation.ts';
import { creditLines } from './postings.ts';

/**
 * Locks the wallets that are credited, and the restricted ledger account of each seller who may not
 * be credited now. [G-38]
 */
export function loadCredits(rows: ReadSet, allocation: Allocation): void {
  for (const credit of allocation.credits) {
    const wallet = rows.lock(balanceTable, credit.wallet);
    if (wallet?.accrues === false) rows.lock(balanceTable, credit.restricted);
  }
}

/** Credits sellers and integrator by the locked rows; who owes for disputes repays first. */
export function creditsOf(
  decision: Decision,
  allocation: Allocation,
  invoiceId: string,
): readonly LedgerEntry[] {
  const balanceOf = (credit: CreditPart) => decision.get(balanceTable, credit.wallet);
  const accrues = (credit: CreditPart): boolean => balanceOf(credit)?.accrues !== false;
  const owing = allocation.credits.some((credit) => (balanceOf(credit)?.owes ?? 0n) > 0n);
  const paid = owing ? lessDebts(decision, allocation, invoiceId) : allocation;
  return creditLines(decision.lineage, paid, accrues);
}

/** The allocation without what the sellers repay, which is the integrator's. */
function lessDebts(decision: Decision, allocation: Allocation, invoiceId: string): Allocation {
  const repaid = repayDebts(decision, invoiceId, allocation.credits);
  const credits = allocation.credits.map((credit, at) => {
    return { ...credit, amount: credit.amount - (repaid[at] ?? 0) };
  });
  const sum = repaid.reduce((total, amount) => total + amount, 0);
  const integrator = allocation.integrator + sum;
  return { ...allocation, credits, integrator };
}
