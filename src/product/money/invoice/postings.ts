// The ledger entries of an invoice's money, balanced. A payment from wallets alone goes from buyer
// to seller at once; with cards, the wallet parts wait in holding until all cards have answered.
import type { Line } from '../../../engine/index.ts';
import { house, tracked } from '../../../ledger/index.ts';
import type { CreditPart, Plan } from './allocation.ts';

/** True where a seller's wallet may be credited; otherwise the money is restricted. [G-38] */
export type Accrues = (credit: CreditPart) => boolean;

/** Moves the wallet parts from the buyer's wallets into holding while cards are asked. [G-41] */
export function holdWalletParts(line: number, plan: Plan): Line[] {
  const lines = walletDebits(plan);
  return [...lines, house(line, 'holding', plan.currency, -sum(lines))];
}

/** Returns the held wallet parts. */
export function releaseWalletParts(line: number, plan: Plan): Line[] {
  const lines = walletDebits(plan).map((line) => ({ ...line, amount: -line.amount }));
  return [...lines, house(line, 'holding', plan.currency, -sum(lines))];
}

/** Pays the `credits` out of the buyer's wallets, where no card is involved. */
export function settleFromWallets(plan: Plan, credits: readonly Line[]): Line[] {
  return [...walletDebits(plan), ...credits];
}

/** Pays the `credits` out of holding and of what the processor captured. */
export function settleFromHolding(line: number, plan: Plan, credits: readonly Line[]): Line[] {
  const held = sum(walletDebits(plan));
  const captured = plan.charges
    .filter((part) => part.wallet === '')
    .reduce((total, part) => total + BigInt(part.amount), 0n);
  return [
    house(line, 'holding', plan.currency, held),
    house(line, 'processor_clearing', plan.currency, -captured),
    ...credits,
  ];
}

function walletDebits(plan: Plan): Line[] {
  return plan.charges
    .filter((part) => part.wallet !== '')
    .map((part) => tracked(part.wallet, plan.currency, -BigInt(part.amount)));
}

/** What sellers and integrator receive, from a sale or from an escrow's commit. */
export function creditLines(line: number, plan: Plan, accrues: Accrues): Line[] {
  const lines = plan.credits.map((credit) =>
    tracked(
      accrues(credit) ? credit.wallet : credit.keptBack,
      plan.currency,
      BigInt(credit.amount),
    ),
  );
  if (plan.integrator > 0) {
    lines.push(house(line, 'integrator_share', plan.currency, BigInt(plan.integrator)));
  }
  return lines;
}

function sum(lines: readonly Line[]): bigint {
  return lines.reduce((total, line) => total + line.amount, 0n);
}
