// Timeline entries for calls to the card processor and the identity vendor: what was sent, how
// often, and the outcome. Read from the simulators' own tables; nothing there is changed.
import { displayAmount } from '../../../core/currency.ts';
import type { Instant } from '../../../core/time.ts';
import {
  atReal,
  found,
  MOST_ENTRIES,
  thingOf,
  type Counted,
  type Found,
  type Question,
} from './source.ts';
import type { Entry } from './schema.ts';

interface ExchangeRow extends Counted {
  readonly counterparty: 'processor' | 'vendor';
  readonly id: string;
  readonly operation: string;
  readonly times: number;
  readonly first_at: Instant;
  readonly last_at: Instant;
  readonly book: string | null;
  readonly failure_code: string | null;
  readonly reference: string | null;
  readonly amount: bigint | null;
  readonly currency: string | null;
}

const BOOKS = `select 'processor' as counterparty, x.key::uuid as id, x.operation, x.times,
    x.first_at, x.last_at, coalesce(c.state, r.state) as book,
    coalesce(c.failure_code, r.failure_code) as failure_code,
    coalesce(c.reference, r.reference) as reference, coalesce(c.amount, r.amount) as amount,
    coalesce(c.currency, r.currency) as currency
  from processor_exchange x
  left join processor_charge c on c.workspace = x.workspace and c.key = x.key
    and x.operation not in ('remit', 'look_remittance')
  left join processor_transfer r on r.workspace = x.workspace and r.key = x.key
    and x.operation in ('remit', 'look_remittance')
  where x.workspace = $1 and x.key = any ($2::text[])
  union all select 'vendor', x.key::uuid, x.operation, x.times, x.first_at, x.last_at, c.state,
    null, c.reference, null, null
  from vendor_exchange x
  left join vendor_check c on c.workspace = x.workspace and c.key = x.key
  where x.workspace = $1 and x.key = any ($2::text[])`;

/** Each kind of call under each key, at the time of the first one. */
export async function exchanges(q: Question): Promise<Found> {
  const rows = await q.db.query<ExchangeRow>({
    name: 'explain_exchanges',
    text: `select b.*, count(*) over () as total from (${BOOKS}) b
      order by b.first_at desc limit ${MOST_ENTRIES}`,
    values: [q.workspace, q.ids],
  });
  return found(rows, (row) => exchangeOf(q, row));
}

function exchangeOf(q: Question, row: ExchangeRow): Entry {
  const { counterparty, operation, times, book, failure_code, reference, currency } = row;
  const last_at = q.time.virtualOf(row.last_at);
  const again = times === 1 ? 'once' : `${times} times, last at ${last_at.slice(11, 23)}`;
  const money =
    row.amount === null || currency === null ? '' : ` for ${displayAmount(row.amount, currency)}`;
  const code = failure_code === null ? '' : `, ${failure_code}`;
  const held = book === null ? 'no record there' : `recorded there as ${book}${code}`;
  return {
    ...{ kind: 'exchange', ...atReal(q, row.first_at), about: thingOf(q, row.id), counterparty },
    ...{ operation, times, last_at, book, failure_code, reference, currency },
    amount: row.amount === null ? null : Number(row.amount),
    text: `${counterparty} call ${operation}${money}, ${again}; ${held}`,
  };
}
