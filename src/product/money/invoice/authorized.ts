// Authorized invoices as creation and payment use them: the stored sale, its row, and the rule that
// only the invoice created last from it can be paid, so that there are never two payable documents
// of one sale. Preparing one and the buyer's way to it are the checkout module's. [G-45]
import { prepared, type Queryable } from '../../../db/index.ts';
import { tableOf, type Command, type ReadSet, type RowOf } from '../../../engine/index.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse } from '../../../core/refusal.ts';
import type { SaleTerms } from './sale-terms.ts';
import { invoiceRefusals as no } from './refusals.ts';
import type { CreateInvoiceBody } from './schema.ts';
import { invoiceTable } from './tables.ts';

/** The most invoices or escrows of one authorized invoice; the database checks the same limit. */
export const MADE_MAX = 20;

/** The part of an authorized invoice that changes; `readAuthorized` reads the rest. */
export const authorizedInvoiceTable = tableOf('authorized_invoice', 56, {
  id: 'uuid',
  /** The invoice that was created last from it. */
  latest_invoice_id: 'uuid?',
  /** How many invoices were created from it. */
  made: 'int4',
});
export type AuthorizedInvoiceRow = RowOf<typeof authorizedInvoiceTable>;

/** An authorized invoice in its current state. */
export interface AuthorizedInvoice {
  readonly id: string;
  readonly isEscrow: boolean;
  readonly sale: CreateInvoiceBody;
  /** By the clock of the workspace; it expires together with its magic link. */
  readonly expired: boolean;
  /**
   * The invoice created last from it (for an escrow, the escrow's invoice) and that invoice's
   * state.
   */
  readonly latest: { readonly id: string; readonly state: string } | null;
}

interface StoredRow {
  readonly document: string;
  readonly is_escrow: boolean;
  readonly expired: boolean;
  readonly latest: string | null;
  readonly state: string | null;
}

/** Reads an authorized invoice; null for an unknown id. A session sees only its own. */
export async function readAuthorized(
  db: Queryable,
  caller: Pick<Caller, 'workspace' | 'kind' | 'accountId' | 'authorizedInvoiceId'>,
  id: string,
): Promise<AuthorizedInvoice | null> {
  const session = caller.kind === 'session';
  if (!isUuid(id) || (session && id !== caller.authorizedInvoiceId)) return null;
  const [row] = await db.query<StoredRow>(prepared('read_authorized_invoice')`
    select a.document, a.is_escrow, a.expires <= workspace_now(a.workspace) as expired,
      a.latest_invoice_id as latest, i.state
    from authorized_invoice a
    left join invoice i on i.workspace = a.workspace and i.id = a.latest_invoice_id
    where a.workspace = ${caller.workspace} and a.id = ${id}`);
  if (row === undefined) return null;
  const sale = JSON.parse(row.document) as CreateInvoiceBody;
  if (session && sale.account_id !== caller.accountId) return null;
  const { is_escrow: isEscrow, expired, latest, state } = row;
  return { id, isEscrow, sale, expired, latest: latest && state ? { id: latest, state } : null };
}

/** A creation from an authorized invoice. */
export interface FromAuthorized<I> {
  readonly authorized: Pick<AuthorizedInvoice, 'id' | 'expired'>;
  /** The invoice that is created. */
  readonly invoiceId: string;
  readonly input: I;
}

/**
 * Wraps a creation so that it is made from an authorized invoice, which is possible only while the
 * one created last is open or failed. It is not batchable: which rows it locks follows from a row
 * that changes.
 */
export function fromAuthorized<I>({ name, load, decide }: Command<I>): Command<FromAuthorized<I>> {
  return {
    name: `${name}_from_authorized`,
    load(rows, { authorized, input }) {
      rows.lock(authorizedInvoiceTable, authorized.id);
      const latest = rows.read(authorizedInvoiceTable, authorized.id)?.latest_invoice_id;
      if (latest) rows.lock(invoiceTable, latest);
      return load(rows, input);
    },
    decide(decision, { authorized: { id, expired }, invoiceId, input }, loaded) {
      const { latest_invoice_id: latest = null, made = 0 } =
        decision.get(authorizedInvoiceTable, id) ?? {};
      const before = latest === null ? null : decision.get(invoiceTable, latest);
      if (before !== null && !['open', 'failed'].includes(before.state)) {
        throw refuse(no.AUTHORIZED_INVOICE_USED);
      }
      if (expired) throw refuse(no.AUTHORIZED_INVOICE_EXPIRED);
      if (made >= MADE_MAX) throw refuse(no.AUTHORIZED_INVOICE_LIMIT);
      const answer = decide(decision, input, loaded);
      const patch = { latest_invoice_id: invoiceId, made: made + 1 };
      decision.update(authorizedInvoiceTable, id, patch);
      return answer;
    },
  };
}

/** Locks the authorized invoice that a sale was made from; gives the invoice made last from it. */
export function loadLatest(rows: ReadSet, { authorized }: SaleTerms): string | null {
  if (authorized === undefined) return null;
  return rows.lock(authorizedInvoiceTable, authorized)?.latest_invoice_id ?? null;
}

/** Throws a Refusal for an invoice that a later one has replaced. */
export function requireLatest(
  { authorized }: SaleTerms,
  latest: string | null,
  invoiceId: string,
): void {
  if (authorized !== undefined && latest !== invoiceId) throw refuse(no.INVOICE_SUPERSEDED);
}
