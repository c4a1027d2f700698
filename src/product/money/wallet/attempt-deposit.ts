// Top-ups of a wallet by card: the deposit and its payment attempt begin in one transaction, and
// the answer settles both. [G-49]
import { EngineFault, type Command } from '../../../engine/index.ts';
import { isUuid, uuidOfWireId } from '../../../core/ids.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import { accountTable, namesNoAccount, refusals as account } from '../../people/account/index.ts';
import {
  applyAnswer,
  beginAttempt,
  requireOpen,
  type AttemptAnswer,
} from './attempt-settle.ts';
import { needCredit, requireRoom } from './credit.ts';
import { completeDeposit, failDeposit, requestDeposit } from './deposit.ts';
import { paysIn } from './once.ts';
import { refusals as no } from './refusals.ts';
import { deposit } from './schema.ts';
import {
  attemptsOfResource,
  attemptTable,
  depositTable,
  paymentMethodTable,
  walletsOfAccount,
  RECEIVING,
} from './tables.ts';

/** A requested top-up, with the ids it will need. */
export interface TopUpInput {
  readonly depositId: string;
  readonly attemptId: string;
  /** Wire id. */
  readonly account_id: string;
  readonly payment_method_id: string;
  readonly currency: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  /** Why nobody charges cards; null or absent: somebody does. */
  readonly noCharge?: RefusalSpec | null;
}

/** Begins a top-up of an account's own wallet from one of its cards. */
export const topUp: Command<TopUpInput> = {
  name: 'top_up',
  batchable: true,
  load(rows, input) {
    const owner = uuidOfWireId('acct', input.account_id);
    if (owner === null) return;
    rows.read(accountTable, owner);
    const wallets = rows.find(walletsOfAccount, owner);
    const wallet = wallets.find((one) => one.currency === input.currency);
    if (wallet !== undefined) needCredit(rows, wallet.id);
    if (isUuid(input.payment_method_id)) rows.read(paymentMethodTable, input.payment_method_id);
  },
  decide(decision, input) {
    const { currency, amount } = input;
    const owner = uuidOfWireId('acct', input.account_id);
    const payer = owner === null ? null : decision.get(accountTable, owner);
    if (owner === null || payer === null) throw namesNoAccount();
    if (payer.blocked) throw refuse(account.ACCOUNT_BLOCKED);
    const wallet = decision.find(walletsOfAccount, owner).find((w) => w.currency === currency);
    if (wallet === undefined) {
      throw refuse(no.CURRENCY_NOT_ENABLED, { currency: 'is not enabled' });
    }
    const methodId = input.payment_method_id;
    const method = isUuid(methodId) ? decision.get(paymentMethodTable, methodId) : null;
    if (method === null || method.account_id !== owner || method.provider === 'wallet') {
      throw refuse(no.PAYMENT_METHOD_NOT_FOUND, {
        payment_method_id: 'does not exist or belongs to another account',
      });
    }
    if (method.pm_state !== 'ACTIVE' || method.only_for !== null) {
      throw refuse(no.PAYMENT_METHOD_NOT_ACTIVE, { payment_method_id: 'is not active' });
    }
    if (RECEIVING.includes(method.provider)) {
      const payment_method_id = 'only receives payouts';
      throw refuse(no.PAYMENT_METHOD_NOT_ACTIVE, { payment_method_id });
    }
    if (method.provider === 'once' && !paysIn(method.method_class, currency)) {
      throw refuse(no.CURRENCY_NOT_ENABLED, { currency: 'is not enabled for this method' });
    }
    requireRoom(decision, wallet, amount);
    if (input.noCharge) throw refuse(input.noCharge);
    requestDeposit(decision, {
      id: input.depositId,
      account_id: owner,
      wallet_id: wallet.id,
      payment_method_id: method.id,
      currency,
      amount,
    });
    beginAttempt(decision, {
      id: input.attemptId,
      purpose: 'deposit',
      resourceId: input.depositId,
      methodId: method.id,
      token: method.processor_token,
      currency,
      amount,
    });
    const row = decision.get(depositTable, input.depositId);
    if (row === null) throw new EngineFault('a deposit is not there');
    return { status: 201, payload: deposit(row) };
  },
};

/** Settles a deposit by one answer about its attempt; late and repeated answers change nothing. */
export const settleDeposit: Command<AttemptAnswer> = {
  name: 'settle_deposit',
  batchable: true,
  highPriority: true,
  load(rows, { attemptId }) {
    const attempt = rows.read(attemptTable, attemptId);
    if (!attempt) return;
    rows.find(attemptsOfResource, attempt.resource_id);
    rows.lock(attemptTable, attemptId);
    const row = rows.read(depositTable, attempt.resource_id);
    if (!row) return;
    rows.lock(depositTable, row.id);
    needCredit(rows, row.wallet_id);
  },
  decide(decision, answer) {
    const attempt = decision.get(attemptTable, answer.attemptId);
    const row = attempt === null ? null : decision.get(depositTable, attempt.resource_id);
    if (row === null) throw new EngineFault('an attempt has no deposit');
    requireOpen(answer, row.state === 'requested');
    const progress = applyAnswer(decision, answer);
    if (row.state === 'requested' && progress.kind === 'succeeded') {
      completeDeposit(decision, row.id, 'processor_clearing');
    } else if (row.state === 'requested' && progress.kind === 'failed') {
      failDeposit(decision, row.id, progress.code);
    }
    return { status: 200, payload: null };
  },
};
