// Scenarios of the bank and the outside world: payments and payouts that settle, fail, come back or
// are disputed.
import type { OutcomeFact } from '../../ports/counterparties.ts';
import type { OutsideEvent } from '../../ports/cards.ts';
import { paymentEnd } from '../processor/index.ts';
import { sandboxCall, type Row } from './rows.ts';

interface Outside {
  readonly event: OutsideEvent;
  /** The account or card it happens to. */
  readonly needs: string;
  readonly story: string;
  readonly before: string;
  readonly answered: string;
  readonly ends: string;
  readonly outcome: OutcomeFact;
}

function payoutEnd(state: string, moved: readonly string[], code: string | null): OutcomeFact {
  return { of: 'payout', state, code, moved, tries: null };
}

const PENDING = 'The bank has accepted the order and not decided yet.';
const DONE = 'The money has moved.';
const DISPUTED = 'The event `chargeback` has opened a dispute, which is still open.';

const EVENTS: readonly Outside[] = [
  {
    event: 'settle',
    needs: 'bank',
    story: 'A pending bank debit settles.',
    before: PENDING,
    answered: 'The debit is captured; the webhook and a statement row report it.',
    ends: 'Success, captured once.',
    outcome: paymentEnd('success', ['capture']),
  },
  {
    event: 'fail',
    needs: 'bank',
    story: 'A pending bank debit fails.',
    before: PENDING,
    answered: 'The debit is declined; the webhook reports it.',
    ends: 'Failed: generic_error; nothing captured.',
    outcome: paymentEnd('failed', [], 'generic_error'),
  },
  {
    event: 'return',
    needs: 'bank_returned',
    story: 'A settled bank debit is returned unpaid.',
    before: DONE,
    answered: 'The money is withdrawn; only the statement reports it.',
    ends: 'Stays success; a `returned` dispute records it, and no wallet goes below zero.',
    outcome: paymentEnd('success', ['capture', 'return']),
  },
  {
    event: 'chargeback',
    needs: 'visa',
    story: 'A cardholder disputes a payment and gets the money back.',
    before: DONE,
    answered: 'The money is withdrawn; only the statement reports it.',
    ends: 'Stays success; a `needs_response` dispute records it; an escrow is frozen.',
    outcome: paymentEnd('success', ['capture', 'chargeback']),
  },
  {
    event: 'dispute_under_review',
    needs: 'visa',
    story: 'The bank reviews the response to a dispute.',
    before: DISPUTED,
    answered: 'The statement reports it; no money moves.',
    ends: 'The dispute is `under_review`.',
    outcome: paymentEnd('success', ['capture', 'chargeback', 'dispute_under_review']),
  },
  {
    event: 'dispute_won',
    needs: 'visa',
    story: 'The bank rejects a dispute.',
    before: DISPUTED,
    answered: 'The money is returned; a statement row reports it.',
    ends: 'The dispute is `won`; whoever paid has the money back, and an escrow continues.',
    outcome: paymentEnd('success', ['capture', 'chargeback', 'dispute_won']),
  },
  {
    event: 'dispute_lost',
    needs: 'visa',
    story: 'The bank upholds a dispute.',
    before: DISPUTED,
    answered: 'The money is lost; the statement reports it.',
    ends: 'The dispute is `lost`; the rest of an escrow is returned, and it is CANCELLED.',
    outcome: paymentEnd('success', ['capture', 'chargeback', 'dispute_lost']),
  },
  {
    event: 'dispute_withdrawn',
    needs: 'visa',
    story: 'The cardholder withdraws a dispute.',
    before: DISPUTED,
    answered: 'The money is returned; a statement row reports it.',
    ends: 'The dispute is `withdrawn`, with the same effect as won.',
    outcome: paymentEnd('success', ['capture', 'chargeback', 'dispute_withdrawn']),
  },
  {
    event: 'settle',
    needs: 'bank_slow',
    story: 'A pending payout is paid.',
    before: PENDING,
    answered: 'The payout is paid; the webhook and a statement row report it.',
    ends: 'SUCCESS, paid once.',
    outcome: payoutEnd('SUCCESS', ['payout'], null),
  },
  {
    event: 'fail',
    needs: 'bank_slow',
    story: 'A pending payout fails.',
    before: PENDING,
    answered: 'The payout is declined; the webhook reports it.',
    ends: 'FAILED; the money is reserved and can be retried or returned.',
    outcome: payoutEnd('FAILED', [], 'generic_error'),
  },
  {
    event: 'return',
    needs: 'bank_returned',
    story: 'A paid payout is returned.',
    before: DONE,
    answered: 'The money is returned; the webhook and a statement row report it.',
    ends: 'FAILED; the money is reserved and can be retried or returned.',
    outcome: payoutEnd('FAILED', ['payout', 'payout_return'], 'generic_error'),
  },
];

/** In the order in which they can happen. */
export const EVENT_ROWS: readonly Row[] = EVENTS.map((one) => {
  const { event, needs, story, before, answered, ends, outcome } = one;
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
});
