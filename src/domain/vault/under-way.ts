// Which money of a person is on its way, asked of the rows of every module that moves money.
// Answers for one question only; refuses to know how money moves. Asked rarely: it goes by what is
// open in the world at the moment, for which there are indexes.
import type { Queryable } from '../../db/index.ts';

/** What of a person has not ended. */
export const UNDER_WAY = [
  'payment',
  'escrow',
  'payout',
  'deposit',
  'refund',
  'reversal',
] as const;
export type UnderWay = (typeof UNDER_WAY)[number];

/** Documents of invoices that name one of the person's wallets: money to come. */
const NAMED = `exists (select from wallet w join invoice_document d
    on d.world = $1 and d.id = i.id and strpos(d.document, w.id::text) > 0
  where w.world = $1 and w.account_id = $2)`;

const OWN_INVOICE = `exists (select from invoice i
  where i.world = $1 and i.id = o.resource_id and i.account_id = $2)`;

/** Both halves have an index of what is open. An invoice or deposit under way has one of these. */
const OPEN = `select resource_id from attempt where world = $1
    and state in ('authorizing', 'challenged', 'capturing', 'reversing')
  union all select resource_id from attempt where world = $1 and state = 'parked'`;

const TEXT = `with open as materialized (${OPEN})
  select exists (select from invoice
      where world = $1 and account_id = $2 and state = 'processing')
    or exists (select from open o where ${OWN_INVOICE})
    or exists (select from open o join invoice i on i.world = $1 and i.id = o.resource_id
      where i.state = 'processing' and ${NAMED}) as payment,
  exists (select from escrow where world = $1 and due is not null and state = 'ESCROWED'
      and account_id = $2)
    or exists (select from escrow_seller s join escrow e on e.world = $1 and e.id = s.escrow_id
      where s.world = $1 and s.account_id = $2 and e.state = 'ESCROWED') as escrow,
  exists (select from payout where world = $1 and account_id = $2
    and state not in ('SUCCESS', 'SUPPORT-REJECTED', 'SYSTEM-REJECTED')) as payout,
  exists (select from open o join deposit d on d.world = $1 and d.id = o.resource_id
    where d.account_id = $2 and d.state = 'requested') as deposit,
  exists (select from refund r join invoice i on i.world = r.world and i.id = r.invoice_id
    where r.world = $1 and i.account_id = $2
      and r.state in ('REFUND-PENDING', 'REFUND-WAITING-FUNDS')) as refund,
  exists (select from reversal o where o.world = $1 and o.state = 'received'
    and (${OWN_INVOICE} or exists (select from deposit d
      where d.world = $1 and d.id = o.resource_id and d.account_id = $2))) as reversal`;

/** Which money of the account is on its way; what the integrator owes for it is a `reversal`. */
export async function moneyUnderWay(
  db: Queryable,
  world: number,
  account: string,
): Promise<readonly UnderWay[]> {
  const [row] = await db.query<Record<UnderWay, boolean>>({
    name: 'money_under_way',
    text: TEXT,
    values: [world, account],
  });
  return UNDER_WAY.filter((kind) => row?.[kind] === true);
}
