// Named movements of a payout's money: facts in, balanced lines out. From the wallet into the house
// account of payouts under way, and from there out of the house or back into the wallet. `line` is
// that of the payout's world.
import type { Line } from '../../engine/index.ts';
import { house, tracked } from '../../ledger/index.ts';
import type { PayoutFacts } from './tables.ts';

/** Takes the amount out of the wallet. */
export function holdPayout(line: number, payout: PayoutFacts): Line[] {
  const { source_wallet_id, currency, amount } = payout;
  return [
    tracked(source_wallet_id, currency, -amount),
    house(line, 'payout_pending', currency, amount),
  ];
}

/**
 * Puts the amount into the wallet again: the wallet itself, whatever is required of the owner
 * meanwhile, since it is their own money and nothing that they earned. [G-38]
 */
export function giveBackPayout(line: number, payout: PayoutFacts): Line[] {
  return reversed(holdPayout(line, payout));
}

/** The net amount has left through the processor, the fee is earned. */
export function payOut(line: number, payout: PayoutFacts): Line[] {
  const { currency, amount, fee_amount } = payout;
  return [
    house(line, 'payout_pending', currency, -amount),
    house(line, 'processor_clearing', currency, amount - fee_amount),
    house(line, 'payout_fees', currency, fee_amount),
  ];
}

/** The processor has the net amount again, and the fee is earned no more. */
export function takeBackPayout(line: number, payout: PayoutFacts): Line[] {
  return reversed(payOut(line, payout));
}

function reversed(lines: readonly Line[]): Line[] {
  return lines.map((line) => ({ ...line, amount: -line.amount }));
}
