// Authentication and access: who is calling, and whether the operation is open to them. A token is
// read from the Authorization header only.
import type { Caller, Operation } from '../core/operation.ts';
import { refuse } from '../core/refusal.ts';
import type { Verify } from './request-context.ts';
import type { Parameters } from './form.ts';
import { httpRefusals, withStatus } from './refusals.ts';

/** RFC 6750's b64token after the scheme and exactly one space. */
const BEARER = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i;
const LONGEST_TOKEN = 8_192;

/** The caller of an Authorization header; 401 without a valid one. [G-11] */
export function callerOf(verify: Verify, header: string | undefined): Caller | Promise<Caller> {
  if (header === undefined) throw refuse(httpRefusals.TOKEN_MISSING);
  if (header.length > LONGEST_TOKEN) throw refuse(httpRefusals.TOKEN_INVALID);
  const token = BEARER.exec(header)?.[1];
  if (token === undefined) throw refuse(httpRefusals.TOKEN_INVALID);
  const caller = verify(token);
  if (caller instanceof Promise) return caller.then(known);
  return known(caller);
}

function known(caller: Caller | null): Caller {
  if (caller === null) throw refuse(httpRefusals.TOKEN_INVALID);
  return caller;
}

/**
 * True for operations without a token, whose calls are counted by address. Except callbacks, which
 * all come from one address, and health checks (both high priority), and where the sandbox plays
 * other systems. [G-06]
 */
export function isCountedByAddress(operation: Operation<never>): boolean {
  const { access, highPriority, host } = operation;
  return access === 'public' && highPriority !== true && host !== 'processor';
}

/** A token in a query string ends up in logs and histories, so it is refused, not ignored. */
export function refuseMisplacedToken(operation: Operation<unknown>, query: Parameters): void {
  if (operation.access !== 'public' && 'access_token' in query) {
    throw refuse(httpRefusals.TOKEN_INVALID);
  }
}

/**
 * Refuses a caller whose kind of token the operation does not list, or who lacks the exact scope.
 * 403, or 401 where the interface lists the statuses. [G-11, G-12]
 */
export function requireAccess(operation: Operation<unknown>, caller: Caller | null): void {
  const { access } = operation;
  if (access === 'public') return;
  if (caller === null) throw refuse(httpRefusals.TOKEN_MISSING);
  const scope = access[caller.kind];
  const status = access.missingScope ?? 403;
  if (scope === undefined) throw refuse(withStatus(httpRefusals.TOKEN_KIND_REFUSED, status));
  if (scope !== null && !caller.scopes.has(scope)) {
    throw refuse(withStatus(httpRefusals.INSUFFICIENT_SCOPE, status));
  }
}
