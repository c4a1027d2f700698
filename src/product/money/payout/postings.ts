// The ledger entries of a payout's money, balanced: from the wallet into the system account of
// pending payouts, and from there to the processor or back. `line` is the lineage of the workspace.
import type { LedgerEntry } from '../../../engine/index.ts';
import { systemAccount, tracked } from '../../../ledger/index.ts';
import type { TransferRow } from '../wallet/index.ts';
import type { PayoutFacts } from './tables.ts';

type Rail = TransferRow['rail'];

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
export function payOut(lineage: number, payout: PayoutFacts, rail: Rail): LedgerEntry[] {
  const { currency, amount, fee_amount } = payout;
  const net = amount - fee_amount;
  if (rail === 'processor') return reversed(takeBackPayout(lineage, payout, rail));
  // The bank has debited what was handed over to it; only the fee is still pending.
  return [
    systemAccount(lineage, 'payout_pending', currency, -fee_amount),
    systemAccount(lineage, 'payout_handed_over', currency, -net),
    systemAccount(lineage, 'bank', currency, net),
    systemAccount(lineage, 'payout_fees', currency, fee_amount),
  ];
}

/** The processor or the bank has the net amount back, and the fee is no longer earned. */
export function takeBackPayout(lineage: number, payout: PayoutFacts, rail: Rail): LedgerEntry[] {
  const { currency, amount, fee_amount } = payout;
  const payer = rail === 'file' ? 'bank' : 'processor_clearing';
  return [
    systemAccount(lineage, 'payout_pending', currency, amount),
    systemAccount(lineage, payer, currency, fee_amount - amount),
    systemAccount(lineage, 'payout_fees', currency, -fee_amount),
  ];
}

function reversed(lines: readonly LedgerEntry[]): LedgerEntry[] {
  return lines.map((line) => ({ ...line, amount: -line.amount }));
}
