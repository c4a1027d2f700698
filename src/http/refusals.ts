// Refusals of the router and the token check. Those of HTTP itself are in protocol-refusals.ts, an
// operation's in its module.
import { engineRefusals } from '../engine/index.ts';
import { defineRefusals, no, notYet } from '../core/refusal.ts';
import type { RefusalSpec } from '../core/refusal.ts';
import { protocolRefusals } from './protocol-refusals.ts';

const own = defineRefusals({
  NOT_FOUND: no(404, 'caller', 'G-11', 'This path does not exist.'),
  METHOD_NOT_ALLOWED: no(405, 'caller', 'G-11', 'This path does not support this HTTP method.'),
  TOKEN_MISSING: no(401, 'caller', 'G-11',
    'The request has no access token in its Authorization header.'),
  TOKEN_INVALID: no(401, 'caller', 'G-11', 'The access token is invalid, expired or revoked.'),
  TOKEN_KIND_REFUSED: no(403, 'caller', 'G-12',
    'This operation does not accept this kind of token.'),
  INSUFFICIENT_SCOPE: no(403, 'caller', 'G-11',
    'The access token does not have the scope that this operation requires.'),
  IDEMPOTENCY_KEY_INVALID: no(400, 'caller', 'G-44',
    'The request must have one Idempotency-Key header of 1 to 255 printable ASCII characters.'),
  QUERY_MALFORMED: no(400, 'caller', 'G-70',
    'The query string is malformed or contains a parameter more than once.'),
  FORM_MALFORMED: no(400, 'caller', 'G-10',
    'The form is malformed or contains a parameter more than once.'),
  TOO_MANY_REQUESTS: notYet(429, 'caller', 'G-06',
    'Too many requests; nothing was changed. Try again later.'),
  READ_ONLY: notYet(503, 'operator', 'G-06',
    'The service is read-only for now; nothing was changed. Try again later.'),
  TENANT_STOPPED: notYet(403, 'operator', 'G-06',
    'An operator has stopped the writes of this tenant; nothing was changed. Reads go on.'),
  SERVER_ERROR: no(500, 'operator', 'G-72',
    'An internal error occurred. Quote the reference when you report it.'),
});

/**
 * In order of precedence. The last three are one refusal each, whether hosts or engine give it.
 * [G-11, G-44, G-72]
 */
export const httpRefusals = {
  ...protocolRefusals,
  ...own,
  OVERLOADED: engineRefusals.OVERLOADED,
  TENANT_MOVING: engineRefusals.TENANT_MOVING,
  TENANT_MOVED: engineRefusals.TENANT_MOVED,
};

/** The same refusal with another status, where the interface lists the statuses. [G-11] */
export function withStatus(spec: RefusalSpec, status: number): RefusalSpec {
  return { ...spec, status };
}

/** An operation's refusals with those of every host: all that a process can answer. */
export function withTransport(refusals: readonly RefusalSpec[]): readonly RefusalSpec[] {
  return [...refusals, ...Object.values(httpRefusals)];
}
