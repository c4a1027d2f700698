// What a processor's answer, or an operator's decision, must lead to: for charges and outbound
// transfers. [G-39, G-41, M12]
import type { AttemptAnswer, TransferAnswer } from '../../src/product/money/wallet/index.ts';
import { CURRENCY } from './memory-core.ts';
import {
  done,
  nothing,
  refused,
  type Charge,
  type ChargeState,
  type Expected,
  type Giving,
  type Model,
  type Payable,
  type Sent,
} from './model.ts';
import { uncount } from './model-returns.ts';

type Said = AttemptAnswer['outcome'];
const HELD: readonly ChargeState[] = ['challenged', 'authorized', 'capturing', 'captured'];
const LOST: readonly ChargeState[] = ['declined', 'reversing', 'reversed'];

/** Milliseconds that a buyer has to confirm. [G-39] */
export const CHALLENGE_MS = 900_000;

/** An answer about one charge: what becomes of it, and of what it pays for. */
export function answerCharge(model: Model, charge: Charge, said: Said): Expected {
  const { of } = charge;
  const open = of.state === 'processing';
  if (said.state === 'accept_decided' && !open) return refused('PARKED_TOO_LATE');
  if (said.state === 'give_back_decided' || said.state === 'accept_decided') {
    if (charge.state !== 'parked') return nothing;
    charge.state = said.state === 'accept_decided' ? 'captured' : 'reversing';
  } else if (said.state === 'challenge_over') {
    const { state, challengedAt = model.now } = charge;
    if (state !== 'challenged' || model.now - challengedAt < CHALLENGE_MS) return nothing;
    charge.state = 'reversing';
  } else {
    const next = nextState(charge, said);
    if (next === null) return nothing;
    const contradicted = charge.state === 'declined';
    charge.state = next;
    if (next === 'challenged') charge.challengedAt = model.now;
    if (contradicted) return done;
  }
  const lost = of.state === 'failed' || of.charges.some((one) => LOST.includes(one.state));
  if (lost) letGo(model, charge, said);
  else goOn(model, of);
  return done;
}

function nextState({ state, amount }: Charge, said: Said): ChargeState | null {
  const right = 'amount' in said && said.amount === amount && said.currency === CURRENCY;
  switch (`${state} ${said.state}`) {
    case 'authorizing challenged':
      return right ? 'challenged' : 'parked';
    case 'authorizing authorized':
    case 'authorizing captured':
    case 'authorizing pending':
    case 'challenged pending':
    case 'challenged authorized':
    case 'challenged captured':
      return right ? 'authorized' : 'parked';
    case 'capturing captured':
      return right ? 'captured' : 'parked';
    case 'authorizing declined':
    case 'authorizing reversed':
    case 'challenged declined':
    case 'challenged reversed':
    case 'capturing declined':
    case 'capturing reversed':
      return 'declined';
    case 'capturing absent':
    case 'reversing reverse_refused':
    case 'declined captured':
    case 'declined pending':
      return 'parked';
    case 'reversing reversed':
    case 'reversing absent':
    case 'reversing declined':
      return 'reversed';
    default:
      return null;
  }
}

/** One part is lost: what the others took goes back. */
function letGo(model: Model, { of }: Charge, said: Said): void {
  for (const one of of.charges) if (HELD.includes(one.state)) one.state = 'reversing';
  if (of.state !== 'processing') return;
  if (said.state === 'declined') model.fail(of, said.code);
  else if (said.state === 'challenge_over') model.fail(of, 'authentication_required');
  else model.fail(of, said.state === 'reversed' ? 'processing_error' : 'amount_mismatch');
}

/** All parts are reserved before any is taken. */
function goOn(model: Model, of: Payable): void {
  if (of.charges.every(({ state }) => state === 'authorized' || state === 'captured')) {
    for (const one of of.charges) if (one.state === 'authorized') one.state = 'capturing';
  }
  if (of.charges.every(({ state }) => state === 'captured')) model.succeed(of);
}

type Told = TransferAnswer['outcome'];

/** Moves one thing sent. With `mustGo` a refusal waits for a person. */
export function answerSent(sent: Sent, told: Told, mustGo: boolean): boolean {
  const before = sent.state;
  if (sent.of.kind === 'payout' && sent.of.file) return answerByFile(sent, told);
  const open = before === 'sending' || before === 'pending';
  const refund = sent.of.kind === 'giving';
  if (told.state === 'accept_decided' && before === 'parked') sent.state = 'paid';
  if (told.state === 'retry_decided' && before === 'parked') {
    sent.state = 'replaced';
    const { target, amount, of } = sent;
    of.sent.push({ id: told.newId, target, amount, of, state: 'sending' });
  }
  if (told.state === 'declined' && open) sent.state = mustGo ? 'parked' : 'declined';
  if (told.state === 'pending' && before === 'sending') sent.state = 'pending';
  if (told.state !== 'paid' && told.state !== 'returned') return sent.state !== before;
  const right = told.amount === sent.amount && told.currency === CURRENCY;
  const returned = told.state === 'returned';
  if (before === 'declined') sent.state = 'parked';
  // A refund that comes back is nothing that processors know: a person decides.
  else if (open) sent.state = right && !(refund && returned) ? told.state : 'parked';
  else if (before === 'paid' && returned && right && !refund) sent.state = 'returned';
  return sent.state !== before;
}

/** A bank debits what it has, or does not carry it out; only what was debited comes back. */
function answerByFile(sent: Sent, told: Told): boolean {
  const before = sent.state;
  const has = before === 'handed_over';
  if (told.state === 'declined' && has) sent.state = 'declined';
  if (told.state === 'reject_decided' && before === 'waiting') sent.state = 'declined';
  if (told.state !== 'paid' && told.state !== 'returned') return sent.state !== before;
  const right = told.amount === sent.amount && told.currency === CURRENCY;
  if (right && told.state === 'paid' && has) sent.state = 'paid';
  if (right && told.state === 'returned' && before === 'paid') sent.state = 'returned';
  return sent.state !== before;
}

const UNDER_WAY = ['sending', 'pending', 'parked'];

/** An answer about a part of what an invoice gives back. */
export function answerGiving(model: Model, sent: Sent, told: Told, giving: Giving): Expected {
  const decided = told.state === 'accept_decided' || told.state === 'retry_decided';
  if (decided && giving.state !== 'processing') return refused('PARKED_TOO_LATE');
  if (!answerSent(sent, told, giving.refund === null)) return nothing;
  if (giving.state !== 'processing') return done;
  if (giving.sent.some(({ state }) => UNDER_WAY.includes(state))) return done;
  const paid = sumOf(giving.sent.filter(({ state }) => state === 'paid'));
  const kept = giving.sent.filter(({ state }) => state === 'declined');
  model.systemAccounts.refund_pending -= paid + sumOf(kept);
  model.systemAccounts.processor_clearing += paid;
  giving.state = kept.length === 0 ? 'success' : 'failed';
  model.announce('invoice-completed', giving.id);
  const { refund } = giving;
  if (refund === null) return done;
  refund.state = kept.length === 0 ? 'REFUND-SUCCESS' : 'REFUND-FAILED';
  model.announce('refund-completed', refund.id);
  const back = uncount(refund, kept.map(({ target }) => target));
  model.systemAccounts.integrator_share += back.amount - back.tax;
  model.systemAccounts.tax_collected += back.tax;
  return done;
}

/** Sum of amounts. */
export function sumOf(list: readonly { readonly amount: bigint }[]): bigint {
  return list.reduce((sum, { amount }) => sum + amount, 0n);
}
