// Refusals of what is no good HTTP; all that the HTTP thread says by itself.
import { defineRefusals, no, notYet } from '../core/refusal.ts';

export const protocolRefusals = defineRefusals({
  REQUEST_MALFORMED: no(400, 'caller', 'G-72', 'The request is not valid HTTP.'),
  HEADERS_TOO_LARGE: no(431, 'caller', 'G-11', 'The request headers are too large.'),
  REQUEST_TIMEOUT: notYet(408, 'caller', 'G-11', 'The request did not arrive in time.'),
  EXPECTATION_FAILED: no(417, 'caller', 'G-11', 'The value of the Expect header is not supported.'),
  URL_MALFORMED: no(400, 'caller', 'G-72', 'The request URL is malformed.'),
});
