// Whether money of a person is on its way, asked of the rows of every module that moves money.
// Answers for one question only; refuses to know how money moves. Asked rarely, so the tables need
// no index for it.
import type { Queryable } from '../../db/index.ts';

/** Documents of invoices that name one of the person's wallets: money to come. */
const NAMED = `exists (select from wallet w where w.world = $1 and w.account_id = $2
  and strpos(d.document, w.id::text) > 0)`;

const UNDER_WAY = `select
  exists (select from invoice i
    join invoice_document d on d.world = i.world and d.id = i.id
    where i.world = $1 and i.state = 'processing' and (i.account_id = $2 or ${NAMED}))
  or exists (select from escrow e join invoice_document d on d.world = e.world
      and d.id = (left(e.id::text, 35)
        || to_hex((('x' || right(e.id::text, 1))::bit(4)::int) # 1))::uuid
    where e.world = $1 and e.state = 'ESCROWED' and (e.account_id = $2 or ${NAMED}))
  or exists (select from payout where world = $1 and account_id = $2
    and state not in ('SUCCESS', 'SUPPORT-REJECTED', 'SYSTEM-REJECTED'))
  or exists (select from deposit where world = $1 and account_id = $2 and state = 'requested')
  or exists (select from refund r join invoice i on i.world = r.world and i.id = r.invoice_id
    where r.world = $1 and i.account_id = $2
      and r.state in ('REFUND-PENDING', 'REFUND-WAITING-FUNDS'))
  or exists (select from attempt a join invoice i on i.world = a.world and i.id = a.resource_id
    where a.world = $1 and i.account_id = $2
      and a.state in ('authorizing', 'challenged', 'authorized', 'capturing', 'reversing',
        'parked'))
  as is`;

/** True while money of the account is on its way. */
export async function moneyUnderWay(
  db: Queryable,
  world: number,
  account: string,
): Promise<boolean> {
  const rows = await db.query<{ is: boolean }>({ text: UNDER_WAY, values: [world, account] });
  return rows[0]?.is ?? false;
}
