// The visibility filter of sessions: a session acts on documents of its own account that were made
// from its own authorized invoice. Everything else is answered as if it did not exist. [G-12]
import type { Caller } from '../../../core/operation.ts';
import type { SaleTerms } from './sale-terms.ts';

/** The visibility filter of a session. */
export interface VisibilityFilter {
  readonly account_id: string | null;
  /** Absent where the magic link names no authorized invoice: then no document is seen. */
  readonly authorized: string | undefined;
}

/** The visibility filter of a caller; null for a client, who sees all of its tenant. */
export function visibilityOf({
  kind,
  accountId,
  authorizedInvoiceId,
}: Caller): VisibilityFilter | null {
  if (kind === 'client') return null;
  return { account_id: accountId, authorized: authorizedInvoiceId };
}

/** True where the filter lets the document through, always so without a filter. */
export function isWithin(
  visibility: VisibilityFilter | null | undefined,
  saleTerms: SaleTerms,
): boolean {
  if (!visibility) return true;
  const { account_id, authorized } = visibility;
  if (authorized === undefined || saleTerms.authorized !== authorized) return false;
  return saleTerms.account_id === account_id;
}
