// Refusals of the router, the token check and the protocol itself. Those of an operation are in its
// module.
import { engineRefusals } from '../engine/index.ts';
import { defineRefusals } from '../kernel/refusal.ts';
import type { RefusalSpec } from '../kernel/refusal.ts';

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
    sentence: 'The headers of the request are too large.',
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
    sentence: 'The Expect header asks for something that is not done here.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  URL_MALFORMED: {
    status: 400,
    sentence: 'The address of the request is malformed.',
    act: 'caller',
    retry: false,
    cites: 'G-72',
  },
  NOT_FOUND: {
    status: 404,
    sentence: 'There is nothing at this address.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    sentence: 'This address exists, but not with this method.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  TOKEN_MISSING: {
    status: 401,
    sentence: 'The request carries no access token in its Authorization header.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  TOKEN_INVALID: {
    status: 401,
    sentence: 'The access token is not valid here, or no longer.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  TOKEN_KIND_REFUSED: {
    status: 403,
    sentence: 'This operation is not open to this kind of token.',
    act: 'caller',
    retry: false,
    cites: 'G-12',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    sentence: 'The access token lacks the scope that this operation needs.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    sentence: 'The Idempotency-Key header must be 1 to 255 printable ASCII characters, once.',
    act: 'caller',
    retry: false,
    cites: 'G-44',
  },
  QUERY_MALFORMED: {
    status: 400,
    sentence: 'The query string is malformed, or names a parameter twice.',
    act: 'caller',
    retry: false,
    cites: 'G-70',
  },
  FORM_MALFORMED: {
    status: 400,
    sentence: 'The form is malformed, or names a parameter twice.',
    act: 'caller',
    retry: false,
    cites: 'G-10',
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    sentence: 'More was asked at once than is allowed; nothing was changed.',
    act: 'caller',
    retry: true,
    cites: 'G-06',
  },
  SERVER_ERROR: {
    status: 500,
    sentence: 'Something failed on our side; the reference finds it in our logs.',
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
