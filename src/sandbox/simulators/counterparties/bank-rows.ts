// Scenarios of the bank and the outside world: payments and payouts that settle, fail, come back or
// are disputed.
import type { OutcomeFact } from '../../ports/counterparties.ts';
import type { OutsideEvent } from '../../ports/cards.ts';
import { paymentEnd } from '../processor/index.ts';
import { sandboxCall, type Row } from './rows.ts';

function payoutEnd(state: string, moved: readonly string[], code: string | null): OutcomeFact {
  return { of: 'payout', state, code, moved, tries: null };
}

const PENDING = 'The bank has accepted the order and not decided yet.';
const DONE = 'The money has moved.';
const DISPUTED = 'The event `chargeback` has opened a dispute, which is still open.';

/** `needs`: the account or card that it happens to. */
function outside(
  event: OutsideEvent,
  needs: string,
  outcome: OutcomeFact,
  before: string,
  story: string,
  answered: string,
  ends: string,
): Row {
  const payout = outcome.of === 'payout';
  const id = payout ? '{payout_status_id}' : '{invoice_id}';
  return {
    name: `event.${payout ? 'payout_' : ''}${event}`,
    kind: 'event',
    story,
    steps: [
      { asked: 'before', answered: before },
      { asked: event, answered },
    ],
    ends,
    outcome,
    needs,
    how: sandboxCall('sandboxOutsideEvent', 'outside_events', { event, id }),
  };
}

function disputed(event: OutsideEvent, story: string, answered: string, ends: string): Row {
  const outcome = paymentEnd('success', ['capture', 'chargeback', event]);
  return outside(event, 'visa', outcome, DISPUTED, story, answered, ends);
}

/** In the order in which they can happen. */
export const EVENT_ROWS: readonly Row[] = [
  outside('settle', 'bank', paymentEnd('success', ['capture']), PENDING,
    'A pending bank debit settles.',
    'The debit is captured; the webhook and a statement row report it.', 'Success, captured once.'),
  outside('fail', 'bank', paymentEnd('failed', [], 'generic_error'), PENDING,
    'A pending bank debit fails.', 'The debit is declined; the webhook reports it.',
    'Failed: generic_error; nothing captured.'),
  outside('return', 'bank_returned', paymentEnd('success', ['capture', 'return']), DONE,
    'A settled bank debit is returned unpaid.',
    'The money is withdrawn; only the statement reports it.',
    'Stays success; a `returned` dispute records it, and no wallet goes below zero.'),
  outside('chargeback', 'visa', paymentEnd('success', ['capture', 'chargeback']), DONE,
    'A cardholder disputes a payment and gets the money back.',
    'The money is withdrawn; only the statement reports it.',
    'Stays success; a `needs_response` dispute records it; an escrow is frozen.'),
  disputed('dispute_under_review', 'The bank reviews the response to a dispute.',
    'The statement reports it; no money moves.',
    'The dispute is `under_review`.'),
  disputed('dispute_won', 'The bank rejects a dispute.',
    'The money is returned; a statement row reports it.',
    'The dispute is `won`; whoever paid has the money back, and an escrow continues.'),
  disputed('dispute_lost', 'The bank upholds a dispute.',
    'The money is lost; the statement reports it.',
    'The dispute is `lost`; the rest of an escrow is returned, and it is CANCELLED.'),
  disputed('dispute_withdrawn', 'The cardholder withdraws a dispute.',
    'The money is returned; a statement row reports it.',
    'The dispute is `withdrawn`, with the same effect as won.'),
  outside('settle', 'bank_slow', payoutEnd('SUCCESS', ['payout'], null), PENDING,
    'A pending payout is paid.', 'The payout is paid; the webhook and a statement row report it.',
    'SUCCESS, paid once.'),
  outside('fail', 'bank_slow', payoutEnd('FAILED', [], 'generic_error'), PENDING,
    'A pending payout fails.', 'The payout is declined; the webhook reports it.',
    'FAILED; the money is reserved and can be retried or returned.'),
  outside('return', 'bank_returned',
    payoutEnd('FAILED', ['payout', 'payout_return'], 'generic_error'), DONE,
    'A paid payout is returned.',
    'The money is returned; the webhook and a statement row report it.',
    'FAILED; the money is reserved and can be retried or returned.'),
];
