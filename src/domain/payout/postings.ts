// Named movements of a payout's money: facts in, balanced lines out. From the wallet into the house
// account of payouts under way, and from there out of the house or back into the wallet.
import type { Line } from '../../engine/index.ts';
import { house, tracked } from '../../ledger/index.ts';
import type { PayoutFacts } from './tables.ts';

/** Takes the amount out of the wallet. */
export function holdPayout({ world, source_wallet_id, currency, amount }: PayoutFacts): Line[] {
  return [
    tracked(source_wallet_id, currency, -amount),
    house(world, 'payout_pending', currency, amount),
  ];
}

/**
 * Puts the amount into the wallet again: the wallet itself, whatever is required of the owner
 * meanwhile, since it is their own money and nothing that they earned. [G-38]
 */
export function giveBackPayout(payout: PayoutFacts): Line[] {
  return reversed(holdPayout(payout));
}

/** The net amount has left through the processor, the fee is earned. */
export function payOut({ world, currency, amount, fee_amount }: PayoutFacts): Line[] {
  return [
    house(world, 'payout_pending', currency, -amount),
    house(world, 'processor_clearing', currency, amount - fee_amount),
    house(world, 'payout_fees', currency, fee_amount),
  ];
}

/** The processor has the net amount again, and the fee is earned no more. */
export function takeBackPayout(payout: PayoutFacts): Line[] {
  return reversed(payOut(payout));
}

function reversed(lines: readonly Line[]): Line[] {
  return lines.map((line) => ({ ...line, amount: -line.amount }));
}
