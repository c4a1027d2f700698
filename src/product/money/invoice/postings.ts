// The ledger entries of an invoice's money, balanced. A payment from wallets alone goes from buyer
// to seller at once; with cards, the wallet parts wait in holding until all cards have answered.
import type { LedgerEntry } from '../../../engine/index.ts';
import { systemAccount, tracked } from '../../../ledger/index.ts';
import type { CreditPart, Allocation } from './allocation.ts';

/** True where a seller's wallet may be credited; otherwise the money is restricted. [G-38] */
export type Accrues = (credit: CreditPart) => boolean;

/** Moves the wallet parts from the buyer's wallets into holding while cards are asked. [G-41] */
export function holdWalletParts(lineage: number, allocation: Allocation): LedgerEntry[] {
  const lines = walletDebits(allocation);
  return [...lines, systemAccount(lineage, 'holding', allocation.currency, -sum(lines))];
}

/** Returns the held wallet parts. */
export function releaseWalletParts(lineage: number, allocation: Allocation): LedgerEntry[] {
  const lines = walletDebits(allocation).map((line) => ({ ...line, amount: -line.amount }));
  return [...lines, systemAccount(lineage, 'holding', allocation.currency, -sum(lines))];
}

/** Pays the `credits` out of the buyer's wallets, where no card is involved. */
export function settleFromWallets(
  allocation: Allocation,
  credits: readonly LedgerEntry[],
): LedgerEntry[] {
  return [...walletDebits(allocation), ...credits];
}

/** Pays the `credits` out of holding and of what the processor captured. */
export function settleFromHolding(
  lineage: number,
  allocation: Allocation,
  credits: readonly LedgerEntry[],
): LedgerEntry[] {
  const held = sum(walletDebits(allocation));
  const captured = allocation.charges
    .filter((part) => part.wallet === '')
    .reduce((total, part) => total + BigInt(part.amount), 0n);
  return [
    systemAccount(lineage, 'holding', allocation.currency, held),
    systemAccount(lineage, 'processor_clearing', allocation.currency, -captured),
    ...credits,
  ];
}

function walletDebits(allocation: Allocation): LedgerEntry[] {
  return allocation.charges
    .filter((part) => part.wallet !== '')
    .map((part) => tracked(part.wallet, allocation.currency, -BigInt(part.amount)));
}

/** What sellers and integrator receive, and the tax, from a sale or from an escrow's commit. */
export function creditLines(
  lineage: number,
  allocation: Allocation,
  accrues: Accrues,
): LedgerEntry[] {
  const lines = allocation.credits.map((credit) =>
    tracked(
      accrues(credit) ? credit.wallet : credit.restricted,
      allocation.currency,
      BigInt(credit.amount),
    ),
  );
  if (allocation.integrator > 0) {
    lines.push(
      systemAccount(
        lineage,
        'integrator_share',
        allocation.currency,
        BigInt(allocation.integrator),
      ),
    );
  }
  if (allocation.tax > 0) {
    const tax = BigInt(allocation.tax);
    lines.push(systemAccount(lineage, 'tax_collected', allocation.currency, tax));
  }
  return lines;
}

function sum(lines: readonly LedgerEntry[]): bigint {
  return lines.reduce((total, line) => total + line.amount, 0n);
}
