// The refusals of webhooks and the event stream, in order of precedence.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const webhookRefusals = defineRefusals({
  WEBHOOK_ENDPOINT_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such webhook endpoint.'),
  EVENT_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such event.'),
  EVENTS_EPOCH_CHANGED: no(409, 'caller', 'G-63',
    'The event stream was restored to an earlier state. Continue with the epoch and after ' +
    'in the errors, and discard the events above that sequence number.'),
  WEBHOOK_URL_MALFORMED: no(400, 'caller', 'G-63',
    'The url must be an absolute URL in ASCII of at most 2,048 characters.'),
  WEBHOOK_URL_SCHEME: no(400, 'caller', 'G-63', 'The url must start with https://.'),
  WEBHOOK_URL_CREDENTIALS: no(400, 'caller', 'G-63',
    'The url must not contain a user name or password.'),
  WEBHOOK_URL_FRAGMENT: no(400, 'caller', 'G-63', 'The url must not contain a fragment.'),
  WEBHOOK_URL_PORT: no(400, 'caller', 'G-63', 'The port of the url is not allowed.'),
  WEBHOOK_URL_HOST: no(400, 'caller', 'G-63',
    'The host name of the url is not valid; check its spelling.'),
  WEBHOOK_URL_ADDRESS: no(400, 'caller', 'G-63',
    'The url points to an address that is not public.'),
  WEBHOOK_ENDPOINT_LIMIT: no(400, 'caller', 'G-64',
    'The tenant has reached the maximum number of webhook endpoints. Delete one first.'),
  WEBHOOK_ENDPOINT_DISABLED: no(400, 'caller', 'G-63',
    'The webhook endpoint is disabled; enable it first.'),
  WEBHOOK_SECRET_ROTATING: no(400, 'caller', 'G-62',
    'The previous rotation still overlaps. Send overlap_seconds 0 to end it immediately.'),
  REPLAY_AMBIGUOUS: no(400, 'caller', 'G-63',
    'Send exactly one of: sequence; from and to, in ascending order; failed.'),
  REPLAY_RANGE_TOO_LARGE: no(400, 'caller', 'G-63', 'A replay can cover at most 10,000 events.'),
});
