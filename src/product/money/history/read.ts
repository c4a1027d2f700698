// Reads an account's transactions, newest first: which there are, their status, and what they are
// about, in one statement. Only the parties of a transaction can read it.
import type { Queryable } from '../../../db/index.ts';
import { isUuid, uuidOfWireId } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import { invoiceOf } from '../escrow/index.ts';
import type { PayoutFacts, PayoutMoment } from '../payout/index.ts';
import { DEPTH, one, PARTS, withInvoices } from './parts.ts';
import type { Status } from './schema.ts';

/** What an account did with an invoice. */
export interface InvoicePart {
  /** The lineage of the workspace. */
  readonly lineage: number;
  readonly id: string;
  readonly role: 'buyer' | 'seller';
  readonly kind: 'escrow' | 'cancel' | 'refund' | null;
  readonly status: Status;
  readonly at: Instant;
  readonly document: string;
  readonly state: string;
  readonly updated: Instant;
  readonly failure_code: string | null;
  /** The escrow that it belongs to, or null. */
  readonly escrow_id: string | null;
  readonly escrow_buyer: string | null;
  readonly escrow_state: string | null;
  readonly escrow_created: Instant | null;
  readonly escrow_updated: Instant | null;
  /** JSON of its dates and parts. */
  readonly escrow_course: string | null;
  readonly escrow_disputes: string | null;
  readonly integrator: string;
  /** For a return: the document of the charged invoice, and the line item of a partial refund. */
  readonly original: string | null;
  readonly line_item_id: string | null;
}

export interface PayoutPart extends PayoutFacts, PayoutMoment {
  readonly role: 'user';
  readonly status: Status;
  readonly at: Instant;
}

export type Part = InvoicePart | PayoutPart;

/** A requested page; null statuses: all. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  readonly statuses: readonly string[] | null;
}

/**
 * The status of an invoice for its party; null where it is no transaction (yet), for a seller until
 * something was paid. Money in escrow is pending for both; a cancelled escrow is the buyer's
 * processed charge and refund, and the seller's processed sale of what was released before.
 */
const STATUS = `case
    when v.kind = 'commit' or v.state = 'open' then null
    when v.role = 'seller' and v.state <> 'success' then null
    when e.state = 'CANCELLED' and v.role = 'seller' and e.course like '%"on":"release"%'
      then 'processed'
    when e.state = 'CANCELLED' and v.role = 'seller' then 'error'
    when e.state = 'ESCROWED' then 'pending'
    when v.state = 'processing' then 'pending'
    when v.state = 'success' then 'processed'
    else 'error' end`;

const PAYOUT_STATUS = `case
    when p.state = 'SUCCESS' then 'processed'
    when p.state in ('FAILED', 'SUPPORT-REJECTED', 'SYSTEM-REJECTED') then 'payout-failed'
    else 'pending' end`;

function invoices(parts: string): string {
  return `select v.id, v.role, v.kind, v.escrow, v."of", v.created as at, ${STATUS} as status
    from (${withInvoices(parts)}) v
    ${one('escrow', 'state, course', `id = v.escrow and v.kind = 'escrow'`, 'e')}`;
}

const PAYOUTS = `select p.id, 'user', 'payout', null::uuid, null::uuid, p.created,
    ${PAYOUT_STATUS}
  from (select id, state, created from payout where workspace = $1 and account_id = $2
    order by created desc, id desc limit ${DEPTH}) p`;

/** SQL: transactions with all that rendering needs. */
function described(rows: string): string {
  return `select x.id, x.role, x.kind, x.status, x.at, d.document, w.integrator,
      w.lineage, coalesce(i.state, p.state) as state, coalesce(i.updated, p.updated) as updated,
      coalesce(i.failure_code, p.failure_code) as failure_code,
      e.id as escrow_id, e.account_id as escrow_buyer, e.state as escrow_state,
      e.created as escrow_created, e.updated as escrow_updated,
      e.course as escrow_course, e.disputes as escrow_disputes,
      o.document as original, r.line_item_id,
      p.account_id, p.source_method_id, p.source_wallet_id, p.destination_method_id, p.currency,
      p.amount, p.fee_amount, p.created
    from (${rows}) x
    join workspace w on w.workspace = $1
    ${one('invoice', '*', `id = x.id and x.role <> 'user'`, 'i')}
    ${one('invoice_document', 'document', 'id = i.id', 'd')}
    ${one('escrow', '*', `id = x.escrow and x.kind = 'escrow'`, 'e')}
    ${one('invoice_document', 'document', 'id = x."of"', 'o')}
    ${one('refund', 'line_item_id', 'invoice_id = x."of" and refund_invoice_id = x.id', 'r')}
    ${one('payout', '*', `id = x.id and x.role = 'user'`, 'p')}
    order by x.at desc, x.id desc`;
}

const LISTED = `listed as (
    select * from (${invoices(PARTS)} union all ${PAYOUTS}) x
    where x.status is not null and ($3::text[] is null or x.status = any($3)))`;

/** A page of transactions, newest first, and how many there are in all. */
export async function transactionsOf(
  db: Queryable,
  workspace: number,
  account: string,
  { limit, offset, statuses }: Page,
): Promise<{ readonly total: number; readonly parts: readonly Part[] }> {
  type Row = Part & { readonly total: number };
  const rows = await db.query<Row | { readonly total: number; readonly id: null }>({
    name: 'transactions',
    text: `with ${LISTED}
      select t.total, y.* from (select count(*)::int as total from listed) t
      left join (${described(
        'select * from listed order by at desc, id desc limit $4 offset $5',
      )}) y on true
      order by y.at desc, y.id desc`,
    values: [workspace, account, statuses, limit, offset],
  });
  const parts = rows.filter((row): row is Row => row.id !== null);
  return { total: rows[0]?.total ?? 0, parts };
}

/** SQL: the invoice that an id stands for: itself, its escrow's or its refund's. */
const NAMED = `select i.id, case when i.account_id = $2 then 'buyer' else 'seller' end as role
  from (
    select case when sale_term(d.id::text, d.document, 'kind') = 'commit'
      then sale_term(d.id::text, d.document, 'of')::uuid else d.id end as id
    from invoice_document d where d.workspace = $1 and d.id = $3
    union all select r.refund_invoice_id from refund r where r.workspace = $1 and r.id = $3
  ) n
  ${one('invoice', 'id, account_id', 'id = n.id', 'i')}
  where i.id is not null`;

/**
 * The transaction of an id (of an invoice, escrow, payout or refund), where it is in the account's
 * history. Whether a seller has a part in it, `render` reads from the document.
 */
export async function transactionOf(
  db: Queryable,
  workspace: number,
  account: string,
  wire: string,
): Promise<Part | null> {
  const escrow = uuidOfWireId('esc', wire);
  const id = escrow === null ? wire : invoiceOf(escrow, 'escrow');
  if (!isUuid(id)) return null;
  const rows = await db.query<Part>({
    name: 'transaction',
    text: described(
      `select * from (${invoices(NAMED)} union all ${PAYOUTS_BY_ID}) x where x.status is not null`,
    ),
    values: [workspace, account, id],
  });
  return rows[0] ?? null;
}

const PAYOUTS_BY_ID = `select p.id, 'user', 'payout', null::uuid, null::uuid, p.created,
    ${PAYOUT_STATUS}
  from payout p where p.workspace = $1 and p.id = $3 and p.account_id = $2`;

/** Display strings of an account's payment methods, also of removed ones. */
export async function methodNames(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; display_string: string }>({
    name: 'method_names',
    text: 'select id, display_string from payment_method where workspace = $1 and account_id = $2',
    values: [workspace, account],
  });
  return new Map(rows.map((row) => [row.id, row.display_string]));
}
