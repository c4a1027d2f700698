// The ledger entries of settlements, balanced: from pending at the processor to available, to our
// bank, and into the costs. Amounts of places and costs are negative in the books.
import type { LedgerEntry } from '../../../engine/index.ts';
import { systemAccount, type SystemAccountKind } from '../../../ledger/index.ts';
import type { SettlementRow } from './tables.ts';

type Facts = Pick<SettlementRow, 'kind' | 'currency' | 'amount' | 'fee'>;

/** Which cost a fee of the row is. */
function costOf({ kind }: Facts): SystemAccountKind {
  const disputed = kind === 'chargeback' || kind === 'return' || kind.startsWith('dispute_');
  return disputed ? 'dispute_fees' : 'processor_fees';
}

/** Where the row's money comes from when it becomes available. */
function sourceOf(kind: Facts['kind']): SystemAccountKind {
  if (kind === 'fee') return 'processor_fees';
  return kind.startsWith('provider_payout') ? 'in_transit' : 'processor_clearing';
}

/** What the processor kept, of money that is still pending. */
export function bookFee(lineage: number, row: Facts): LedgerEntry[] {
  return moved(lineage, row.currency, costOf(row), 'processor_clearing', row.fee);
}

/** What the row moved becomes available; `paid`: its fee is booked already. */
export function makeAvailable(lineage: number, row: Facts, paid: boolean): LedgerEntry[] {
  const { currency, kind, amount, fee } = row;
  const source = sourceOf(kind);
  if (paid) return moved(lineage, currency, 'processor_available', source, amount - fee);
  return [
    ...moved(lineage, currency, 'processor_available', source, amount),
    ...moved(lineage, currency, costOf(row), 'processor_available', fee),
  ];
}

/** A transfer of the processor is on our bank account. */
export function arriveAtBank(lineage: number, { currency, amount }: Facts): LedgerEntry[] {
  return moved(lineage, currency, 'bank', 'in_transit', -amount);
}

/** The part of a fee that was lost with a refund. */
export function loseFee(lineage: number, currency: string, amount: bigint): LedgerEntry[] {
  return moved(lineage, currency, 'unreturned_fees', 'processor_fees', amount);
}

/** Moves an amount into one account that counts negative, out of another. */
function moved(
  lineage: number,
  currency: string,
  into: SystemAccountKind,
  outOf: SystemAccountKind,
  amount: bigint,
): LedgerEntry[] {
  if (amount === 0n) return [];
  return [
    systemAccount(lineage, into, currency, -amount),
    systemAccount(lineage, outOf, currency, amount),
  ];
}
