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

/** Whether somebody holds it. */
export function isKept({ state, due }: Payout): boolean {
  return state === 'FUNDS-IN-ESCROW-ON-HOLD' && due === null;
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

/** True where our bank does not have what a payout by file takes. */
export function lacksMoney({ bank }: Model, { file, amount, fee }: Payout): boolean {
  if (!file) return false;
  if (bank === null) return true;
  const held = [...bank.holds.values()].reduce((sum, one) => sum + one, 0n);
  return bank.available - held < amount - fee;
}

/** Sends it under a key; one by file waits for the file. */
export function send(model: Model, payout: Payout, id: string): Expected {
  if (payout.file) model.bank?.holds.set(id, payout.amount - payout.fee);
  const target = payout.file ? '' : `token-${payout.person}-2`;
  const amount = payout.amount - payout.fee;
  payout.state = UNDER_WAY;
  payout.due = null;
  payout.failure = null;
  payout.sent.push({ id, target, amount, of: payout, state: payout.file ? 'waiting' : 'sending' });
  return done;
}

/** The clock looks at a payout. */
export function advance(model: Model, payout: Payout, id: string): Expected {
  const { due, state, person, method } = payout;
  if (due === null || due > model.now) return nothing;
  if (state === 'FAILED') return giveBack(model, payout, 'SYSTEM-REJECTED');
  const ready = eligibility(model, person) === null && !model.inactive.has(method);
  if (ready && !lacksMoney(model, payout))
    return send(model, payout, id);
  payout.state = 'FUNDS-IN-ESCROW-ON-HOLD';
  payout.due = model.now + HOUR;
  return done;
}

function failureOf(told: TransferAnswer['outcome']): string {
  if (told.state === 'declined') return told.code;
  return told.state === 'reject_decided' ? 'bank_account_unreachable' : 'generic_error';
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
  const before = sent.state;
  if (!answerSent(sent, told, false)) return nothing;
  if (before === 'handed_over') handOver(model, sent, -1n);
  if (sent.state === 'paid' || sent.state === 'declined') model.bank?.holds.delete(sent.id);
  const contradicted = payout.sent.some(({ state }) => state === 'parked');
  if (sent.state === 'paid') {
    settle(model, payout, 1n);
    Object.assign(payout, { state: 'SUCCESS', failure: null, due: null });
  } else if (sent.state === 'declined' || sent.state === 'returned') {
    if (payout.state === 'SUCCESS') settle(model, payout, -1n);
    const failure = failureOf(told);
    const due = contradicted ? null : model.now + (before === 'waiting' ? 0 : WEEK);
    Object.assign(payout, { state: 'FAILED', failure, due });
  } else {
    if (failed && contradicted) payout.due = null;
    return done;
  }
  model.announce('payout-completed', payout.id);
  return done;
}

/** The bank has a payout in a file (`way` 1) or does not have it any more. */
export function handOver({ systemAccounts }: Model, { amount }: Sent, way: bigint): void {
  systemAccounts.payout_pending -= way * amount;
  systemAccounts.payout_handed_over += way * amount;
}

/** The net amount leaves (`way` 1) or is back where it left from, with the fee. */
function settle(model: Model, { amount, fee, file }: Payout, way: bigint): void {
  const { systemAccounts } = model;
  if (file) (model.bank ??= { available: 0n, holds: new Map() }).available -= way * (amount - fee);
  systemAccounts.payout_pending -= way * amount;
  systemAccounts[file ? 'bank' : 'processor_clearing'] += way * (amount - fee);
  systemAccounts.payout_fees += way * fee;
}
