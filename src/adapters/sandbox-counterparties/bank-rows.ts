// The scenarios of the bank and of all that is outside: what settles, fails, comes back and is
// disputed, of payments and of payouts. Refuses to know how the book does it.
import type { OutcomeFact } from '../../ports/sandbox-counterparties.ts';
import type { OutsideEvent } from '../../ports/sandbox-cards.ts';
import { paymentEnd } from '../sandbox-processor/index.ts';
import { sandboxCall, type Row } from './rows.ts';

interface Outside {
  readonly name: string;
  readonly event: OutsideEvent;
  /** The account or card that it happens to. */
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
    ends: 'Success stays; the return is booked beside it, and no wallet is below zero.',
    outcome: paymentEnd('success', ['capture', 'return']),
  },
  {
    name: 'chargeback',
    event: 'chargeback',
    needs: 'visa',
    story: 'The holder of a card disputes a payment and gets the money back.',
    before: DONE,
    answered: 'Nobody has the money any more: the statement alone shows it.',
    ends: 'Success stays; the chargeback is booked beside it, and no wallet is below zero.',
    outcome: paymentEnd('success', ['capture', 'chargeback']),
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
