// Which money of a person is in progress, read from the rows of every module that moves money.
// Called rarely: it starts from all that is open in the workspace, for which there are indexes.
import type { Queryable } from '../../../db/index.ts';
import { ofBuyer } from '../../../core/by-account.ts';

/** The kinds of money in progress. */
export const UNDER_WAY = [
  'payment',
  'escrow',
  'payout',
  'deposit',
  'refund',
  'reversal',
  'debt',
] as const;
export type UnderWay = (typeof UNDER_WAY)[number];

/** SQL: each half uses an index of open attempts. An invoice or deposit in progress has one. */
const ATTEMPTS = `select resource_id from attempt where workspace = $1
    and state in ('authorizing', 'challenged', 'capturing', 'reversing')
  union all select resource_id from attempt where workspace = $1 and state = 'parked'`;

/** SQL: the charged resource by its key; the limit keeps a plan from reading a whole workspace. */
const CHARGED = `cross join lateral (
    (select 'payment' as kind, account_id, state from invoice
      where workspace = $1 and id = o.resource_id limit 1)
    union all (select 'deposit', account_id, state from deposit
      where workspace = $1 and id = o.resource_id limit 1)) c`;

/** SQL: true where an invoice's document names one of the person's wallets, so money will come. */
const NAMED = `exists (select from wallet w cross join lateral (
    select id, document from invoice_document
    where workspace = $1 and id = o.resource_id limit 1) d
  where w.workspace = $1 and w.account_id = $2
    and strpos(sale_terms(d.id::text, d.document)::text, w.id::text) > 0)`;

const TEXT = `with open as materialized (
    select o.resource_id, c.kind, c.account_id, c.state from (${ATTEMPTS}) o ${CHARGED})
  select exists (select from invoice i
      where workspace = $1 and ${ofBuyer('i', '$2')} and state = 'processing')
    or exists (select from open where kind = 'payment' and account_id = $2)
    or exists (select from open o where kind = 'payment' and state = 'processing' and ${NAMED})
    as payment,
  exists (select from escrow where workspace = $1 and due is not null and state = 'ESCROWED'
      and account_id = $2)
    or exists (select from escrow where workspace = $1 and time_left is not null
      and account_id = $2)
    or exists (select from escrow_seller s cross join lateral (
        select state from escrow where workspace = $1 and id = s.escrow_id limit 1) e
      where s.workspace = $1 and s.account_id = $2 and e.state = 'ESCROWED') as escrow,
  exists (select from payout where workspace = $1 and account_id = $2
    and state not in ('SUCCESS', 'SUPPORT-REJECTED', 'SYSTEM-REJECTED')) as payout,
  exists (select from open where kind = 'deposit' and account_id = $2 and state = 'requested')
    or exists (select from wallet w
      join opening_line l on l.workspace = $1 and l.wallet_id = w.id
      join opening o on o.workspace = $1 and o.id = l.opening_id and l.line > o.last_line
      where w.workspace = $1 and w.account_id = $2 and o.state <> 'cancelled') as deposit,
  exists (select from invoice i cross join lateral (
      select from refund where workspace = $1 and invoice_id = i.id
        and state in ('REFUND-PENDING', 'REFUND-WAITING-FUNDS') limit 1) r
    where i.workspace = $1 and ${ofBuyer('i', '$2')}) as refund,
  exists (select from reversal o ${CHARGED}
    where o.workspace = $1 and o.state = 'received' and c.account_id = $2) as reversal,
  exists (select from wallet w join balance b on b.workspace = w.workspace and b.id = w.id
    where w.workspace = $1 and w.account_id = $2 and b.owes > 0) as debt`;

/**
 * The kinds of the account's money in progress. What the integrator owes a processor is a
 * `reversal`, what the account owes for lost disputes a `debt`.
 */
export async function moneyUnderWay(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<readonly UnderWay[]> {
  const [row] = await db.query<Record<UnderWay, boolean>>({
    name: 'money_under_way',
    text: TEXT,
    values: [workspace, account],
  });
  return UNDER_WAY.filter((kind) => row?.[kind] === true);
}
