// Payouts in the model: money out of a wallet, in transfer, paid, returned. [G-43]
import type { TransferAnswer } from '../../src/product/money/wallet/index.ts';
import { answerSent } from './model-answers.ts';
import {
  done,
  nothing,
  refused,
  type Expected,
  type Model,
  type Payout,
  type Sent,
} from './model.ts';

/** States in which the money lies ready. */
export const READY = ['FUNDS-IN-ESCROW', 'FUNDS-IN-ESCROW-ON-HOLD', 'FAILED'];
const WEEK = 7 * 86_400_000;
const HOUR = 3_600_000;
const UNDER_WAY = 'CREDIT-TRANSFER-INITIATED';

/** Whether it may be sent or given back: nobody does where the receiver may have it already. */
export function isReady({ state, due }: Payout): boolean {
  return READY.includes(state) && (state !== 'FAILED' || due !== null);
}

/** Why nobody may be paid out to, or null. [G-38] */
export function eligibility(model: Model, person: number): string | null {
  const { blocked, state, requirements } = model.purse(person);
  if (blocked) return 'ACCOUNT_BLOCKED';
  if (state !== 'ACCEPT') return 'PAYOUT_KYC_REQUIRED';
  return requirements === 'TAX_UPDATE' ? 'PAYOUT_TAX_UPDATE_REQUIRED' : null;
}

/** Takes the money out of the wallet. */
export function hold(model: Model, payout: Payout): void {
  model.purse(payout.person).spendable -= payout.amount;
  model.systemAccounts.payout_pending += payout.amount;
  model.payouts.push(payout);
}

/** Puts it back, and ends the payout. */
export function giveBack(model: Model, payout: Payout, state: string): Expected {
  const { person, amount, id } = payout;
  payout.state = state;
  payout.due = null;
  model.purse(person).spendable += amount;
  model.systemAccounts.payout_pending -= amount;
  model.announce('payout-completed', id);
  return done;
}

/** Sends it under a key. */
export function send(payout: Payout, id: string, target: string): Expected {
  const amount = payout.amount - payout.fee;
  payout.state = UNDER_WAY;
  payout.due = null;
  payout.failure = null;
  payout.sent.push({ id, target, amount, of: payout, state: 'sending' });
  return done;
}

/** The clock looks at a payout. */
export function advance(model: Model, payout: Payout, id: string, target: string): Expected {
  const { due, state, person, method } = payout;
  if (due === null || due > model.now) return nothing;
  if (state === 'FAILED') return giveBack(model, payout, 'SYSTEM-REJECTED');
  if (eligibility(model, person) === null && !model.inactive.has(method))
    return send(payout, id, target);
  payout.state = 'FUNDS-IN-ESCROW-ON-HOLD';
  payout.due = model.now + HOUR;
  return done;
}

/** An answer about what a payout was sent with. */
export function answerPayout(
  model: Model,
  sent: Sent,
  told: TransferAnswer['outcome'],
  payout: Payout,
): Expected {
  const waits = payout.state === UNDER_WAY && payout.sent.at(-1) === sent;
  const failed = payout.state === 'FAILED';
  if (told.state === 'retry_decided' && !waits) return refused('PARKED_TOO_LATE');
  if (told.state === 'accept_decided' && !waits && !failed) return refused('PARKED_TOO_LATE');
  if (!answerSent(sent, told, false)) return nothing;
  const contradicted = payout.sent.some(({ state }) => state === 'parked');
  if (sent.state === 'paid') {
    settle(model, payout, 1n);
    Object.assign(payout, { state: 'SUCCESS', failure: null, due: null });
  } else if (sent.state === 'declined' || sent.state === 'returned') {
    if (payout.state === 'SUCCESS') settle(model, payout, -1n);
    const failure = told.state === 'declined' ? told.code : 'generic_error';
    const due = contradicted ? null : model.now + WEEK;
    Object.assign(payout, { state: 'FAILED', failure, due });
  } else {
    if (failed && contradicted) payout.due = null;
    return done;
  }
  model.announce('payout-completed', payout.id);
  return done;
}

/** The net amount leaves through the processor (`way` 1) or is back there, with the fee. */
function settle({ systemAccounts }: Model, { amount, fee }: Payout, way: bigint): void {
  systemAccounts.payout_pending -= way * amount;
  systemAccounts.processor_clearing += way * (amount - fee);
  systemAccounts.payout_fees += way * fee;
}
