// Outside events: banks settle, fail and return payments, cardholders dispute. Each happens once
// per key, only where possible, and appears in the statement and a webhook.
import type { Database, Transaction } from '../../../db/index.ts';
import type { OutsideEvent } from '../../ports/cards.ts';
import { takeDue } from '../store/due.ts';
import { OUTSIDE_NOTICE, told } from './notice-rows.ts';

type Executor = Pick<Transaction, 'execute'>;

const LINE =
  'insert into processor_statement (at, workspace, key, reference, kind, amount, currency)';
const NOW = 'updated = workspace_now($1)';

const SETTLED_CHARGE = `with hit as (
    update processor_charge set state = 'captured', captured_amount = amount,
      captured_currency = currency, ${NOW}
    where workspace = $1 and key = $2 and state = 'pending' returning *
  ), line as (
    ${LINE} select workspace_now(workspace), workspace, key, reference, 'capture', amount, currency
    from hit
  ), ${told('hit', 'charge')}
  select from hit`;

const FAILED_CHARGE = `with hit as (
    update processor_charge set state = 'declined', failure_code = 'generic_error', ${NOW}
    where workspace = $1 and key = $2 and state = 'pending' returning *
  ), ${told('hit', 'charge')}
  select from hit`;

const TOLD_LINE = LINE.replace(')', ', reason, due_by)');

/** Days in which a dispute can be answered. */
const ANSWER_DAYS = 14;

/** Reason and answer deadline when a bank takes money back. */
const TAKEN = {
  chargeback: {
    brand: "<> 'ach'",
    dispute: "'needs_response'",
    told: `'fraudulent', workspace_now(workspace) + interval '${ANSWER_DAYS} days'`,
  },
  return: { brand: "= 'ach'", dispute: 'null', told: `'insufficient_funds', null` },
} as const;

/** The charge stays captured: only the statement shows that the money is gone. */
function takenBack(event: keyof typeof TAKEN): string {
  const { brand, dispute, told: why } = TAKEN[event];
  return `with hit as (
    update processor_charge c set taken_back = '${event}', dispute = ${dispute}, ${NOW}
    from processor_card k
    where c.workspace = $1 and c.key = $2 and k.workspace = c.workspace and k.token = c.token
      and k.brand ${brand} and c.state = 'captured' and c.taken_back is null
      and c.dispute is null and c.captured_amount * c.parts > c.refunded
    returning c.*
  ), line as (
    ${TOLD_LINE} select workspace_now(workspace), workspace, key, reference, '${event}',
      captured_amount * parts - refunded, captured_currency, ${why} from hit
  ), ${told('hit', 'statement')}
  select from hit`;
}

/** A dispute goes on or ends; the statement row has the disputed amount. */
function disputed(to: 'under_review' | 'won' | 'lost' | 'withdrawn'): string {
  const open = to === 'under_review' ? "'needs_response'" : "'needs_response', 'under_review'";
  const back = to === 'won' || to === 'withdrawn' ? 'taken_back = null,' : '';
  return `with hit as (
    update processor_charge set dispute = '${to}', ${back} ${NOW}
    where workspace = $1 and key = $2 and dispute in (${open}) returning *
  ), line as (
    ${LINE} select workspace_now(s.workspace), s.workspace, s.key, s.reference, 'dispute_${to}',
    s.amount,
      s.currency from processor_statement s join hit on hit.workspace = s.workspace
      and hit.key = s.key
    where s.kind = 'chargeback'
  ), ${told('hit', 'statement')}
  select from hit`;
}

const SETTLED_TRANSFER = `with hit as (
    update processor_transfer set state = 'paid', ${NOW}
    where workspace = $1 and key = $2 and state = 'pending' returning *
  ), line as (
    ${LINE} select workspace_now(workspace), workspace, key, reference, kind, amount, currency
    from hit
  ), ${told('hit', 'remittance')}
  select from hit`;

const FAILED_TRANSFER = `with hit as (
    update processor_transfer set state = 'declined', failure_code = 'generic_error', ${NOW}
    where workspace = $1 and key = $2 and state = 'pending' returning *
  ), open as (
    update processor_charge c set refunded = c.refunded - hit.amount, ${NOW}
    from hit where hit.kind = 'refund' and c.workspace = hit.workspace and c.key = hit.target
  ), ${told('hit', 'remittance')}
  select from hit`;

const RETURNED_PAYOUT = `with hit as (
    update processor_transfer set state = 'returned', ${NOW}
    where workspace = $1 and key = $2 and state = 'paid' and kind = 'payout' returning *
  ), line as (
    ${LINE} select workspace_now(workspace), workspace, key, reference, 'payout_return', amount,
      currency from hit
  ), ${told('hit', 'remittance')}
  select from hit`;

/** What an event can happen to: the first statement that changes a row has done it. */
const EFFECTS: Readonly<Record<OutsideEvent, readonly string[]>> = {
  settle: [SETTLED_CHARGE, SETTLED_TRANSFER],
  fail: [FAILED_CHARGE, FAILED_TRANSFER],
  return: [takenBack('return'), RETURNED_PAYOUT],
  chargeback: [takenBack('chargeback')],
  dispute_under_review: [disputed('under_review')],
  dispute_won: [disputed('won')],
  dispute_lost: [disputed('lost')],
  dispute_withdrawn: [disputed('withdrawn')],
};

/** Makes an event happen; false if it cannot or already has. */
export async function happen(
  db: Executor,
  workspace: number,
  key: string,
  event: OutsideEvent,
): Promise<boolean> {
  for (const text of EFFECTS[event]) {
    if ((await db.execute({ text, values: [workspace, key, ...OUTSIDE_NOTICE] })) === 1)
      return true;
  }
  return false;
}

/** Schedules an event in so many milliseconds. */
export async function happenLater(
  db: Executor,
  workspace: number,
  key: string,
  event: OutsideEvent,
  afterMs: number,
): Promise<void> {
  await db.execute({
    text: `insert into processor_due (workspace, key, event, due)
      values ($1, $2, $3, clock_timestamp() + $4::int * interval '1 millisecond')
      on conflict do nothing`,
    values: [workspace, key, event, afterMs],
  });
}

/** Carries out due events; returns how many. */
export function happenDue(db: Database): Promise<number> {
  return takeDue<OutsideEvent>(db, 'processor', happen);
}
