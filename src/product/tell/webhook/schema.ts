// Request bodies, queries and records of webhooks: the one place where their wire fields are
// spelled. [G-64]
import { z } from 'zod';
import { optional, reference, strictObject, uuid } from '../../../core/schema.ts';
import { EVENT_NAMES } from '../../events.ts';
import type { EndpointRow } from './endpoint.ts';
import { ENDPOINTS_MAX, OVERLAP_SECONDS, SHOWN_STATES } from './endpoint.ts';
import { DELIVERY_STATES } from './outcome.ts';
import { SIGNINGS } from './secret.ts';

const DESCRIPTION_MAX = 255;
const SEQUENCE = /^(?:0|[1-9]\d{0,15})$/;

/** A sequence number in a query: digits, at most 2^53 - 1. */
const sequenceText = z
  .string()
  .refine((value) => SEQUENCE.test(value) && Number.isSafeInteger(Number(value)), {
    message: 'must be an integer',
  })
  .meta({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const limitText = (max: number): z.ZodString =>
  z
    .string()
    .refine((value) => /^[1-9]\d{0,3}$/.test(value) && Number(value) <= max, {
      message: `must be an integer from 1 to ${max}`,
    })
    .meta({ type: 'integer', minimum: 1, maximum: max });

const sequenceNumber = z
  .number({ error: 'must be a sequence number' })
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER);

const eventNames = z.array(z.enum(EVENT_NAMES)).max(EVENT_NAMES.length);
/** Only bounded here; the operation checks it and names the rule that is broken. */
const url = z.string().max(10_000).meta({ format: 'uri' });

export const endpointPath = strictObject({ endpoint_id: z.string() });
export const eventPath = strictObject({ event_id: z.string() });

/** Body of POST /v1/webhook_endpoints. */
export const createEndpointBody = strictObject({
  url,
  event_names: optional(eventNames),
  description: optional(reference(DESCRIPTION_MAX)),
  signing: optional(z.enum(SIGNINGS)),
});

/** Absent fields stay as they are. */
export const changeEndpointBody = strictObject({
  url: optional(url),
  event_names: optional(eventNames),
  description: optional(reference(DESCRIPTION_MAX)),
  state: optional(z.enum(SHOWN_STATES)),
});

export const rotateBody = strictObject({
  overlap_seconds: optional(z.number().int().min(0).max(OVERLAP_SECONDS)),
});

/** One event, a range of sequence numbers, or all dead letters. */
export const replayBody = strictObject({
  sequence: optional(sequenceNumber),
  from: optional(sequenceNumber),
  to: optional(sequenceNumber),
  failed: optional(z.literal(true)),
});

export const deliveriesQuery = strictObject({
  state: optional(z.enum(DELIVERY_STATES)),
  before: optional(sequenceText),
  limit: optional(limitText(500)),
});

export const eventsQuery = strictObject({
  after: optional(sequenceText),
  limit: optional(limitText(1000)),
  epoch: optional(reference(36).meta({ examples: ['first'] })),
});

const nullableText = z.string().nullable();

/** An endpoint without its secret. */
export const endpointRecord = strictObject({
  endpoint_id: uuid(),
  url: z.string(),
  event_names: z.array(z.string()),
  description: z.string(),
  signing: z.enum(SIGNINGS),
  public_key: z.string(),
  state: z.enum(SHOWN_STATES),
  disabled_reason: z.string(),
  rotating_until: nullableText,
  created: z.string(),
  updated: z.string(),
});

/** With the secret, shown once: `whsec_...`; '' for v1a and once the secret has ended. */
export const endpointWithSecret = endpointRecord.extend({ secret: z.string() });

export const endpointList = strictObject({
  webhook_endpoints: z.array(endpointRecord).max(ENDPOINTS_MAX + 1),
});

const deliveryRecord = strictObject({
  sequence: z.number(),
  event_id: uuid(),
  event_name: z.string(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number(),
  next_attempt: nullableText,
  last_status: z.number().nullable(),
  last_reason: z.string(),
}).meta({ title: 'WebhookDelivery' });

export const deliveryList = strictObject({
  deliveries: z.array(deliveryRecord),
  next_before: z.number().nullable(),
});

export const replayRecord = strictObject({ queued: z.number() });

/** An event exactly as it is delivered. [G-60] */
const eventBody = z.record(z.string(), z.unknown());

export const eventList = strictObject({
  events: z.array(eventBody),
  next_after: z.number(),
  epoch: z.string(),
});

const attemptRecord = strictObject({
  number: z.number(),
  at: z.string(),
  status: z.number().nullable(),
  reason: z.string(),
  duration_ms: z.number(),
  answer_bytes: z.number(),
  excerpt: z.string(),
});

export const eventRecord = strictObject({
  event: eventBody,
  deliveries: z.array(
    strictObject({
      endpoint_id: uuid(),
      state: z.enum(DELIVERY_STATES),
      next_attempt: nullableText,
      attempts: z.array(attemptRecord),
    }),
  ),
});

export function renderEndpoint(row: EndpointRow): z.output<typeof endpointRecord> {
  return {
    endpoint_id: row.id,
    url: row.url,
    event_names: [...row.events],
    description: row.description,
    signing: row.signing,
    public_key: row.public_key,
    state: row.state === 'enabled' ? 'enabled' : 'disabled',
    disabled_reason: row.disabled_reason ?? '',
    rotating_until: row.rotating_until,
    created: row.created,
    updated: row.updated,
  };
}
