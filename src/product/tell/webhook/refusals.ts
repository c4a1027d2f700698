// The refusals of webhooks and the event stream, in order of precedence.
import { defineRefusals } from '../../../core/refusal.ts';

const input = { status: 400, act: 'caller', retry: false } as const;
const unknown = { status: 404, act: 'caller', retry: false } as const;

export const webhookRefusals = defineRefusals({
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    ...unknown,
    sentence: 'There is no such webhook endpoint.',
    cites: 'G-11',
  },
  EVENT_NOT_FOUND: { ...unknown, sentence: 'There is no such event.', cites: 'G-11' },
  EVENTS_EPOCH_CHANGED: {
    status: 409,
    act: 'caller',
    retry: false,
    sentence:
      'The event stream was restored to an earlier state. Continue with the epoch and after ' +
      'in the errors, and discard the events above that sequence number.',
    cites: 'G-63',
  },
  WEBHOOK_URL_MALFORMED: {
    ...input,
    sentence: 'The url must be an absolute URL in ASCII of at most 2,048 characters.',
    cites: 'G-63',
  },
  WEBHOOK_URL_SCHEME: {
    ...input,
    sentence: 'The url must start with https://.',
    cites: 'G-63',
  },
  WEBHOOK_URL_CREDENTIALS: {
    ...input,
    sentence: 'The url must not contain a user name or password.',
    cites: 'G-63',
  },
  WEBHOOK_URL_FRAGMENT: {
    ...input,
    sentence: 'The url must not contain a fragment.',
    cites: 'G-63',
  },
  WEBHOOK_URL_PORT: {
    ...input,
    sentence: 'The port of the url is not allowed.',
    cites: 'G-63',
  },
  WEBHOOK_URL_HOST: {
    ...input,
    sentence: 'The host name of the url is not valid; check its spelling.',
    cites: 'G-63',
  },
  WEBHOOK_URL_ADDRESS: {
    ...input,
    sentence: 'The url points to an address that is not public.',
    cites: 'G-63',
  },
  WEBHOOK_ENDPOINT_LIMIT: {
    ...input,
    sentence: 'The tenant has reached the maximum number of webhook endpoints. Delete one first.',
    cites: 'G-64',
  },
  WEBHOOK_ENDPOINT_DISABLED: {
    ...input,
    sentence: 'The webhook endpoint is disabled; enable it first.',
    cites: 'G-63',
  },
  WEBHOOK_SECRET_ROTATING: {
    ...input,
    sentence: 'The previous rotation still overlaps. Send overlap_seconds 0 to end it immediately.',
    cites: 'G-62',
  },
  REPLAY_AMBIGUOUS: {
    ...input,
    sentence: 'Send exactly one of: sequence; from and to, in ascending order; failed.',
    cites: 'G-63',
  },
  REPLAY_RANGE_TOO_LARGE: {
    ...input,
    sentence: 'A replay can cover at most 10,000 events.',
    cites: 'G-63',
  },
});
