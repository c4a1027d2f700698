// Who bears a lost dispute. The integrator has covered it by then; the reserve of each seller
// covers the share of the loss that the sale had paid them. What it lacks they owe, where the
// tenant has the sellers bear it. [G-93]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { escrowTable, soldOf } from '../escrow/index.ts';
import {
  allocationOf,
  invoiceDocumentTable,
  invoiceTable,
  saleTermsOf,
  type Allocation,
} from '../invoice/index.ts';
import type { Bearer } from '../../tenant/settings/index.ts';
import { coverFromReserve, lockReserve } from '../reserve/index.ts';
import { owe, type AttemptRow } from '../wallet/index.ts';

/** Locks the reserves and balances of the sellers who may have to bear it. */
export function loadDebtors(rows: ReadSet, { purpose, resource_id }: AttemptRow): void {
  const document = purpose === 'deposit' ? null : rows.read(invoiceDocumentTable, resource_id);
  if (!document) return;
  for (const { wallet, restricted } of allocationOf(document).credits) {
    lockReserve(rows, restricted);
    rows.lock(balanceTable, restricted);
    rows.lock(balanceTable, wallet);
  }
}

/** A loss that is final. */
export interface Loss {
  readonly disputeId: string;
  readonly escrowId: string | null;
  readonly currency: string;
  /** Who bears what no reserve covers. */
  readonly bearer: Bearer;
  /** Minor units that no escrow held, with the fee where sellers bear it. */
  readonly amount: bigint;
}

/** One seller's part. */
export interface Share {
  readonly account: string;
  readonly wallet: string;
  /** The ledger account of the wallet's restricted funds. */
  readonly restricted: string;
  readonly amount: bigint;
}

/** The sellers' shares of a loss, rounded down: what is left is the integrator's. */
export function sharesOf({ credits, total }: Allocation, loss: bigint): Share[] {
  return [...Map.groupBy(credits, ({ wallet }) => wallet)].flatMap(([wallet, parts]) => {
    const paid = parts.reduce((sum, { amount }) => sum + amount, 0);
    const share = (loss * BigInt(paid)) / BigInt(total);
    const [{ owner: account, restricted } = { owner: '', restricted: '' }] = parts;
    return share > 0n ? [{ account, wallet, restricted, amount: share }] : [];
  });
}

/** What sellers bear of a loss, for the history. Minor units. */
export interface Borne {
  readonly covered_by_reserves: number;
  readonly owed_by_sellers: number;
}

/** Has sellers bear a loss of a sale that paid them; a deposit and an open escrow paid nobody. */
export function chargeSellers(decision: Decision, attempt: AttemptRow, loss: Loss): Borne {
  const { disputeId, escrowId, currency, bearer } = loss;
  const borne = { covered_by_reserves: 0, owed_by_sellers: 0 };
  if (attempt.purpose === 'deposit' || currency !== attempt.currency) return borne;
  const escrow = escrowId === null ? null : decision.get(escrowTable, escrowId);
  const document = decision.get(invoiceDocumentTable, attempt.resource_id);
  const paid = decision.get(invoiceTable, attempt.resource_id)?.state === 'success';
  if (document === null || !paid) return borne;
  const whole = { saleTerms: saleTermsOf(document), allocation: allocationOf(document) };
  const sold = soldOf(whole, escrow);
  if (sold === null) return borne;
  for (const { restricted, ...share } of sharesOf(sold.allocation, loss.amount)) {
    const { amount } = share;
    const covered = coverFromReserve(decision, restricted, { disputeId, amount });
    borne.covered_by_reserves += Number(covered);
    const left = amount - covered;
    if (left === 0n || bearer !== 'seller') continue;
    owe(decision, { ...share, disputeId, currency, amount: left });
    borne.owed_by_sellers += Number(left);
  }
  return borne;
}
