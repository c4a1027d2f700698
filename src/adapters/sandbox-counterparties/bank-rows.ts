// Scenarios of the bank and the outside world: payments and payouts that settle, fail, come back or
// are disputed.
import type { OutcomeFact } from '../../ports/sandbox-counterparties.ts';
import type { OutsideEvent } from '../../ports/sandbox-cards.ts';
import { paymentEnd } from '../sandbox-processor/index.ts';
import { sandboxCall, type Row } from './rows.ts';

interface Outside {
  readonly name: string;
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

const PENDING = 'The bank has the order and has not answered it yet.';
const DONE = 'The money was moved.';
const DISPUTED = 'The event `chargeback` has opened a dispute, which has not ended.';

const EVENTS: readonly Outside[] = [
  {
    name: 'settle',
    event: 'settle',
    needs: 'bank',
    story: 'A bank debit that is pending is settled.',
    before: PENDING,
    answered: 'The debit is captured; a notice and a line of the statement say so.',
    ends: 'Success, captured once.',
    outcome: paymentEnd('success', ['capture']),
  },
  {
    name: 'fail',
    event: 'fail',
    needs: 'bank',
    story: 'A bank debit that is pending fails.',
    before: PENDING,
    answered: 'The debit is declined; a notice says so.',
    ends: 'Failed: generic_error; nothing captured.',
    outcome: paymentEnd('failed', [], 'generic_error'),
  },
  {
    name: 'return',
    event: 'return',
    needs: 'bank_returned',
    story: 'A bank debit that was settled comes back unpaid.',
    before: DONE,
    answered: 'Nobody has the money any more: the statement alone shows it.',
    ends: 'Success stays; a dispute `returned` tells of it, and no wallet is below zero.',
    outcome: paymentEnd('success', ['capture', 'return']),
  },
  {
    name: 'chargeback',
    event: 'chargeback',
    needs: 'visa',
    story: 'The holder of a card disputes a payment and gets the money back.',
    before: DONE,
    answered: 'Nobody has the money any more: the statement alone shows it.',
    ends: 'Success stays; a dispute `needs_response` tells of it; an escrow is frozen.',
    outcome: paymentEnd('success', ['capture', 'chargeback']),
  },
  {
    name: 'dispute_under_review',
    event: 'dispute_under_review',
    needs: 'visa',
    story: 'The bank looks at what was answered to a dispute.',
    before: DISPUTED,
    answered: 'The statement says so; no money moves.',
    ends: 'The dispute is `under_review`.',
    outcome: paymentEnd('success', ['capture', 'chargeback', 'dispute_under_review']),
  },
  {
    name: 'dispute_won',
    event: 'dispute_won',
    needs: 'visa',
    story: 'The bank rejects a dispute.',
    before: DISPUTED,
    answered: 'The money is given back; a line of the statement says so.',
    ends: 'The dispute is `won`; who bore it has the money again, and an escrow goes on.',
    outcome: paymentEnd('success', ['capture', 'chargeback', 'dispute_won']),
  },
  {
    name: 'dispute_lost',
    event: 'dispute_lost',
    needs: 'visa',
    story: 'The bank upholds a dispute.',
    before: DISPUTED,
    answered: 'The money stays taken; the statement says so.',
    ends: 'The dispute is `lost`; of an escrow the rest goes back, and it is CANCELLED.',
    outcome: paymentEnd('success', ['capture', 'chargeback', 'dispute_lost']),
  },
  {
    name: 'dispute_withdrawn',
    event: 'dispute_withdrawn',
    needs: 'visa',
    story: 'The cardholder gives a dispute up.',
    before: DISPUTED,
    answered: 'The money is given back; a line of the statement says so.',
    ends: 'The dispute is `withdrawn`, and all is as if it was won.',
    outcome: paymentEnd('success', ['capture', 'chargeback', 'dispute_withdrawn']),
  },
  {
    name: 'payout_settle',
    event: 'settle',
    needs: 'bank_slow',
    story: 'A payout that is on its way arrives.',
    before: PENDING,
    answered: 'The payout is paid; a notice and a line of the statement say so.',
    ends: 'SUCCESS, paid once.',
    outcome: payoutEnd('SUCCESS', ['payout'], null),
  },
  {
    name: 'payout_fail',
    event: 'fail',
    needs: 'bank_slow',
    story: 'A payout that is on its way fails.',
    before: PENDING,
    answered: 'The payout is declined; a notice says so.',
    ends: 'FAILED; the money waits and can be sent again or given back.',
    outcome: payoutEnd('FAILED', [], 'generic_error'),
  },
  {
    name: 'payout_return',
    event: 'return',
    needs: 'bank_returned',
    story: 'A payout that was paid comes back.',
    before: DONE,
    answered: 'The money is back; a notice and a line of the statement say so.',
    ends: 'FAILED; the money waits and can be sent again or given back.',
    outcome: payoutEnd('FAILED', ['payout', 'payout_return'], 'generic_error'),
  },
];

/** In the order in which they can happen. */
export const EVENT_ROWS: readonly Row[] = EVENTS.map((one) => {
  const { name, event, needs, story, before, answered, ends, outcome } = one;
  const id = outcome.of === 'payout' ? '{payout_status_id}' : '{invoice_id}';
  return {
    name: `event.${name}`,
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
