// The wire form of an explanation. Each kind of entry is strict, so that a program can branch on
// `kind`, while a person reads only `text`. Ids, codes and amounts only.
import { z } from 'zod';

/** What an entry is about: a resource by its wire id. */
const thing = z
  .strictObject({ kind: z.string(), id: z.string() })
  .meta({ title: 'ResourceReference' });
const time = z.string();
const fact = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const common = {
  at: time.meta({ description: "Time of the workspace's clock." }),
  real_at: time.meta({ description: 'The same moment in real time.' }),
  text: z.string(),
};

const rule = z.strictObject({
  code: z.string(),
  sentence: z.string(),
  cites: z.string(),
  act: z.string(),
  retry: z.boolean(),
}).meta({ title: 'ExplainedRefusal' });

const request = z.strictObject({
  kind: z.literal('request'),
  ...common,
  request_id: z.string(),
  operation: z.string(),
  caller: z.strictObject({
    kind: z.enum(['client', 'user', 'session']),
    client_id: z.string(),
    account_id: z.string().nullable(),
  }),
  status: z.int(),
  took_ms: z.int(),
  idempotency: z.enum(['none', 'first', 'replay']),
  refusal: rule.nullable(),
  about: thing.nullable(),
  state: z
    .string()
    .nullable()
    .meta({ description: 'State of the resource at the request; null if none applies.' }),
  allowed: z.array(z.string()).meta({ description: 'Events that are allowed in that state.' }),
});

const transition = z.strictObject({
  kind: z.literal('transition'),
  ...common,
  about: thing,
  on: z.string(),
  from: z.string().nullable(),
  to: z.string(),
  version: z.int(),
  actor: z.string(),
  by: z.string().nullable(),
  why: z.string(),
  cites: z.string(),
  facts: z.record(z.string(), fact),
});

const exchange = z.strictObject({
  kind: z.literal('exchange'),
  ...common,
  about: thing,
  counterparty: z.enum(['processor', 'vendor']),
  operation: z.string(),
  times: z.int(),
  last_at: time,
  book: z
    .string()
    .nullable()
    .meta({ description: 'Current record of the provider; null if there is none.' }),
  failure_code: z.string().nullable(),
  reference: z.string().nullable(),
  amount: z.int().nullable(),
  currency: z.string().nullable(),
});

const posting = z.strictObject({
  kind: z.literal('posting'),
  ...common,
  about: thing,
  version: z.int(),
  line: z.int(),
  ledger_account: z.string().meta({ description: 'Type of the account in the chart of accounts.' }),
  wallet_id: z.string().nullable(),
  account_id: z.string().nullable(),
  amount: z.int().meta({ description: 'Minor units, signed.' }),
  currency: z.string(),
  balance_after: z.int().nullable(),
});

const event = z.strictObject({
  kind: z.literal('event'),
  ...common,
  about: thing,
  version: z.int(),
  event_id: z.string(),
  name: z.string(),
  sequence: z
    .int()
    .nullable()
    .meta({ description: 'Null until the event has its sequence number.' }),
});

const delivery = z.strictObject({
  kind: z.literal('delivery'),
  ...common,
  endpoint_id: z.string(),
  event_id: z.string(),
  sequence: z.int(),
  state: z.enum(['pending', 'delivered', 'dead']),
  tries: z.int(),
  next_try: time.nullable(),
  status: z.int().nullable(),
  reason: z.string().nullable(),
});

const attempt = z.strictObject({
  kind: z.literal('attempt'),
  ...common,
  endpoint_id: z.string(),
  event_id: z.string(),
  sequence: z.int(),
  number: z.int(),
  status: z.int().nullable(),
  reason: z.string().nullable(),
  took_ms: z.int(),
});

const operator = z.strictObject({
  kind: z.literal('operator'),
  ...common,
  about: thing,
  act: z.string(),
  actor: z.string(),
});

const record = z.strictObject({
  kind: z.literal('record'),
  ...common,
  about: thing,
  what: z.string(),
  state: z.string().nullable(),
});

export const entryRecord = z.discriminatedUnion('kind', [
  request,
  transition,
  exchange,
  posting,
  event,
  delivery,
  attempt,
  operator,
  record,
]).meta({ title: 'TimelineEntry' });
export type Entry = z.output<typeof entryRecord>;

/** Something that may happen next. */
const nextStep = z.strictObject({
  what: z.string(),
  by: z.string(),
  at: time.nullable().meta({ description: 'The time in real time, where it is known.' }),
  text: z.string(),
}).meta({ title: 'NextStep' });
export type NextStep = z.output<typeof nextStep>;

export const explanation = z.strictObject({
  id: z.string(),
  kind: z.string(),
  state: z.string().nullable(),
  now: z.string().meta({ description: 'The current state and the next step, as a sentence.' }),
  next: z.array(nextStep),
  belongs_to: z.array(thing),
  timeline: z.array(entryRecord),
  left_out: z.int().meta({ description: 'Number of older entries that are not shown.' }),
}).meta({ title: 'Explanation' });
export type Explanation = z.output<typeof explanation>;
export type Thing = z.output<typeof thing>;
