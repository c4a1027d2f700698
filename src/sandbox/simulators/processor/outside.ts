// Outside events: banks settle, fail and return payments, cardholders dispute. Each happens once
// per key, only where possible, and appears in the statement and a webhook.
import { sql, type Transaction } from '../../../db/index.ts';
import type { OutsideEvent } from '../../ports/cards.ts';
import { changing, OUTSIDE_NOTICE, told } from './notice-rows.ts';

type Executor = Pick<Transaction, 'execute'>;

const PENDING = `state = 'pending'`;
const DECLINE = `state = 'declined', failure_code = 'generic_error'`;

const SETTLED_CHARGE = changing({
  table: 'charge',
  where: PENDING,
  set: `state = 'captured', captured_amount = amount, captured_currency = currency`,
  line: `'capture', amount, currency`,
});
const FAILED_CHARGE = changing({ table: 'charge', where: PENDING, set: DECLINE });

/** Days in which a dispute can be answered; then the bank decides without an answer. */
const ANSWER_DAYS = 14;
const ANSWER_MS = ANSWER_DAYS * 86_400_000;

/** What happens by itself: an outside event, or the deadline of a dispute. */
export type DueEvent = OutsideEvent | 'dispute_expired';

/** Reason and answer deadline when a bank takes money back. */
const TAKEN = {
  chargeback: {
    brand: "<> 'ach'",
    dispute: "'needs_response'",
    told: `'fraudulent', workspace_at(workspace, $now) + interval '${ANSWER_DAYS} days'`,
  },
  return: { brand: "= 'ach'", dispute: 'null', told: `'insufficient_funds', null::timestamptz` },
} as const;

/** The charge stays captured: only the statement shows that the money is gone. */
function takenBack(event: keyof typeof TAKEN): string {
  const { brand, dispute, told } = TAKEN[event];
  return changing({
    table: 'charge',
    where: `state = 'captured' and taken_back is null and dispute is null
      and captured_amount * parts > refunded and exists (select from processor_card k
        where k.workspace = t.workspace and k.token = t.token and k.brand ${brand})`,
    set: `taken_back = '${event}', dispute = ${dispute}`,
    line: `'${event}', captured_amount * parts - refunded, captured_currency, ${told}`,
    columns: ', reason, due_by',
    about: 'statement',
  });
}

const UNANSWERED = "'needs_response'";

/** A dispute goes on or ends; the statement row has the disputed amount. */
function disputed(
  to: 'under_review' | 'won' | 'lost' | 'withdrawn',
  open = to === 'under_review' ? UNANSWERED : `${UNANSWERED}, 'under_review'`,
  also = 'true',
): string {
  const back = to === 'won' || to === 'withdrawn' ? ', taken_back = null' : '';
  return changing({
    table: 'charge',
    where: `dispute in (${open}) and ${also}`,
    set: `dispute = '${to}'${back}`,
    line: `'dispute_${to}', (select s.amount from processor_statement s
        where s.workspace = hit.workspace and s.key = hit.key and s.kind = 'chargeback'),
      captured_currency`,
    about: 'statement',
    also: `timely as (
      delete from processor_due d using hit
      where d.workspace = hit.workspace and d.key = hit.key and d.event = 'dispute_expired'
    )`,
  });
}

/** An answer is taken until the deadline, under the reference of the dispute ($6). */
export const ANSWERED = disputed(
  'under_review',
  UNANSWERED,
  `reference = $6 and workspace_at($1, $now) <= (select s.due_by from processor_statement s
    where s.workspace = t.workspace and s.key = t.key and s.kind = 'chargeback')`,
);

const SETTLED_TRANSFER = changing({
  table: 'transfer',
  where: PENDING,
  set: `state = 'paid'`,
  line: 'kind, amount, currency',
});
const FAILED_TRANSFER = changing({
  table: 'transfer',
  where: PENDING,
  set: DECLINE,
  also: `open as (
      update processor_charge c set refunded = c.refunded - hit.amount,
        updated = workspace_at($1, $now)
      from hit where hit.kind = 'refund' and c.workspace = hit.workspace and c.key = hit.target
    )`,
});
const RETURNED_PAYOUT = changing({
  table: 'transfer',
  where: `state = 'paid' and kind = 'payout'`,
  set: `state = 'returned'`,
  line: `'payout_return', amount, currency`,
});

/** Our own bank account did not take a transfer of the processor. */
const RETURNED_FROM_BANK = `with hit as (
    insert into processor_statement (at, workspace, key, reference, kind, amount, currency)
    select workspace_now(s.workspace), s.workspace, s.key, s.reference,
      'provider_payout_returned', s.amount, s.currency
    from processor_statement s
    where s.workspace = $1 and s.key = $2 and s.kind = 'provider_payout'
    on conflict do nothing returning workspace, key
  ), ${told('processor', 'statement')}
  select from hit`;

/** What an event can happen to: the first statement that changes a row has done it. */
const EFFECTS: Readonly<Record<DueEvent, readonly string[]>> = {
  settle: [SETTLED_CHARGE, SETTLED_TRANSFER],
  fail: [FAILED_CHARGE, FAILED_TRANSFER],
  return: [takenBack('return'), RETURNED_PAYOUT, RETURNED_FROM_BANK],
  chargeback: [takenBack('chargeback')],
  dispute_under_review: [disputed('under_review')],
  dispute_won: [disputed('won')],
  dispute_lost: [disputed('lost')],
  dispute_withdrawn: [disputed('withdrawn')],
  dispute_expired: [disputed('lost', UNANSWERED)],
};

/** Makes an event happen; false if it cannot or already has. */
export async function happen(
  db: Executor,
  workspace: number,
  key: string,
  event: DueEvent,
): Promise<boolean> {
  for (const text of EFFECTS[event]) {
    if ((await db.execute({ text, values: [workspace, key, ...OUTSIDE_NOTICE] })) !== 1) continue;
    if (event === 'chargeback') await happenLater(db, workspace, key, 'dispute_expired', ANSWER_MS);
    return true;
  }
  return false;
}

/** Schedules an event in so many milliseconds. */
export async function happenLater(
  db: Executor,
  workspace: number,
  key: string,
  event: DueEvent,
  afterMs: number,
): Promise<void> {
  await db.execute(sql`insert into processor_due (workspace, key, event, due)
    values (${workspace}, ${key}, ${event}, clock_timestamp() + ${afterMs}::int * interval '1
      millisecond')
    on conflict do nothing`);
}
