// Answers for what the outside world does to the book: banks settle, fail and return, holders of
// cards dispute. Each happens once for a key and only where it can; the statement and a notice tell
// of it. Knows no HTTP and no caller.
import type { Database, Transaction } from '../../db/index.ts';
import type { OutsideEvent } from '../../ports/sandbox-cards.ts';
import { takeDue } from '../sandbox-book/due.ts';
import { OUTSIDE_NOTICE, told } from './notice-rows.ts';

type Executor = Pick<Transaction, 'execute'>;

const LINE = 'insert into processor_statement (at, world, key, reference, kind, amount, currency)';
const NOW = 'updated = world_now($1)';

const SETTLED_CHARGE = `with hit as (
    update processor_charge set state = 'captured', captured_amount = amount,
      captured_currency = currency, ${NOW}
    where world = $1 and key = $2 and state = 'pending' returning *
  ), line as (
    ${LINE} select world_now(world), world, key, reference, 'capture', amount, currency from hit
  ), ${told('hit', 'charge')}
  select from hit`;

const FAILED_CHARGE = `with hit as (
    update processor_charge set state = 'declined', failure_code = 'generic_error', ${NOW}
    where world = $1 and key = $2 and state = 'pending' returning *
  ), ${told('hit', 'charge')}
  select from hit`;

/** The charge stays captured: only the statement shows that nobody has the money any more. */
const takenBack = (event: 'chargeback' | 'return', brand: string): string => `with hit as (
    update processor_charge c set taken_back = '${event}', ${NOW}
    from processor_card k
    where c.world = $1 and c.key = $2 and k.world = c.world and k.token = c.token
      and k.brand ${brand} and c.state = 'captured' and c.taken_back is null
      and c.captured_amount * c.parts > c.refunded
    returning c.*
  ), line as (
    ${LINE} select world_now(world), world, key, reference, '${event}',
      captured_amount * parts - refunded, captured_currency from hit
  ), ${told('hit', 'statement')}
  select from hit`;

const SETTLED_REMITTANCE = `with hit as (
    update processor_remittance set state = 'paid', ${NOW}
    where world = $1 and key = $2 and state = 'pending' returning *
  ), line as (
    ${LINE} select world_now(world), world, key, reference, kind, amount, currency from hit
  ), ${told('hit', 'remittance')}
  select from hit`;

const FAILED_REMITTANCE = `with hit as (
    update processor_remittance set state = 'declined', failure_code = 'generic_error', ${NOW}
    where world = $1 and key = $2 and state = 'pending' returning *
  ), open as (
    update processor_charge c set refunded = c.refunded - hit.amount, ${NOW}
    from hit where hit.kind = 'refund' and c.world = hit.world and c.key = hit.target
  ), ${told('hit', 'remittance')}
  select from hit`;

const RETURNED_PAYOUT = `with hit as (
    update processor_remittance set state = 'returned', ${NOW}
    where world = $1 and key = $2 and state = 'paid' and kind = 'payout' returning *
  ), line as (
    ${LINE} select world_now(world), world, key, reference, 'payout_return', amount,
      currency from hit
  ), ${told('hit', 'remittance')}
  select from hit`;

/** What an event can happen to: the first statement that finds something has done it. */
const EFFECTS: Readonly<Record<OutsideEvent, readonly string[]>> = {
  settle: [SETTLED_CHARGE, SETTLED_REMITTANCE],
  fail: [FAILED_CHARGE, FAILED_REMITTANCE],
  return: [takenBack('return', "= 'ach'"), RETURNED_PAYOUT],
  chargeback: [takenBack('chargeback', "<> 'ach'")],
};

/** Makes an event happen; false where it cannot, or has already. */
export async function happen(
  db: Executor,
  world: number,
  key: string,
  event: OutsideEvent,
): Promise<boolean> {
  for (const text of EFFECTS[event]) {
    if ((await db.execute({ text, values: [world, key, ...OUTSIDE_NOTICE] })) === 1) return true;
  }
  return false;
}

/** Notes that an event is to happen after so many milliseconds. */
export async function happenLater(
  db: Executor,
  world: number,
  key: string,
  event: OutsideEvent,
  afterMs: number,
): Promise<void> {
  await db.execute({
    text: `insert into processor_due (world, key, event, due)
      values ($1, $2, $3, clock_timestamp() + $4::int * interval '1 millisecond')
      on conflict do nothing`,
    values: [world, key, event, afterMs],
  });
}

/** Makes happen what is due; gives how much that was. */
export function happenDue(db: Database): Promise<number> {
  return takeDue<OutsideEvent>(db, 'processor', happen);
}
