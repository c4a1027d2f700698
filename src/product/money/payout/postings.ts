// The ledger entries of a payout's money, balanced: from the wallet into the system account of
// pending payouts, and from there to the processor or back. `line` is the lineage of the workspace.
import type { Line } from '../../../engine/index.ts';
import { systemAccount, tracked } from '../../../ledger/index.ts';
import type { PayoutFacts } from './tables.ts';

/** Takes the amount out of the wallet. */
export function holdPayout(line: number, payout: PayoutFacts): Line[] {
  const { source_wallet_id, currency, amount } = payout;
  return [
    tracked(source_wallet_id, currency, -amount),
    systemAccount(line, 'payout_pending', currency, amount),
  ];
}

/**
 * Returns the amount to the wallet itself, even while the owner may not earn: it is their own
 * money. [G-38]
 */
export function giveBackPayout(line: number, payout: PayoutFacts): Line[] {
  return reversed(holdPayout(line, payout));
}

/** The processor has paid the net amount out, and the fee is earned. */
export function payOut(line: number, payout: PayoutFacts): Line[] {
  const { currency, amount, fee_amount } = payout;
  return [
    systemAccount(line, 'payout_pending', currency, -amount),
    systemAccount(line, 'processor_clearing', currency, amount - fee_amount),
    systemAccount(line, 'payout_fees', currency, fee_amount),
  ];
}

/** The processor has the net amount back, and the fee is no longer earned. */
export function takeBackPayout(line: number, payout: PayoutFacts): Line[] {
  return reversed(payOut(line, payout));
}

function reversed(lines: readonly Line[]): Line[] {
  return lines.map((line) => ({ ...line, amount: -line.amount }));
}
