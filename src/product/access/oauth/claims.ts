// The claims of an access token, each in its one form. Signature and revocation are checked
// elsewhere.
import type { JWTPayload } from 'jose';
import { isUuid } from '../../../core/ids.ts';
import type { CallerKind } from '../../../core/operation.ts';

/** The claims of a valid access token. */
export interface AccessClaims {
  readonly clientId: string;
  readonly integrator: string;
  readonly kind: CallerKind;
  readonly accountId: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  readonly jti: string;
  readonly family: string | null;
  /** Only of a session that a checkout link opened. */
  readonly authorizedInvoiceId: string | null;
  readonly issued: number;
  readonly notBefore: number;
  readonly expires: number;
}

const KINDS: ReadonlySet<unknown> = new Set(['client', 'user', 'session']);

/** Reads our own claims; null unless each has its one form. */
export function claimsOf(payload: JWTPayload, audience: string): AccessClaims | null {
  const { aud, sub, jti, iat, nbf, exp, client_id: clientId, integrator, kind } = payload;
  const { account_id: accountId, scopes, family } = payload;
  const { authorized_invoice_id: authorizedInvoiceId = null } = payload;
  if (aud !== audience || typeof sub !== 'string' || typeof jti !== 'string') return null;
  if (typeof clientId !== 'string' || typeof integrator !== 'string') return null;
  if (!isUuid(clientId) || !isUuid(integrator)) return null;
  if (typeof accountId !== 'string' || !KINDS.has(kind)) return null;
  if ((kind === 'client') !== (accountId === '')) return null;
  if (!Array.isArray(scopes) || !scopes.every((one) => typeof one === 'string')) return null;
  if (family !== undefined && typeof family !== 'string') return null;
  if (authorizedInvoiceId !== null && typeof authorizedInvoiceId !== 'string') return null;
  return {
    clientId,
    integrator,
    kind: kind as CallerKind,
    accountId,
    subject: sub,
    scopes: scopes as string[],
    jti,
    family: family ?? null,
    authorizedInvoiceId,
    issued: iat as number,
    notBefore: nbf as number,
    expires: exp as number,
  };
}
