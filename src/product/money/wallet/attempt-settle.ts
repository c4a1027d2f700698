// What an answer of the processor does to the payment attempts of one resource, whatever it is. Who
// is paid in the end is up to the resource's own module. Pure.
import { EngineFault, type Decision } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { addSeconds } from '../../../core/time.ts';
import {
  onceKindOf,
  type ChargeOutcome,
  type Declined,
} from '../../../providers/processor/port.ts';
import { attemptMachine, type AttemptEvent, type AttemptState } from './attempt-machine.ts';
import { refusals } from './refusals.ts';
import { attemptJobTable, attemptsOfResource, attemptTable, type AttemptRow } from './tables.ts';

/** The processor refused to give back what it holds under a key. */
export interface ReverseRefused extends Omit<Declined, 'state'> {
  readonly state: 'reverse_refused';
}

/** Seconds, by the workspace's clock, for the buyer to confirm a payment at the bank. [G-39] */
export const CHALLENGE_SECONDS = 900;

/** An answer about an attempt, or a manual decision about one in review. */
export interface AttemptAnswer {
  readonly attemptId: string;
  /** The connection that answered, which the attempt then stays with; absent: nobody was asked. */
  readonly connection?: string | null;
  readonly outcome:
    | ChargeOutcome
    | ReverseRefused
    /** The buyer did not confirm in time; changes nothing before that time. */
    | { readonly state: 'challenge_over' }
    /** The buyer gave up before that time. */
    | { readonly state: 'given_up' }
    | { readonly state: 'accept_decided' }
    | { readonly state: 'give_back_decided' };
}

/** What the answer means for the whole payment. */
export type Progress =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'succeeded' }
  | { readonly kind: 'failed'; readonly code: string };

/** A card payment that is about to be requested. */
export interface NewAttempt {
  readonly id: string;
  readonly purpose: 'invoice' | 'escrow' | 'deposit';
  readonly resourceId: string;
  readonly methodId: string;
  readonly token: string;
  readonly currency: string;
  readonly amount: bigint;
}

/** Begins an attempt: its row, first step and job, in the transaction of what it pays for. [R6] */
export function beginAttempt(decision: Decision, attempt: NewAttempt): void {
  const { workspace, now } = decision;
  decision.create(attemptMachine, attemptTable, 'begin', {
    workspace,
    id: attempt.id,
    resource_id: attempt.resourceId,
    purpose: attempt.purpose,
    payment_method_id: attempt.methodId,
    processor_token: attempt.token,
    currency: attempt.currency,
    amount: attempt.amount,
    state: 'authorizing',
    version: 1,
    processor_reference: null,
    failure_code: null,
    connection_id: null,
    authentication_url: null,
    updated: now,
  });
  decision.insert(attemptJobTable, { workspace, attempt_id: attempt.id });
}

/** Moves the attempts by one answer; a late or repeated one changes nothing. */
export function applyAnswer(decision: Decision, answer: AttemptAnswer): Progress {
  const attempt = decision.get(attemptTable, answer.attemptId);
  if (attempt === null) throw new EngineFault('an answer names no attempt');
  const { outcome } = answer;
  if (outcome.state === 'give_back_decided') {
    if (attempt.state !== 'parked') return { kind: 'waiting' };
    move(decision, attempt, 'give_back', 'reversing');
    giveBack(decision, decision.find(attemptsOfResource, attempt.resource_id));
    return { kind: 'failed', code: 'amount_mismatch' };
  }
  if (outcome.state === 'reverse_refused') {
    // The code marks the payment as lost, so a part that is authorised later is given back too.
    const patch = { processor_reference: outcome.reference, failure_code: outcome.code };
    if (attempt.state === 'reversing') move(decision, attempt, 'refused', 'parked', patch);
    return { kind: 'waiting' };
  }
  if (!movedBy(decision, attempt, outcome, answer.connection)) return { kind: 'waiting' };
  const all = decision.find(attemptsOfResource, attempt.resource_id);
  const lost = all.find(isLost);
  if (lost !== undefined) {
    giveBack(decision, all);
    return { kind: 'failed', code: lost.failure_code ?? 'generic_error' };
  }
  // One that was accepted in review is captured before the others are.
  if (all.every((one) => one.state === 'authorized' || one.state === 'captured')) {
    for (const one of all) {
      if (one.state === 'authorized') move(decision, one, 'capture', 'capturing');
    }
  }
  if (all.every((one) => one.state === 'captured')) return { kind: 'succeeded' };
  return { kind: 'waiting' };
}

/** True for an attempt that brings no money, even if the processor says otherwise. */
function isLost(one: AttemptRow): boolean {
  return one.failure_code !== null || one.state === 'reversing' || one.state === 'reversed';
}

/** Throws a Refusal for accepting money of a payment that has ended without it. */
export function requireOpen(answer: AttemptAnswer, open: boolean): void {
  if (answer.outcome.state === 'accept_decided' && !open) throw refuse(refusals.PARKED_TOO_LATE);
}

type Moving = Exclude<AttemptAnswer['outcome'], ReverseRefused | { state: 'give_back_decided' }>;

/** Moves the attempt by an answer or decision; true where it moved. */
function movedBy(
  decision: Decision,
  attempt: AttemptRow,
  outcome: Moving,
  connection: string | null = null,
): boolean {
  if (outcome.state === 'accept_decided') {
    if (attempt.state !== 'parked') return false;
    move(decision, attempt, 'accept', 'captured');
    return true;
  }
  const isGivenUp = outcome.state === 'given_up';
  if (!isGivenUp && outcome.state !== 'challenge_over') {
    return moveByAnswer(decision, attempt, outcome, connection);
  }
  const over = isGivenUp || addSeconds(attempt.updated, CHALLENGE_SECONDS) <= decision.now;
  if (attempt.state !== 'challenged' || !over) return false;
  const isCancelled = isGivenUp || onceKindOf(attempt.processor_token) !== null;
  const patch = { failure_code: isCancelled ? 'payment_cancelled' : 'authentication_required' };
  move(decision, attempt, 'give_back', 'reversing', patch);
  return true;
}

/** States in which nothing is reserved at the processor yet. */
const ASKED: readonly AttemptState[] = ['authorizing', 'challenged'];

function moveByAnswer(
  decision: Decision,
  attempt: AttemptRow,
  outcome: ChargeOutcome,
  connection: string | null,
): boolean {
  const { state } = attempt;
  const made = { connection_id: attempt.connection_id ?? connection };
  // Money under a declined key: nothing is credited; it goes to manual review. [U14]
  if (state === 'declined' && (outcome.state === 'captured' || outcome.state === 'pending')) {
    move(decision, attempt, 'contradicted', 'parked');
    return false;
  }
  const asked = ASKED.includes(state);
  if (outcome.state === 'declined' && (asked || state === 'capturing')) {
    const reference = { processor_reference: outcome.reference, failure_code: outcome.code };
    move(decision, attempt, 'declined', 'declined', { ...reference, ...made });
    return true;
  }
  if (outcome.state === 'reversed' || outcome.state === 'absent') {
    return movedByNothing(decision, attempt, outcome.state);
  }
  if (!('amount' in outcome) || (outcome.state === 'pending' && !asked)) {
    return reversedByDecline(decision, attempt, outcome);
  }
  const challenged = outcome.state === 'challenged';
  const wanted = challenged
    ? state === 'authorizing'
    : asked || (state === 'capturing' && outcome.state === 'captured');
  if (!wanted) return false;
  const patch = { processor_reference: outcome.reference, ...made };
  if (outcome.amount !== attempt.amount || outcome.currency !== attempt.currency) {
    move(decision, attempt, 'mismatched', 'parked', patch);
  } else if (challenged) {
    const at = { authentication_url: outcome.url };
    move(decision, attempt, 'challenged', 'challenged', { ...patch, ...at });
  } else {
    const to = asked ? 'authorized' : 'captured';
    move(decision, attempt, to, to, patch);
  }
  return true;
}

/** The processor holds nothing under the key; with `reversed`, it never will. */
function movedByNothing(
  decision: Decision,
  attempt: AttemptRow,
  found: 'reversed' | 'absent',
): boolean {
  const { state } = attempt;
  if (state === 'reversing') {
    move(decision, attempt, 'reversed', 'reversed');
    return true;
  }
  if (found === 'reversed' && (state === 'capturing' || ASKED.includes(state))) {
    move(decision, attempt, 'voided', 'declined', { failure_code: 'processing_error' });
    return true;
  }
  // An authorized amount that the processor no longer knows goes to manual review. In the other
  // states a missing key is normal: it may still be on its way, or wait for the buyer until time
  // runs out.
  if (state !== 'capturing') return false;
  move(decision, attempt, 'mismatched', 'parked');
  return true;
}

/** A declined key holds nothing to give back. */
function reversedByDecline(
  decision: Decision,
  attempt: AttemptRow,
  outcome: ChargeOutcome,
): boolean {
  if (outcome.state !== 'declined' || attempt.state !== 'reversing') return false;
  move(decision, attempt, 'reversed', 'reversed');
  return true;
}

/**
 * Gives back what is or may be taken; an attempt still in progress follows when it has answered.
 */
function giveBack(decision: Decision, all: readonly AttemptRow[]): void {
  for (const one of all) {
    const held = ['challenged', 'authorized', 'capturing', 'captured'].includes(one.state);
    if (held) move(decision, one, 'give_back', 'reversing');
  }
}

function move(
  decision: Decision,
  attempt: AttemptRow,
  on: AttemptEvent,
  to: AttemptState,
  patch: Partial<AttemptRow> = {},
): void {
  const detail = patch.failure_code ? { failure_code: patch.failure_code } : undefined;
  decision.move(attemptMachine, attemptTable, attempt.id, on, to, patch, detail);
}
