// Refusals of the router, the token check and the protocol itself. Those of an operation are in its
// module.
import { engineRefusals } from '../engine/index.ts';
import { defineRefusals } from '../core/refusal.ts';
import type { RefusalSpec } from '../core/refusal.ts';

const own = defineRefusals({
  REQUEST_MALFORMED: {
    status: 400,
    sentence: 'The request is not valid HTTP.',
    act: 'caller',
    retry: false,
    cites: 'G-72',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    sentence: 'The request headers are too large.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    sentence: 'The request did not arrive in time.',
    act: 'caller',
    retry: true,
    cites: 'G-11',
  },
  EXPECTATION_FAILED: {
    status: 417,
    sentence: 'The value of the Expect header is not supported.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  URL_MALFORMED: {
    status: 400,
    sentence: 'The request URL is malformed.',
    act: 'caller',
    retry: false,
    cites: 'G-72',
  },
  NOT_FOUND: {
    status: 404,
    sentence: 'This path does not exist.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    sentence: 'This path does not support this HTTP method.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  TOKEN_MISSING: {
    status: 401,
    sentence: 'The request has no access token in its Authorization header.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  TOKEN_INVALID: {
    status: 401,
    sentence: 'The access token is invalid, expired or revoked.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  TOKEN_KIND_REFUSED: {
    status: 403,
    sentence: 'This operation does not accept this kind of token.',
    act: 'caller',
    retry: false,
    cites: 'G-12',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    sentence: 'The access token does not have the scope that this operation requires.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    sentence:
      'The request must have one Idempotency-Key header of 1 to 255 printable ASCII characters.',
    act: 'caller',
    retry: false,
    cites: 'G-44',
  },
  QUERY_MALFORMED: {
    status: 400,
    sentence: 'The query string is malformed or contains a parameter more than once.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  FORM_MALFORMED: {
    status: 400,
    sentence: 'The form is malformed or contains a parameter more than once.',
    act: 'caller',
    retry: false,
    cites: 'G-10',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    sentence: 'Too many requests; nothing was changed. Try again later.',
    act: 'caller',
    retry: true,
    cites: 'G-06',
  },
  SERVER_ERROR: {
    status: 500,
    sentence: 'An internal error occurred. Quote the reference when you report it.',
    act: 'operator',
    retry: false,
    cites: 'G-72',
  },
});

/**
 * In order of precedence. OVERLOADED is one refusal, whether the sockets or the engine give it.
 * [G-11, G-44, G-72]
 */
export const httpRefusals = { ...own, OVERLOADED: engineRefusals.OVERLOADED };

/** The same refusal with another status, where the interface lists the statuses. [G-11] */
export function withStatus(spec: RefusalSpec, status: number): RefusalSpec {
  return { ...spec, status };
}
