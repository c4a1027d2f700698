// What a session may act on: documents of its own account that were made from its own authorized
// invoice. Answers for everything else being nothing to it. [G-12]
import type { Caller } from '../../kernel/operation.ts';
import type { Agreement } from './agreement.ts';

/** The limits of a session. */
export interface Bounds {
  readonly account_id: string | null;
  /** Absent: its link was about none, so it reaches no document. */
  readonly authorized: string | undefined;
}

/** The bounds of a caller; null for a client, who has the tenant's. */
export function boundsOf({ kind, accountId, authorizedInvoiceId }: Caller): Bounds | null {
  if (kind === 'client') return null;
  return { account_id: accountId, authorized: authorizedInvoiceId };
}

/** True for what lies within; everything does without bounds. */
export function isWithin(bounds: Bounds | null | undefined, agreement: Agreement): boolean {
  if (!bounds) return true;
  const { account_id, authorized } = bounds;
  if (authorized === undefined || agreement.authorized !== authorized) return false;
  return agreement.account_id === account_id;
}
