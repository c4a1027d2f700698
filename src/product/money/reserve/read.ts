// Reads of reserves: what the clock releases next, and what is in reserve and until when.
import { z } from 'zod';
import { prepared, type Queryable } from '../../../db/index.ts';
import { displayAmount } from '../../../core/currency.ts';
import { accountId, uuidOfWireId } from '../../../core/ids.ts';
import { toWire } from '../../../core/money.ts';
import { numberText, optional, strictObject, text } from '../../../core/schema.ts';
import { instantFromPostgres, invoiceTime } from '../../../core/time.ts';
import type { DueReserve } from './decide.ts';

/** Finds what is due of a reserve. */
export async function dueOf(db: Queryable, workspace: number, id: string): Promise<DueReserve> {
  const [row] = await db.query<Omit<DueReserve, 'id'>>(prepared('due_of_reserve')`
    select (select h.id from reserve_hold h where h.workspace = r.workspace
        and h.reserve_id = r.id and h.through > r.total - r.held and h.due <= t.now
        order by h.through desc limit 1) as last,
      (select h.id from reserve_hold h where h.workspace = r.workspace
        and h.reserve_id = r.id and h.through > r.total - r.held and h.due > t.now
        order by h.through limit 1) as next
    from reserve r cross join lateral (select workspace_now(${workspace}) as now) t
    where r.workspace = $1 and r.id = ${id}`);
  return { id, last: row?.last ?? null, next: row?.next ?? null };
}

/** What is in reserve of one wallet. [G-93] */
const reserveRecord = strictObject({
  account_id: z.string(),
  wallet_id: z.string(),
  amount: z.int(),
  currency: z.string(),
  display_amount: z.string(),
  /** What is released by then, day by day in UTC, unless a lost dispute takes it before. */
  releases: z.array(strictObject({ due: z.string(), amount: z.int() })),
}).meta({ title: 'SellerReserve' });
export type ReserveRecord = z.output<typeof reserveRecord>;

/** A page of reserves that hold something, by account, and how many there are in all. */
export const reservePage = strictObject({ total: z.int(), reserves: z.array(reserveRecord) });

const LIST_MAX = 100;
const LIST_DEFAULT = 20;
const OFFSET_MAX = 100_000;

export const reservesQuery = strictObject({
  account_id: optional(text(64)),
  limit: optional(numberText(1, LIST_MAX)),
  offset: optional(numberText(0, OFFSET_MAX)),
});

interface Shown {
  readonly account_id: string | null;
  readonly wallet_id: string;
  readonly currency: string;
  readonly held: bigint;
  readonly releases: string;
  readonly total: bigint;
}

function render({ account_id, wallet_id, currency, held, releases }: Shown): ReserveRecord {
  const amount = toWire(held);
  return {
    ...{ account_id: accountId(account_id ?? ''), wallet_id, amount, currency },
    display_amount: displayAmount(amount, currency),
    releases: (JSON.parse(releases) as ReserveRecord['releases']).map(({ due, amount: part }) => {
      return { due: invoiceTime(instantFromPostgres(due)), amount: part };
    }),
  };
}

/** A page of reserves. A malformed id matches nothing. */
export async function listReserves(
  db: Queryable,
  workspace: number,
  query: z.output<typeof reservesQuery>,
): Promise<z.output<typeof reservePage>> {
  const named = query.account_id;
  const account = named === undefined ? undefined : uuidOfWireId('acct', named);
  if (account === null) return { total: 0, reserves: [] };
  const page = [Number(query.limit ?? LIST_DEFAULT), Number(query.offset ?? 0)];
  const which = 'r.workspace = $1 and r.held > 0 and ($4::uuid is null or r.account_id = $4)';
  const rows = await db.query<Shown>({
    name: 'seller_reserves',
    text: `with t as (select count(*) as total from reserve r where ${which})
      select t.total, p.* from t left join lateral (
        select r.account_id, r.wallet_id, r.currency, r.held, (
          select json_agg(json_build_object('due', d.due::text, 'amount', d.amount) order by d.due)
          from (select max(h.due) as due,
              sum(least(h.amount, h.through - (r.total - r.held))) as amount
            from reserve_hold h where h.workspace = r.workspace and h.reserve_id = r.id
              and h.through > r.total - r.held
            group by date_trunc('day', h.due at time zone 'UTC')) d)::text as releases
        from reserve r where ${which} order by r.account_id, r.currency
        limit $2 offset $3) p on true`,
    values: [workspace, ...page, account ?? null],
  });
  const reserves = rows.filter((row) => row.account_id !== null).map(render);
  return { total: Number(rows[0]?.total ?? 0n), reserves };
}
