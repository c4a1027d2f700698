// Reads what sellers owe for lost disputes, and the laws of it. Repayments count for the oldest
// debt of the wallet first.
import { z } from 'zod';
import type { Queryable } from '../../../db/index.ts';
import { displayAmount } from '../../../core/currency.ts';
import { accountId, isUuid, uuidOfWireId } from '../../../core/ids.ts';
import { toWire } from '../../../core/money.ts';
import { law, type Proof } from '../../../core/proof.ts';
import { numberText, optional, strictObject, uuid } from '../../../core/schema.ts';
import { invoiceTime, type Instant } from '../../../core/time.ts';

/** What a seller owes of one lost dispute. [G-93] */
const debtRecord = strictObject({
  debt_id: uuid(),
  dispute_id: uuid(),
  account_id: z.string(),
  wallet_id: z.string(),
  amount: z.int(),
  repaid: z.int(),
  currency: z.string(),
  /** Of what is still owed. */
  display_amount: z.string(),
  status: z.enum(['open', 'repaid']),
  created: z.string(),
}).meta({ title: 'SellerDebt' });

/** A page of debts, newest first, and how many there are in all. */
export const debtPage = strictObject({ total: z.int(), debts: z.array(debtRecord) });

const LIST_MAX = 100;
const OFFSET_MAX = 100_000;
const anyId = z.string().max(64);

export const debtsQuery = strictObject({
  account_id: optional(anyId),
  dispute_id: optional(anyId),
  limit: optional(numberText(1, LIST_MAX)),
  offset: optional(numberText(0, OFFSET_MAX)),
});
type DebtsQuery = z.output<typeof debtsQuery>;

interface DebtRow {
  readonly id: string | null;
  readonly dispute_id: string;
  readonly account_id: string;
  readonly wallet_id: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly repaid: bigint;
  readonly created: Instant;
  readonly total: bigint;
}

function render({ account_id, created, total: _total, ...row }: DebtRow & { readonly id: string }) {
  const { id, currency, ...rest } = row;
  const [amount, repaid] = [toWire(rest.amount), toWire(rest.repaid)];
  return {
    ...{ debt_id: id, dispute_id: rest.dispute_id, account_id: accountId(account_id) },
    ...{ wallet_id: rest.wallet_id, amount, repaid, currency },
    display_amount: displayAmount(amount - repaid, currency),
    status: repaid < amount ? ('open' as const) : ('repaid' as const),
    created: invoiceTime(created),
  };
}

/** SQL: each debt of workspace $1 with what was repaid of it. */
const DEBTS = `select d.*, least(d.amount, greatest(0, coalesce((select sum(r.amount)
        from debt_repayment r where r.workspace = $1 and r.wallet_id = d.wallet_id), 0)
      - coalesce((select sum(b.amount) from wallet_debt b where b.workspace = $1
        and b.wallet_id = d.wallet_id and (b.created, b.id) < (d.created, d.id)), 0)))::bigint
      as repaid
    from wallet_debt d where d.workspace = $1
      and ($4::uuid is null or d.account_id = $4) and ($5::uuid is null or d.dispute_id = $5)`;

/** A page of debts. A malformed id matches nothing. */
export async function listDebts(db: Queryable, workspace: number, query: DebtsQuery, few: number) {
  const named = query.account_id;
  const account = named === undefined ? undefined : uuidOfWireId('acct', named);
  const dispute = query.dispute_id && (isUuid(query.dispute_id) ? query.dispute_id : null);
  if (account === null || dispute === null) return { total: 0, debts: [] };
  const page = [Number(query.limit ?? few), Number(query.offset ?? 0)];
  const rows = await db.query<DebtRow>({
    text: `with t as (select count(*) as total from wallet_debt d where d.workspace = $1
        and ($4::uuid is null or d.account_id = $4) and ($5::uuid is null or d.dispute_id = $5))
      select t.total, p.* from t left join lateral (${DEBTS}
        order by d.created desc, d.id desc limit $2 offset $3) p on true`,
    values: [workspace, ...page, account ?? null, dispute ?? null],
  });
  const debts = rows.flatMap((row) => (row.id === null ? [] : [render({ ...row, id: row.id })]));
  return { total: Number(rows[0]?.total ?? 0n), debts };
}

/** Invariants of debts that `verify` checks. */
export const debtLaws: readonly Proof[] = [
  law('owed_is_open_debts',
    'What a wallet owes is the sum of its debts less what its sales repaid.',
    `select b.id::text as what from balance b
      left join (select workspace, wallet_id, sum(amount) as debts from wallet_debt
        group by workspace, wallet_id) d on d.workspace = b.workspace and d.wallet_id = b.id
      left join (select workspace, wallet_id, sum(amount) as repaid from debt_repayment
        group by workspace, wallet_id) r on r.workspace = b.workspace and r.wallet_id = b.id
      where b.owes <> coalesce(d.debts, 0) - coalesce(r.repaid, 0)`),
  law('repayments_are_earnings',
    'A repayment is what an invoice credited less to its seller than the terms say.',
    `select r.invoice_id::text as what from debt_repayment r
      join wallet w on w.workspace = r.workspace and w.id = r.wallet_id
      join invoice i on i.workspace = r.workspace and i.id = r.invoice_id
      join invoice_document d on d.workspace = r.workspace and d.id = r.invoice_id
      where i.state <> 'success' or r.amount <> (
          select coalesce(sum((p ->> 'amount')::bigint), 0)
          from json_array_elements(sale_terms(d.id::text, d.document) -> 'lines') l
          cross join lateral json_array_elements(l -> 'recipients') p
          where p ->> 'wallet' = r.wallet_id::text)
        - (select coalesce(sum(e.amount), 0) from posting e where e.workspace = r.workspace
          and e.resource_id = r.invoice_id and e.amount > 0
          and e.account_id in (w.id, w.kept_back_id))`),
];
