// SQL for an account's part in invoices: bought by it, paid to one of its wallets, or held in
// escrow for it. Each is a bounded walk of an index, so an account with a million sales costs no
// more than its latest ones.
import { inChain, ofBuyer } from '../../../core/by-account.ts';

/** How many of the latest of each kind are read. */
export const DEPTH = 5_000;

/**
 * SQL that joins one row of a table by its key. The lateral join is a fence: without statistics, a
 * plain join read all of a workspace to find one row. [architecture rule 16]
 */
export function one(table: string, columns: string, key: string, as: string): string {
  return `left join lateral (
      select ${columns} from ${table} where workspace = $1 and ${key} limit 1) ${as} on true`;
}

const BOUGHT = `select b.id, 'buyer' as role from (
    select id from invoice i where workspace = $1 and ${ofBuyer('i', '$2')} order by id desc
    limit ${DEPTH}) b`;

/** What a wallet or its restricted account was credited for. [G-38] */
const PAID = `select distinct p.resource_id, 'seller'
  from wallet w
  cross join lateral (values (w.id), (w.kept_back_id)) as own (id)
  cross join lateral (
    select resource_id, amount from posting e
    where workspace = $1 and ${inChain('e', 'own.id')}
    order by account_version desc limit ${DEPTH}) p
  where w.workspace = $1 and w.account_id = $2 and p.amount > 0`;

/** The invoices of escrows: the escrow's id with another last digit. */
const HELD = `select (left(h.escrow_id::text, 35)
    || to_hex((('x' || right(h.escrow_id::text, 1))::bit(4)::int) # 1))::uuid, 'seller'
  from (select escrow_id from escrow_seller where workspace = $1 and account_id = $2
    order by escrow_id desc limit ${DEPTH}) h`;

/** Invoices that an account has a part in, as rows of id and role; $1 workspace, $2 account. */
export const PARTS = `${BOUGHT} union all ${PAID} union all ${HELD}`;
/** Only those that it pays. */
export const PURCHASES = BOUGHT;

/**
 * The parts of an account with the kind, state and times of their invoice. For a seller only sales
 * and escrows remain; other movements of a wallet are no sale.
 */
export function withInvoices(parts: string): string {
  return `select x.id, x.role, a.kind, a.escrow, a."of", a.created, i.state, i.updated
    from (${parts}) x
    ${one('invoice', 'account_id, state, updated', 'id = x.id', 'i')}
    ${one('invoice_document', 'id, document', 'id = x.id and i.state is not null', 'd')}
    cross join lateral (select sale_term(d.id::text, d.document, 'kind') as kind,
      sale_term(d.id::text, d.document, 'created')::timestamptz as created offset 0) k
    cross join lateral (select k.kind, k.created,
      case when k.kind <> '' then sale_term(d.id::text, d.document, 'escrow')::uuid end as escrow,
      case when k.kind <> '' then sale_term(d.id::text, d.document, 'of')::uuid end as "of") a
    where x.role = 'buyer'
      or (i.account_id <> $2 and (a.kind is null or a.kind = 'escrow'))`;
}
