// Effects on the simulator's charges: authorize, capture, reverse. Each is one statement (or two
// that may be cut between), so a charge, its statement row and its webhook are never half written,
// and each happens once per key under concurrency.
import type { Database } from '../../../db/index.ts';
import { refuse } from '../../../core/refusal.ts';
import type { NoticeRequest } from './notice-rows.ts';
import { told } from './notice-rows.ts';
import type { CardFailureCode } from './protocol.ts';
import { refusals } from './refusals.ts';

/** What the caller wants under its key. Minor units. */
export interface Order {
  readonly workspace: number;
  readonly key: string;
  readonly token: string;
  readonly amount: bigint;
  readonly currency: string;
}

/** A charge row. */
export interface Charge {
  readonly key: string;
  readonly token: string;
  readonly reference: string;
  readonly state: 'challenged' | 'authorized' | 'pending' | 'captured' | 'reversed' | 'declined';
  readonly amount: bigint;
  readonly currency: string;
  readonly captured_amount: bigint | null;
  readonly captured_currency: string | null;
  /** How often the amount was captured; above one only if the processor errs. */
  readonly parts: number;
  /** Given back by refunds. */
  readonly refunded: bigint;
  readonly taken_back: 'chargeback' | 'return' | null;
  readonly barred: boolean;
  readonly failure_code: string | null;
  /** Names the page where the buyer confirms; null if the bank does not ask. */
  readonly challenge: string | null;
  readonly created: string;
  readonly updated: string;
}

/** A charge's columns, as every statement lists them. */
export const CHARGE_COLUMNS = `key, token, reference, state, amount, currency, captured_amount,
  captured_currency, parts, refunded, taken_back, barred, failure_code, challenge, created,
  updated`;

/** The charge of a key, or null. */
export async function chargeOf(
  db: Database,
  workspace: number,
  key: string,
): Promise<Charge | null> {
  const rows = await db.query<Charge>({
    name: 'processor_charge_of',
    text: `select ${CHARGE_COLUMNS} from processor_charge where workspace = $1 and key = $2`,
    values: [workspace, key],
  });
  return rows[0] ?? null;
}

/** The charge of a key, which must exist and be of the same order; else a refusal. */
async function chargeFor(db: Database, order: Order): Promise<Charge> {
  const charge = await chargeOf(db, order.workspace, order.key);
  if (charge === null) throw refuse(refusals.CHARGE_ABSENT);
  const same =
    charge.token === order.token &&
    charge.amount === order.amount &&
    charge.currency === order.currency;
  if (!same) throw refuse(refusals.KEY_REUSED);
  return charge;
}

/** An authorization's result: authorized, declined with a code, or to be confirmed by the buyer. */
export type Ruling = 'authorized' | 'challenged' | { readonly declined: CardFailureCode };

/**
 * Applies the result to an authorization; the first one under the key stays. Returns the charge as
 * it is now, which after a capture or reversal is no longer authorized.
 */
export async function authorize(
  db: Database,
  order: Order,
  reference: string,
  ruling: Ruling,
  request: NoticeRequest,
): Promise<Charge> {
  const { workspace, key, token, amount, currency } = order;
  const state = typeof ruling === 'string' ? ruling : 'declined';
  const code = typeof ruling === 'string' ? null : ruling.declined;
  const rows = await db.query<Charge>({
    name: 'processor_authorize',
    text: `with made as (
        insert into processor_charge
          (workspace, key, token, reference, state, amount, currency, failure_code, challenge,
            created)
        values ($1, $2, $6, $7, $10, $8, $9, $11,
          case when $10 = 'challenged' then gen_random_uuid() end, workspace_now($1))
        on conflict (workspace, key) do nothing
        returning workspace, ${CHARGE_COLUMNS}
      ), ${told('made', 'charge')}
      select ${CHARGE_COLUMNS} from made`,
    values: [workspace, key, ...request, token, reference, amount, currency, state, code],
  });
  return rows[0] ?? chargeFor(db, order);
}

/** Authorizes again under the same key, as a processor does that forgot the key. */
export async function reserveAgain(db: Database, order: Order): Promise<void> {
  await db.execute({
    name: 'processor_reserve_again',
    text: `update processor_charge set parts = parts + 1, updated = workspace_now($1)
      where workspace = $1 and key = $2 and state = 'authorized' and token = $3 and amount = $4
        and currency = $5 and parts < 9`,
    values: [order.workspace, order.key, order.token, order.amount, order.currency],
  });
}

/** How a scripted capture differs from the authorization. */
export interface Distortion {
  /** Minor units fewer. */
  readonly less: bigint;
  /** Another currency, or null for the right one. */
  readonly currency: string | null;
  /** Least number of captures. */
  readonly parts: number;
}

/** Captures what was authorized and writes the statement row, once per key. */
export async function capture(
  db: Database,
  order: Order,
  distortion: Distortion,
  request: NoticeRequest,
): Promise<Charge> {
  await chargeFor(db, order);
  const { less, currency, parts } = distortion;
  const rows = await db.query<Charge>({
    name: 'processor_capture',
    text: `with taken as (
        update processor_charge
        set state = 'captured', captured_amount = amount - $6,
          captured_currency = coalesce($7, currency), parts = greatest(parts, $8),
          updated = workspace_now($1)
        where workspace = $1 and key = $2 and state = 'authorized'
        returning workspace, ${CHARGE_COLUMNS}
      ), line as (
        insert into processor_statement (at, workspace, key, reference, kind, part, amount,
        currency)
        select workspace_now(workspace), workspace, key, reference, 'capture', generate_series(1,
        parts),
          captured_amount, captured_currency
        from taken
      ), ${told('taken', 'charge')}
      select ${CHARGE_COLUMNS} from taken`,
    values: [order.workspace, order.key, ...request, less, currency, parts],
  });
  return rows[0] ?? chargeFor(db, order);
}

/** Accepts a capture to be settled later. */
export function acceptCapture(db: Database, order: Order): Promise<Charge> {
  return endCapture(db, order, null, [0, 0, true]);
}

/** Declines a capture; the authorization ends with it. */
export function declineCapture(
  db: Database,
  order: Order,
  code: CardFailureCode,
  request: NoticeRequest,
): Promise<Charge> {
  return endCapture(db, order, code, request);
}

async function endCapture(
  db: Database,
  order: Order,
  code: CardFailureCode | null,
  request: NoticeRequest,
): Promise<Charge> {
  await chargeFor(db, order);
  await db.execute({
    name: 'processor_end_capture',
    text: `with ended as (
        update processor_charge
        set state = case when $6::text is null then 'pending' else 'declined' end,
          failure_code = $6, updated = workspace_now($1)
        where workspace = $1 and key = $2 and state = 'authorized'
        returning workspace, key
      ), ${told('ended', 'charge')}
      select from ended`,
    values: [order.workspace, order.key, ...request, code],
  });
  return chargeFor(db, order);
}

/**
 * Gives back what the key holds: an authorization is voided; of a capture, the part not yet
 * refunded is refunded with a statement row. A key without a charge is barred: a late authorization
 * under it is refused.
 */
export async function reverse(
  db: Database,
  order: Order,
  reference: string,
  request: NoticeRequest,
): Promise<Charge> {
  const { workspace, key, token, amount, currency } = order;
  const barred = await db.query<Charge>({
    name: 'processor_bar',
    text: `insert into processor_charge
        (workspace, key, token, reference, state, amount, currency, barred)
      values ($1, $2, $3, $4, 'reversed', $5, $6, true)
      on conflict (workspace, key) do nothing
      returning ${CHARGE_COLUMNS}`,
    values: [workspace, key, token, reference, amount, currency],
  });
  if (barred[0] !== undefined) return barred[0];
  await chargeFor(db, order);
  const rows = await db.query<Charge>({
    name: 'processor_reverse',
    text: `with given as (
        update processor_charge set state = 'reversed', updated = workspace_now($1)
        where workspace = $1 and key = $2
          and state in ('challenged', 'authorized', 'pending', 'captured')
        returning workspace, ${CHARGE_COLUMNS}
      ), line as (
        insert into processor_statement (at, workspace, key, reference, kind, amount, currency)
        select workspace_now(workspace), workspace, key, reference, 'refund',
          captured_amount * parts - refunded, captured_currency
        from given where taken_back is null and captured_amount * parts > refunded
      ), ${told('given', 'charge')}
      select ${CHARGE_COLUMNS} from given`,
    values: [workspace, key, ...request],
  });
  return rows[0] ?? chargeFor(db, order);
}
