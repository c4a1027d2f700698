// Reads page by page what each counterparty has received and holds: keys with their charges,
// outbound transfers or checks and call counts, the bank's statement, receivers' requests. Never
// shows a card token, a digest of a person or a secret.
import type { Queryable } from '../../../db/index.ts';
import { instantFromPostgres } from '../../../core/time.ts';
import type { BookPage, CounterpartyName } from '../../ports/counterparties.ts';
import type { Book } from '../store/access.ts';
import { pageOf } from '../store/paging.ts';
import { requestsOf } from '../receiver/index.ts';

/** Entries per page. */
const PAGE = 100;

interface Kept {
  /** JSON. */
  readonly entry: string;
  readonly place: string;
}

/** Subquery: what was called under each key of a page, and when. */
const asked = (book: Book): string => `(
  select coalesce(jsonb_agg(jsonb_build_object('operation', e.operation, 'times', e.times,
      'first_at', e.first_at::text, 'last_at', e.last_at::text)
      order by e.first_at, e.operation), '[]')
  from ${book}_exchange e where e.workspace = $1 and e.key = k.key)`;

const PROCESSOR = `
  select k.key as place, jsonb_build_object('key', k.key,
    'kind', case when c.key is not null then 'charge' when r.key is not null then 'remittance'
      else 'question' end,
    'state', coalesce(c.state, r.state, 'absent'),
    'reference', coalesce(c.reference, r.reference),
    'amount', coalesce(c.amount, r.amount), 'currency', coalesce(c.currency, r.currency),
    'captured_amount', c.captured_amount, 'captured_currency', c.captured_currency,
    'captures', c.parts, 'refunded', c.refunded, 'taken_back', c.taken_back,
    'remitted_as', r.kind, 'failure_code', coalesce(c.failure_code, r.failure_code),
    'exchanges', ${asked('processor')}) as entry
  from (select distinct key from processor_exchange where workspace = $1 and key > $2
    order by key limit $3) k
  left join processor_charge c on c.workspace = $1 and c.key = k.key
  left join processor_transfer r on r.workspace = $1 and r.key = k.key
  order by k.key`;

const BANK = `
  select line::text as place, jsonb_build_object('line', line, 'key', key, 'kind', kind,
    'reference', reference, 'part', part, 'amount', amount, 'currency', currency,
    'at', at::text) as entry
  from processor_statement where workspace = $1 and line > $2::text::bigint order by line limit $3`;

const VENDOR = `
  select k.key as place, jsonb_build_object('key', k.key, 'kind', 'check', 'person', k.person,
    'state', k.state, 'reference', k.reference, 'reasons', k.reasons, 'rules', k.rules,
    'exchanges', ${asked('vendor')}) as entry
  from (
    select key, person, state, reference, reasons, rules from vendor_check where workspace = $1
    union all
    select distinct key, null, 'absent', null, '{}'::text[], '{}'::text[]
    from vendor_exchange e where workspace = $1
      and not exists (select from vendor_check c where c.workspace = $1 and c.key = e.key)
  ) k where k.key > $2 order by k.key limit $3`;

const STATEMENTS = { processor: PROCESSOR, bank: BANK, vendor: VENDOR } as const;

/** One page; `after` is the `next` of the previous page, or ''. */
export async function book(
  db: Queryable,
  counterparty: CounterpartyName,
  workspace: number,
  after: string,
): Promise<BookPage> {
  if (counterparty === 'receiver') return requestsOf(db, workspace, null, after);
  const from = counterparty === 'bank' && after === '' ? '0' : after;
  const rows = await db.query<Kept>({
    text: STATEMENTS[counterparty],
    values: [workspace, from, PAGE + 1],
  });
  const { entries, next } = pageOf(rows, PAGE, ({ place }) => place);
  return { entries: entries.map(({ entry }) => JSON.parse(entry, timed) as object), next };
}

/** Times inside a document get the usual format. */
function timed(name: string, value: unknown): unknown {
  return typeof value === 'string' && /^(?:first_|last_)?at$/.test(name)
    ? instantFromPostgres(value)
    : value;
}
