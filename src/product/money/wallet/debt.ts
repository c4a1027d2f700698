// What sellers owe for lost disputes where the tenant has them bear it: a debt of a wallet that its
// next sales repay before they credit it. No wallet falls below zero, and a wallet that owes
// nothing costs nothing: what it owes stands on the balance that every credit locks. [G-43, G-93]
import type { Decision } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { debtRepaymentTable, walletDebtTable } from './tables.ts';

/** One seller's share of a loss. The balance of the wallet must be locked. */
export interface NewDebt {
  readonly disputeId: string;
  /** The owner's UUID. */
  readonly account: string;
  readonly wallet: string;
  readonly currency: string;
  /** Minor units, positive. */
  readonly amount: bigint;
}

/** Notes what a seller owes; nothing moves until a sale credits the wallet. */
export function owe(decision: Decision, debt: NewDebt): void {
  const { disputeId: dispute_id, account: account_id, wallet: wallet_id, currency, amount } = debt;
  const { workspace, lineage, now: created } = decision;
  const id = derivedUuid(`debt/${lineage}/${dispute_id}/${wallet_id}`);
  const row = { workspace, id, dispute_id, account_id, wallet_id, currency, amount, created };
  decision.insert(walletDebtTable, row);
  const before = decision.get(balanceTable, wallet_id)?.owes ?? 0n;
  decision.update(balanceTable, wallet_id, { owes: before + amount });
}

/** A credit to a wallet, in minor units. */
interface Credit {
  readonly wallet: string;
  readonly amount: number;
}

/** Takes what is owed out of the credits of an invoice; gives how much of each, in their order. */
export function repayDebts(
  decision: Decision,
  invoiceId: string,
  credits: readonly Credit[],
): number[] {
  const sums = new Map<string, bigint>();
  const repaid = credits.map(({ wallet, amount }) => {
    const owes = decision.get(balanceTable, wallet)?.owes ?? 0n;
    const part = owes < BigInt(amount) ? owes : BigInt(amount);
    if (part === 0n) return 0;
    decision.update(balanceTable, wallet, { owes: owes - part });
    sums.set(wallet, (sums.get(wallet) ?? 0n) + part);
    return Number(part);
  });
  const { workspace, now: created } = decision;
  for (const [wallet_id, amount] of sums) {
    const row = { workspace, wallet_id, invoice_id: invoiceId, amount, created };
    decision.insert(debtRepaymentTable, row);
  }
  return repaid;
}
