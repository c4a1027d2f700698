// Effects on the simulator's charges: authorize, capture, reverse. Each is one statement (or two
// that may be cut between), so a charge, its statement row and its webhook are never half written,
// and each happens once per key under concurrency.
import { prepared, raw, type Database } from '../../../db/index.ts';
import { refuse } from '../../../core/refusal.ts';
import type { ChargeOrder, DeclineCode } from '../../../providers/processor/port.ts';
import type { Exchange } from './exchanges.ts';
import { changing, NO_NOTICE, noticeRequestOf, told } from './notice-rows.ts';
import { refusals } from './refusals.ts';

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
  const rows = await db.query<Charge>(prepared('processor_charge_of')`
    select ${raw(CHARGE_COLUMNS)} from processor_charge where workspace = ${workspace}
      and key = ${key}`);
  return rows[0] ?? null;
}

/** The charge of a key, which must exist and be of the same order; else a refusal. */
async function chargeFor(db: Database, order: ChargeOrder): Promise<Charge> {
  const charge = await chargeOf(db, order.workspace, order.key);
  if (charge === null) throw refuse(refusals.CHARGE_ABSENT);
  const same =
    charge.token === order.token &&
    charge.amount === order.amount &&
    charge.currency === order.currency;
  if (!same) throw refuse(refusals.KEY_REUSED);
  return charge;
}

/** The code of a scripted decline; null for any other way. */
export function declineOf({ effect, code }: Exchange): DeclineCode | null {
  return effect === 'decline' ? (code ?? 'generic_error') : null;
}

/** A charge as one call shows it that is refused. */
function refused(charge: Charge, failure_code: DeclineCode): Charge {
  return { ...charge, state: 'declined', failure_code };
}

/**
 * Authorizes, declines or asks the buyer, as the exchange says; the first result under the key
 * stays. Returns the charge as it is now, which after a capture or reversal is no longer
 * authorized.
 */
export async function authorize(
  db: Database,
  order: ChargeOrder,
  reference: string,
  exchange: Exchange,
): Promise<Charge> {
  const { workspace, key, token, amount, currency } = order;
  const { effect } = exchange;
  const code = declineOf(exchange);
  const open = effect === 'challenge' ? 'challenged' : 'authorized';
  const state = code === null ? open : 'declined';
  if (effect === 'anew') await reserveAgain(db, order);
  const request = noticeRequestOf(exchange, code !== null);
  const [made] = await db.query<Charge>({
    name: 'processor_authorize',
    text: `with hit as (
        insert into processor_charge
          (workspace, key, token, reference, state, amount, currency, failure_code, challenge,
            created)
        values ($1, $2, $6, $7, $10, $8, $9, $11,
          case when $10 = 'challenged' then gen_random_uuid() end, workspace_now($1))
        on conflict (workspace, key) do nothing
        returning workspace, ${CHARGE_COLUMNS}
      ), ${told('processor', 'charge')}
      select ${CHARGE_COLUMNS} from hit`,
    values: [workspace, key, ...request, token, reference, amount, currency, state, code],
  });
  const charge = made ?? (await chargeFor(db, order));
  // The key was given up before: a late authorization is refused and nothing is held.
  if (charge.barred) return refused(charge, 'generic_error');
  return effect === 'taken' ? capture(db, order, exchange) : charge;
}

/** Authorizes again under the same key, as a processor does that forgot the key. */
async function reserveAgain(db: Database, order: ChargeOrder): Promise<void> {
  await db.execute(prepared('processor_reserve_again')`
    update processor_charge set parts = parts + 1, updated = workspace_at(${order.workspace}, $now)
    where workspace = $1 and key = ${order.key} and state = 'authorized' and token = ${order.token}
      and amount = ${order.amount}
      and currency = ${order.currency} and parts < 9`);
}

const CAPTURE = changing({
  table: 'charge',
  where: `state = 'authorized'`,
  set: `state = $6, failure_code = $7, parts = greatest(parts, $10),
    captured_amount = case when $6 = 'captured' then amount - $8 end,
    captured_currency = case when $6 = 'captured' then coalesce($9, currency) end`,
  line: `'capture', captured_amount, captured_currency, generate_series(1, parts)`,
  columns: ', part',
  moved: `state = 'captured'`,
  shown: CHARGE_COLUMNS,
});

/**
 * Captures what was authorized, once per key; by the exchange less, in another currency or twice,
 * later, or not at all: then the authorization ends with it.
 */
export async function capture(
  db: Database,
  order: ChargeOrder,
  exchange: Exchange,
): Promise<Charge> {
  const { effect } = exchange;
  const code = declineOf(exchange);
  const pending = effect === 'pending';
  const taken = pending ? 'pending' : 'captured';
  const other = order.currency === 'EUR' ? 'USD' : 'EUR';
  await chargeFor(db, order);
  const [charge] = await db.query<Charge>({
    name: 'processor_capture',
    text: CAPTURE,
    values: [
      ...[order.workspace, order.key],
      ...(pending ? NO_NOTICE : noticeRequestOf(exchange, true)),
      ...[code === null ? taken : 'declined', code],
      ...[effect === 'one_less' ? 1n : 0n, effect === 'other_currency' ? other : null],
      effect === 'twice' ? 2 : 1,
    ],
  });
  return charge ?? chargeFor(db, order);
}

const REVERSE = changing({
  table: 'charge',
  where: `state in ('challenged', 'authorized', 'pending', 'captured')`,
  set: `state = 'reversed'`,
  line: `'refund', captured_amount * parts - refunded, captured_currency`,
  moved: 'taken_back is null and captured_amount * parts > refunded',
  shown: CHARGE_COLUMNS,
});

/**
 * Gives back what the key holds: an authorization is voided; of a capture, the part not yet
 * refunded is refunded with a statement row, unless the exchange declines that. A key without a
 * charge is barred: a late authorization under it is refused.
 */
export async function reverse(
  db: Database,
  order: ChargeOrder,
  reference: string,
  exchange: Exchange,
): Promise<Charge> {
  const { workspace, key, token, amount, currency } = order;
  const code = declineOf(exchange);
  const held = code === null ? null : await chargeOf(db, workspace, key);
  if (code !== null && held?.state === 'captured') return refused(held, code);
  const [barred] = await db.query<Charge>(prepared('processor_bar')`insert into processor_charge
      (workspace, key, token, reference, state, amount, currency, barred)
    values (${workspace}, ${key}, ${token}, ${reference}, 'reversed', ${amount}, ${currency}, true)
    on conflict (workspace, key) do nothing
    returning ${raw(CHARGE_COLUMNS)}`);
  if (barred !== undefined) return barred;
  await chargeFor(db, order);
  const values = [workspace, key, ...noticeRequestOf(exchange, false)];
  const [charge] = await db.query<Charge>({
    name: 'processor_reverse',
    text: REVERSE,
    values,
  });
  return charge ?? chargeFor(db, order);
}
