// The visibility filter of sessions: a session acts on documents of its own account that were made
// from its own authorized invoice. Everything else is answered as if it did not exist. [G-12]
import type { Caller } from '../../../core/operation.ts';
import type { Agreement } from './sale-terms.ts';

/** The visibility filter of a session. */
export interface Bounds {
  readonly account_id: string | null;
  /** Absent where the magic link names no authorized invoice: then no document is seen. */
  readonly authorized: string | undefined;
}

/** The visibility filter of a caller; null for a client, who sees all of its tenant. */
export function boundsOf({ kind, accountId, authorizedInvoiceId }: Caller): Bounds | null {
  if (kind === 'client') return null;
  return { account_id: accountId, authorized: authorizedInvoiceId };
}

/** True where the filter lets the document through, always so without a filter. */
export function isWithin(bounds: Bounds | null | undefined, agreement: Agreement): boolean {
  if (!bounds) return true;
  const { account_id, authorized } = bounds;
  if (authorized === undefined || agreement.authorized !== authorized) return false;
  return agreement.account_id === account_id;
}
