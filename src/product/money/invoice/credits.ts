// Who is credited by a sale or by the commit of an escrow, and how much: sellers who may not be
// credited now get restricted funds, sellers who owe for disputes repay first, and of the rest the
// share that the terms name goes into reserve. [G-38, G-93]
import type { Decision, LedgerEntry, ReadSet } from '../../../engine/index.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { lockReserve, restrict } from '../reserve/index.ts';
import { repayDebts } from '../wallet/index.ts';
import type { ReserveTerms } from '../../context.ts';
import type { Allocation, CreditPart } from './allocation.ts';
import { creditLines } from './postings.ts';

/**
 * Locks the wallets that are credited, and the restricted ledger account of each seller who may not
 * be credited now [G-38] or has a share of it restricted. [G-93]
 */
export function loadCredits(rows: ReadSet, { credits, reserve }: Allocation): void {
  for (const credit of credits) {
    const wallet = rows.lock(balanceTable, credit.wallet);
    if (reserve !== undefined) lockReserve(rows, credit.restricted);
    if (reserve !== undefined || wallet?.accrues === false) {
      rows.lock(balanceTable, credit.restricted);
    }
  }
}

/** Credits sellers and integrator by the locked rows; who owes for disputes repays first. */
export function creditsOf(
  decision: Decision,
  allocation: Allocation,
  invoiceId: string,
): readonly LedgerEntry[] {
  const { reserve } = allocation;
  const balanceOf = (credit: CreditPart) => decision.get(balanceTable, credit.wallet);
  const accrues = (credit: CreditPart): boolean => balanceOf(credit)?.accrues !== false;
  const owing = allocation.credits.some((credit) => (balanceOf(credit)?.owes ?? 0n) > 0n);
  const paid = owing ? lessDebts(decision, allocation, invoiceId) : allocation;
  const shared = reserve === undefined ? paid : lessReserve(decision, paid, invoiceId, reserve);
  return creditLines(decision.lineage, shared, accrues);
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

/** The allocation with each seller's share, rounded down, credited to what is restricted. */
function lessReserve(
  decision: Decision,
  allocation: Allocation,
  invoiceId: string,
  { percent, days }: ReserveTerms,
): Allocation {
  const { currency } = allocation;
  const credits: CreditPart[] = [];
  const sellers = Map.groupBy(allocation.credits, ({ wallet }) => wallet);
  for (const [wallet, parts] of sellers) {
    const earned = parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    const amount = (earned * BigInt(percent)) / 100n;
    const [first] = parts;
    if (amount === 0n || first === undefined) {
      credits.push(...parts);
      continue;
    }
    const { owner: account, restricted } = first;
    restrict(decision, { invoiceId, account, wallet, restricted, currency, amount, days });
    credits.push({ ...first, amount: Number(earned - amount) });
    credits.push({ ...first, wallet: restricted, amount: Number(amount) });
  }
  return { ...allocation, credits };
}
