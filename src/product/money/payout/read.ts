// Reads of payouts: the current record, an account's list, and the record at a version.
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { recordAtVersion } from '../../../outbox/index.ts';
import type { PaymentMethodRow } from '../wallet/index.ts';
import { payoutRecord, renderPayout, type PayoutMoment, type PayoutRecord } from './schema.ts';
import { isKept, type PayoutFacts, type PayoutRow } from './tables.ts';

type Shown = PayoutFacts & PayoutMoment;

const FACTS = `p.workspace, p.id, p.account_id, p.source_method_id, p.source_wallet_id,
  p.destination_method_id, p.currency, p.amount, p.fee_amount, p.created`;

/** The current payout of an account, or null. One statement, on the primary. [M19] */
export async function readPayout(
  db: Queryable,
  workspace: number,
  account: string,
  id: string,
): Promise<PayoutRecord | null> {
  if (!isUuid(id)) return null;
  const rows = await db.query<Shown>(prepared('read_payout')`
    select ${raw(FACTS)}, p.state, p.updated, p.failure_code from payout p
    where p.workspace = ${workspace} and p.account_id = ${account} and p.id = ${id}`);
  const row = rows[0];
  return row === undefined ? null : renderPayout(row, row);
}

/** A payout by its id alone, with its account in wire form; null for an unknown one. */
export async function payoutById(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<{ readonly record: PayoutRecord; readonly kept: boolean } | null> {
  const [row] = await db.query<Shown & Pick<PayoutRow, 'due'>>(prepared('payout_by_id')`
    select ${raw(FACTS)}, p.state, p.updated, p.failure_code, p.due from payout p
    where p.workspace = ${workspace} and p.id = ${id}`);
  return row === undefined ? null : { record: renderPayout(row, row), kept: isKept(row) };
}

/** An account's payouts, newest first. */
export async function listPayouts(
  db: Queryable,
  workspace: number,
  account: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<PayoutRecord[]> {
  const rows = await db.query<Shown>(prepared('list_payouts')`
    select ${raw(FACTS)}, p.state, p.updated, p.failure_code from payout p
    where p.workspace = ${workspace} and p.account_id = ${account}
    order by p.created desc, p.id desc limit ${page.limit} offset ${page.offset}`);
  return rows.map((row) => renderPayout(row, row));
}

/** A payment method of an account, or null. */
export async function methodOfAccount(
  db: Queryable,
  workspace: number,
  account: string,
  id: string,
): Promise<Pick<PaymentMethodRow, 'id' | 'provider' | 'pm_state'> | null> {
  if (!isUuid(id)) return null;
  const rows = await db.query<Pick<PaymentMethodRow, 'id' | 'provider' | 'pm_state'>>(
    prepared('payout_method')`
    select id, provider, pm_state from payment_method
    where workspace = ${workspace} and account_id = ${account} and id = ${id}`);
  return rows[0] ?? null;
}

/** The payout record at a version. */
export const payoutRecords = recordAtVersion<Shown>(
  {
    kind: 'payout',
    schema: payoutRecord,
    table: 'payout p',
    columns: `${FACTS}, s.detail::json ->> 'failure_code' as failure_code`,
  },
  (row) => renderPayout(row, row),
);
