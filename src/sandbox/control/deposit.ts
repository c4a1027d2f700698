// Deposits from nowhere, for tests: one transaction from request to success. [G-49]
import type { Command, Decision } from '../../engine/index.ts';
import { refuse } from '../../core/refusal.ts';
import { systemAccountId } from '../../ledger/index.ts';
import {
  accountTable,
  namesNoAccount,
  refusals as account,
} from '../../product/people/account/index.ts';
import {
  completeDeposit,
  deposit,
  needCredit,
  requireRoom,
  refusals as wallet,
  requestDeposit,
  walletTable,
  walletsOfAccount,
  type WalletRow,
} from '../../product/money/wallet/index.ts';

export interface SandboxDepositInput {
  readonly id: string;
  /** UUID of the receiver; null for the integrator itself. */
  readonly account: string | null;
  readonly currency: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  /** The integrator's balance a moment ago, which no single row has. */
  readonly held?: bigint;
}

/** The wallet that is credited. */
function walletOf(decision: Decision, input: SandboxDepositInput): WalletRow {
  const { account: owner, currency } = input;
  if (owner === null) {
    const id = systemAccountId(decision.lineage, 'integrator_share', currency);
    const own = decision.get(walletTable, id);
    if (own === null) throw refuse(wallet.CURRENCY_NOT_ENABLED);
    return own;
  }
  const row = decision.get(accountTable, owner);
  if (row === null) throw namesNoAccount();
  if (row.blocked) throw refuse(account.ACCOUNT_BLOCKED);
  const found = decision.find(walletsOfAccount, owner).find((one) => one.currency === currency);
  if (found === undefined) throw refuse(wallet.CURRENCY_NOT_ENABLED);
  return found;
}

export const depositFromNowhere: Command<SandboxDepositInput> = {
  name: 'sandbox_deposit',
  load(rows, { account: owner, currency }) {
    if (owner === null) {
      needCredit(rows, systemAccountId(rows.lineage, 'integrator_share', currency));
      return;
    }
    if (!rows.read(accountTable, owner)) return;
    const wallets = rows.find(walletsOfAccount, owner);
    const found = wallets.find((one) => one.currency === currency);
    if (found !== undefined) needCredit(rows, found.id);
  },
  decide(decision, input) {
    const { id, account: account_id, currency, amount } = input;
    const receiver = walletOf(decision, input);
    requireRoom(decision, receiver, amount, input.held);
    const wallet_id = receiver.id;
    const request = { id, account_id, wallet_id, payment_method_id: null, currency, amount };
    requestDeposit(decision, request);
    return { status: 201, payload: deposit(completeDeposit(decision, id, 'sandbox_funding')) };
  },
};
