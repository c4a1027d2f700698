// The ledger entries of a payout's money, balanced: from the wallet into the system account of
// pending payouts, and from there to the processor or back. `line` is the lineage of the workspace.
import type { LedgerEntry } from '../../../engine/index.ts';
import { systemAccount, tracked } from '../../../ledger/index.ts';
import type { PayoutFacts } from './tables.ts';

/** Takes the amount out of the wallet. */
export function holdPayout(lineage: number, payout: PayoutFacts): LedgerEntry[] {
  const { source_wallet_id, currency, amount } = payout;
  return [
    tracked(source_wallet_id, currency, -amount),
    systemAccount(lineage, 'payout_pending', currency, amount),
  ];
}

/**
 * Returns the amount to the wallet itself, even while the owner may not earn: it is their own
 * money. [G-38]
 */
export function giveBackPayout(lineage: number, payout: PayoutFacts): LedgerEntry[] {
  return reversed(holdPayout(lineage, payout));
}

/** The processor has paid the net amount out, and the fee is earned. */
export function payOut(lineage: number, payout: PayoutFacts): LedgerEntry[] {
  const { currency, amount, fee_amount } = payout;
  return [
    systemAccount(lineage, 'payout_pending', currency, -amount),
    systemAccount(lineage, 'processor_clearing', currency, amount - fee_amount),
    systemAccount(lineage, 'payout_fees', currency, fee_amount),
  ];
}

/** The processor has the net amount back, and the fee is no longer earned. */
export function takeBackPayout(lineage: number, payout: PayoutFacts): LedgerEntry[] {
  return reversed(payOut(lineage, payout));
}

function reversed(lines: readonly LedgerEntry[]): LedgerEntry[] {
  return lines.map((line) => ({ ...line, amount: -line.amount }));
}
