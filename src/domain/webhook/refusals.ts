// The refusals of webhooks and the event stream, in order of precedence.
import { defineRefusals } from '../../kernel/refusal.ts';

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
      'The stream was restored to an earlier state: go on with epoch and after of the errors, ' +
      'and drop the events above that number.',
    cites: 'G-63',
  },
  WEBHOOK_URL_MALFORMED: {
    ...input,
    sentence: 'The url is not an absolute URL in plain ASCII of at most 2,048 characters.',
    cites: 'G-63',
  },
  WEBHOOK_URL_SCHEME: {
    ...input,
    sentence: 'The url must begin with https.',
    cites: 'G-63',
  },
  WEBHOOK_URL_CREDENTIALS: {
    ...input,
    sentence: 'The url must not hold a user name or a password.',
    cites: 'G-63',
  },
  WEBHOOK_URL_FRAGMENT: {
    ...input,
    sentence: 'The url must not have a fragment.',
    cites: 'G-63',
  },
  WEBHOOK_URL_PORT: {
    ...input,
    sentence: 'The port of the url is not one that webhooks are sent to.',
    cites: 'G-63',
  },
  WEBHOOK_URL_HOST: {
    ...input,
    sentence: 'The url names a host that cannot exist; check its name.',
    cites: 'G-63',
  },
  WEBHOOK_URL_ADDRESS: {
    ...input,
    sentence: 'The url names an address that is not public.',
    cites: 'G-63',
  },
  WEBHOOK_ENDPOINT_LIMIT: {
    ...input,
    sentence: 'There are as many webhook endpoints as a tenant may have.',
    cites: 'G-64',
  },
  WEBHOOK_ENDPOINT_DISABLED: {
    ...input,
    sentence: 'The webhook endpoint is disabled; enable it first.',
    cites: 'G-63',
  },
  WEBHOOK_SECRET_ROTATING: {
    ...input,
    sentence: 'The last rotation still overlaps; ask with overlap_seconds 0 to end it at once.',
    cites: 'G-62',
  },
  REPLAY_AMBIGUOUS: {
    ...input,
    sentence: 'Name exactly one of: sequence; from and to, in order; failed.',
    cites: 'G-63',
  },
  REPLAY_RANGE_TOO_LARGE: {
    ...input,
    sentence: 'One replay covers at most 10,000 events.',
    cites: 'G-63',
  },
});
