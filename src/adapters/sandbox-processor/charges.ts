// Answers for the effects in the sandbox processor's book: authorise, capture, reverse, look. Each
// is one statement (or two that may be cut between), so a charge and its statement line are never
// half written, and each happens once for a key, whoever races. Knows no test cards and no HTTP.
import type { Database } from '../../db/index.ts';
import { refuse } from '../../kernel/refusal.ts';
import type { CardFailureCode } from './protocol.ts';
import { refusals } from './refusals.ts';

/** What the caller wants done under its key. Minor units. */
export interface Order {
  readonly world: number;
  readonly key: string;
  readonly token: string;
  readonly amount: bigint;
  readonly currency: string;
}

/** A row of the book. */
export interface Charge {
  readonly key: string;
  readonly token: string;
  readonly reference: string;
  readonly state: 'authorized' | 'captured' | 'reversed' | 'declined';
  readonly amount: bigint;
  readonly currency: string;
  readonly captured_amount: bigint | null;
  readonly captured_currency: string | null;
  readonly barred: boolean;
  readonly failure_code: string | null;
  readonly created: string;
  readonly updated: string;
}

/** The columns of a charge, as every statement lists them. */
export const CHARGE_COLUMNS = `key, token, reference, state, amount, currency, captured_amount,
  captured_currency, barred, failure_code, created, updated`;

/** The charge of a key, or null. */
export async function chargeOf(db: Database, world: number, key: string): Promise<Charge | null> {
  const rows = await db.query<Charge>({
    name: 'processor_charge_of',
    text: `select ${CHARGE_COLUMNS} from processor_charge where world = $1 and key = $2`,
    values: [world, key],
  });
  return rows[0] ?? null;
}

/** The charge of a key that must exist and must be about the same order; else a refusal. */
async function chargeFor(db: Database, order: Order): Promise<Charge> {
  const charge = await chargeOf(db, order.world, order.key);
  if (charge === null) throw refuse(refusals.CHARGE_ABSENT);
  const same =
    charge.token === order.token &&
    charge.amount === order.amount &&
    charge.currency === order.currency;
  if (!same) throw refuse(refusals.CHARGE_KEY_REUSED);
  return charge;
}

/**
 * Reserves the money, or declines with `code`; whichever came first under the key stays. Answers
 * the charge as it is now, which after a capture or reversal is no longer authorised.
 */
export async function authorize(
  db: Database,
  order: Order,
  reference: string,
  code: CardFailureCode | null,
): Promise<Charge> {
  const rows = await db.query<Charge>({
    name: 'processor_authorize',
    text: `insert into processor_charge
        (world, key, token, reference, state, amount, currency, failure_code)
      values ($1, $2, $3, $4, case when $7::text is null then 'authorized' else 'declined' end,
        $5, $6, $7)
      on conflict (world, key) do nothing
      returning ${CHARGE_COLUMNS}`,
    values: [
      order.world,
      order.key,
      order.token,
      reference,
      order.amount,
      order.currency,
      code,
    ],
  });
  return rows[0] ?? chargeFor(db, order);
}

/** What a scripted processor takes instead of what was authorised. */
export interface Distortion {
  /** Minor units fewer. */
  readonly less: bigint;
  /** Another currency, or null for the right one. */
  readonly currency: string | null;
}

/** Takes what was authorised and writes the statement line, once for each key. */
export async function capture(
  db: Database,
  order: Order,
  distortion: Distortion,
): Promise<Charge> {
  await chargeFor(db, order);
  const rows = await db.query<Charge>({
    name: 'processor_capture',
    text: `with taken as (
        update processor_charge
        set state = 'captured', captured_amount = amount - $3,
          captured_currency = coalesce($4, currency), updated = clock_timestamp()
        where world = $1 and key = $2 and state = 'authorized'
        returning world, ${CHARGE_COLUMNS}
      ), line as (
        insert into processor_statement (world, key, reference, kind, amount, currency)
        select world, key, reference, 'capture', captured_amount, captured_currency from taken
      )
      select ${CHARGE_COLUMNS} from taken`,
    values: [order.world, order.key, distortion.less, distortion.currency],
  });
  return rows[0] ?? chargeFor(db, order);
}

/** Declines the capture of what was authorised; the reservation is gone with it. */
export async function declineCapture(
  db: Database,
  order: Order,
  code: CardFailureCode,
): Promise<Charge> {
  await chargeFor(db, order);
  await db.execute({
    name: 'processor_decline_capture',
    text: `update processor_charge
      set state = 'declined', failure_code = $3, updated = clock_timestamp()
      where world = $1 and key = $2 and state = 'authorized'`,
    values: [order.world, order.key, code],
  });
  return chargeFor(db, order);
}

/**
 * Gives back what the key holds: a reservation is voided, a capture refunded with a statement line.
 * A key without a charge is barred: an authorisation that is still on its way comes too late.
 */
export async function reverse(db: Database, order: Order, reference: string): Promise<Charge> {
  const barred = await db.query<Charge>({
    name: 'processor_bar',
    text: `insert into processor_charge
        (world, key, token, reference, state, amount, currency, barred)
      values ($1, $2, $3, $4, 'reversed', $5, $6, true)
      on conflict (world, key) do nothing
      returning ${CHARGE_COLUMNS}`,
    values: [order.world, order.key, order.token, reference, order.amount, order.currency],
  });
  if (barred[0] !== undefined) return barred[0];
  await chargeFor(db, order);
  const rows = await db.query<Charge>({
    name: 'processor_reverse',
    text: `with given as (
        update processor_charge set state = 'reversed', updated = clock_timestamp()
        where world = $1 and key = $2 and state in ('authorized', 'captured')
        returning world, ${CHARGE_COLUMNS}
      ), line as (
        insert into processor_statement (world, key, reference, kind, amount, currency)
        select world, key, reference, 'refund', captured_amount, captured_currency from given
        where captured_amount is not null
      )
      select ${CHARGE_COLUMNS} from given`,
    values: [order.world, order.key],
  });
  return rows[0] ?? chargeFor(db, order);
}
