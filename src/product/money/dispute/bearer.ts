// Who bears a lost dispute. The integrator has covered it by then; where the tenant has the sellers
// bear it, each owes the share of the loss that the sale had paid them. [G-93]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { escrowTable } from '../escrow/index.ts';
import {
  allocationOf,
  invoiceDocumentTable,
  invoiceTable,
  type Allocation,
} from '../invoice/index.ts';
import { owe, type AttemptRow } from '../wallet/index.ts';

/** Locks the balances of the sellers who may come to owe. */
export function loadDebtors(rows: ReadSet, { purpose, resource_id }: AttemptRow): void {
  const document = purpose === 'deposit' ? null : rows.read(invoiceDocumentTable, resource_id);
  if (!document) return;
  for (const { wallet } of allocationOf(document).credits) rows.lock(balanceTable, wallet);
}

/** A loss that is final. */
export interface Loss {
  readonly disputeId: string;
  readonly escrowId: string | null;
  readonly currency: string;
  /** Minor units that no escrow held. */
  readonly amount: bigint;
}

/** One seller's part. */
export interface Share {
  readonly account: string;
  readonly wallet: string;
  readonly amount: bigint;
}

/** The sellers' shares of a loss, rounded down: what is left is the integrator's. */
export function sharesOf({ credits, total }: Allocation, loss: bigint): Share[] {
  const sums = new Map<string, { readonly account: string; readonly amount: bigint }>();
  for (const { owner, wallet, amount } of credits) {
    const before = sums.get(wallet)?.amount ?? 0n;
    sums.set(wallet, { account: owner, amount: before + BigInt(amount) });
  }
  return [...sums].flatMap(([wallet, { account, amount }]) => {
    const share = (loss * amount) / BigInt(total);
    return share > 0n ? [{ account, wallet, amount: share }] : [];
  });
}

/** Has sellers owe a loss of a sale that paid them; a deposit and an open escrow paid nobody. */
export function chargeSellers(decision: Decision, attempt: AttemptRow, loss: Loss): void {
  const { disputeId, escrowId, currency, amount } = loss;
  if (attempt.purpose === 'deposit' || currency !== attempt.currency) return;
  if (escrowId !== null && decision.get(escrowTable, escrowId)?.state !== 'COMMITTED') return;
  const document = decision.get(invoiceDocumentTable, attempt.resource_id);
  const paid = decision.get(invoiceTable, attempt.resource_id)?.state === 'success';
  if (document === null || !paid) return;
  for (const share of sharesOf(allocationOf(document), amount)) {
    owe(decision, { disputeId, currency, ...share });
  }
}
