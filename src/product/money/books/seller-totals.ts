// What each seller was paid in a year by month, with the columns that tax authorities ask a
// marketplace for: gross amounts and their number (1099-K), and by quarter fees that were withheld
// (DAC7). Each page walks the sales of its own sellers alone. [G-99]
import { z } from 'zod';
import { sql, type Queryable } from '../../../db/index.ts';
import { accountId } from '../../../core/ids.ts';
import { toWire } from '../../../core/money.ts';
import { strictObject } from '../../../core/schema.ts';
import { inChain } from '../../../core/by-account.ts';

const minor = (description: string): z.ZodInt => z.int().meta({ description });

const columns = {
  sales: minor('How many sales paid the seller.'),
  gross: minor('What they paid, before fees. Minor units.'),
  fees: minor('What was withheld as fees. Minor units.'),
  refunds: minor("The seller's share, rounded down, of refunds in that time. Minor units."),
};
const span = strictObject(columns);

/** A page of sellers with their totals. */
export const sellerTotalsPage = strictObject({
  year: z.int(),
  sellers: z.array(
    strictObject({
      account_id: z.string(),
      currency: z.string(),
      ...columns,
      quarters: z.array(span).length(4),
      months: z.array(span).length(12),
    }),
  ),
  next: z.string().meta({ description: "`after` of the next page; '' after the last one." }),
}).meta({ title: 'SellerTotalsPage' });
export type SellerTotalsPage = z.output<typeof sellerTotalsPage>;

interface MonthOf {
  readonly account_id: string;
  readonly currency: string;
  /** From 1. */
  readonly month: number;
  readonly sales: bigint;
  readonly gross: bigint;
  readonly fees: bigint;
  readonly refunds: bigint;
}

/** The wallets of the sellers, and every invoice that credited one or repaid its debts. */
const SOLD = `own as (
    select id, kept_back_id, account_id, currency from wallet
    where workspace = $1 and account_id = any ($2)),
  sold as (
    select w.account_id, w.id as wallet, w.currency, p.resource_id as invoice
    from own w
    cross join lateral (values (w.id), (w.kept_back_id)) as a (id)
    join posting p on p.workspace = $1 and ${inChain('p', 'a.id')}
      and p.amount > 0
    union
    select w.account_id, w.id, w.currency, r.invoice_id
    from own w join debt_repayment r on r.workspace = $1 and r.wallet_id = w.id),
  sale as (
    select s.*, t.at, sale_terms(d.id::text, d.document) as terms
    from sold s
    cross join lateral (select at from history where workspace = $1 and resource_id = s.invoice
      and machine = 'invoice' and event in ('payment_succeeded', 'commit')
      and to_state = 'success' offset 0) t
    join invoice_document d on d.workspace = $1 and d.id = s.invoice)`;

/** The seller's parts of a line item; what was agreed is what is left after the fee. */
const PARTS = `json_array_elements(terms -> 'lines') as l (line)
    cross join lateral json_array_elements(line -> 'recipients') as r (part)
    cross join lateral (select (part ->> 'amount')::int8 as net,
      coalesce((part -> 'fee' ->> 'amount')::int8, 0) as fee) as m`;

const MONTHS = `with ${SOLD},
  paid as (
    select s.account_id, s.currency, s.at, p.net, p.fee from sale s
    cross join lateral (select sum(m.net) as net, sum(m.fee) as fee from ${PARTS}
      where part ->> 'wallet' = s.wallet::text) p
    where s.at >= $3 and s.at < $4 and p.net is not null),
  refunded as (
    select s.account_id, s.currency, t.at, trunc(b.value::numeric * (m.net + m.fee)
      / nullif((line ->> 'amount')::numeric, 0) * f.counted / f.amount) as amount
    from sale s
    join refund f on f.workspace = $1 and f.counted > 0
      and f.invoice_id = coalesce((s.terms ->> 'of')::uuid, s.invoice)
    cross join lateral (select at from history where workspace = $1 and resource_id = f.id
      and machine = 'refund' and to_state = f.state
      and to_state in ('REFUND-SUCCESS', 'REFUND-FAILED') offset 0) t
    join invoice_document d on d.workspace = $1 and d.id = f.invoice_id
    cross join lateral (select sale_terms(d.id::text, d.document) as terms) as o
    cross join lateral ${PARTS.replaceAll('terms ->', 'o.terms ->')}
    join json_each_text(f.lines::json) b on b.key = line ->> 'id'
    where t.at >= $3 and t.at < $4 and part ->> 'wallet' = s.wallet::text)
  select account_id, currency, extract(month from at)::int4 as month, sum(sales)::int8 as sales,
    sum(gross)::int8 as gross, sum(fees)::int8 as fees, sum(refunds)::int8 as refunds
  from (
    select account_id, currency, at, 1 as sales, net + fee as gross, fee as fees, 0 as refunds
    from paid
    union all select account_id, currency, at, 0, 0, 0, amount from refunded) both_kinds
  group by account_id, currency, month order by account_id, currency, month`;

/** The accounts of a page: how many, and after which; '' for the first. */
export interface SellerTotalsQuestion {
  readonly year: number;
  readonly after: string;
  readonly limit: number;
}

/** Totals of the sellers among the next accounts after one, by id. */
export async function sellerTotals(
  tx: Queryable,
  workspace: number,
  { year, after, limit }: SellerTotalsQuestion,
): Promise<SellerTotalsPage> {
  const accounts = await tx.query<{ id: string }>(sql`
    select id from account where workspace = ${workspace} and (${after} = '' or id > nullif($2,
      '')::uuid)
    order by id limit ${limit}`);
  const months = await tx.query<MonthOf>({
    text: MONTHS,
    values: [workspace, accounts.map(({ id }) => id), `${year}-01-01`, `${year + 1}-01-01`],
  });
  const sellers = Map.groupBy(months, ({ account_id, currency }) => `${account_id} ${currency}`);
  const last = accounts.length < limit ? undefined : accounts.at(-1);
  return {
    year,
    sellers: [...sellers.values()].flatMap((of) =>
      of.slice(0, 1).map(({ account_id, currency }) => ({
        account_id: accountId(account_id),
        currency,
        ...total(of, 1, 12),
        quarters: [1, 4, 7, 10].map((first) => total(of, first, first + 2)),
        months: Array.from({ length: 12 }, (_, at) => total(of, at + 1, at + 1)),
      })),
    ),
    next: last === undefined ? '' : accountId(last.id),
  };
}

/** The columns of some months. */
function total(months: readonly MonthOf[], first: number, last: number): z.output<typeof span> {
  const of = months.filter(({ month }) => month >= first && month <= last);
  const sum = (column: keyof typeof columns): number =>
    toWire(of.reduce((all, one) => all + one[column], 0n));
  return { sales: sum('sales'), gross: sum('gross'), fees: sum('fees'), refunds: sum('refunds') };
}
