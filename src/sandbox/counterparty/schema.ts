// Request bodies and records of simulated counterparties: the one place where their wire fields are
// spelled. [G-64]
import { z } from 'zod';
import { optional, reference, strictObject } from '../../core/schema.ts';
import { COUNTERPARTIES, counterpartyRecord, SCRIPTED } from '../ports/counterparties.ts';
import { EVENT_NAMES } from '../../product/events.ts';

/** The most provider calls that one script covers. */
const TIMES_MAX = 100;
/** The most rows of a receiver's initial script. */
const SCRIPT_MAX = 20;

const times = z.number().int().min(1).max(TIMES_MAX);
const at = z.string();
const count = z.int();
const nullable = z.string().nullable();

export const counterpartyList = z.strictObject({ counterparties: z.array(counterpartyRecord) });

export const scriptBody = strictObject({
  counterparty: z.enum(SCRIPTED),
  exchange: reference(),
  operation: optional(reference()),
  times: optional(times),
  on: optional(reference()),
});
export type ScriptBody = z.output<typeof scriptBody>;

export const scriptRecord = z.strictObject({
  script_id: z.string(),
  counterparty: z.enum(SCRIPTED),
  operation: z.string(),
  exchange: z.string(),
  remaining: count,
  /** Null: any target. */
  on: nullable,
}).meta({ title: 'WaitingScript' });
export const scriptList = z.strictObject({ scripts: z.array(scriptRecord) });
export const cleared = z.strictObject({ cleared: count });

export const bookPath = strictObject({ counterparty: z.string() });
export const pageQuery = strictObject({ after: optional(z.string().max(200)) });

const exchanges = z.array(
  z
    .strictObject({ operation: z.string(), times: count, first_at: at, last_at: at })
    .meta({ title: 'ProviderCall' }),
);
const keyed = z.strictObject({
  kind: z.enum(['charge', 'remittance', 'question']),
  key: z.string(),
  state: z.string(),
  reference: nullable,
  amount: count.nullable(),
  currency: nullable,
  captured_amount: count.nullable(),
  captured_currency: nullable,
  captures: count.nullable(),
  refunded: count.nullable(),
  taken_back: nullable,
  remitted_as: nullable,
  failure_code: nullable,
  exchanges,
}).meta({ title: 'BookedPayment' });
const line = z.strictObject({
  line: count,
  key: z.string(),
  kind: z.string(),
  reference: z.string(),
  part: count,
  amount: count,
  currency: z.string(),
  at,
}).meta({ title: 'StatementRow' });
const check = z.strictObject({
  kind: z.literal('check'),
  key: z.string(),
  person: nullable,
  state: z.string(),
  reference: nullable,
  reasons: z.array(z.string()),
  rules: z.array(z.string()),
  exchanges,
}).meta({ title: 'IdentityCheck' });
const received = {
  number: count,
  receiver_id: z.string(),
  at,
  event_id: z.string(),
  exchange: z.string(),
  status: count.nullable(),
  /** The steps of verification: readable, recent, authentic, with a token. */
  verified: z.strictObject({
    signed: z.boolean(),
    fresh: z.boolean(),
    authentic: z.boolean(),
    token: z.boolean(),
  }),
};

const delivery = z.strictObject(received).meta({ title: 'ReceivedDelivery' });

export const bookRecord = z.strictObject({
  counterparty: z.enum(COUNTERPARTIES),
  entries: z.array(z.union([keyed, line, check, delivery]).meta({ title: 'BookEntry' })),
  next: nullable,
});

export const receiverBody = strictObject({
  events: optional(z.array(z.enum(EVENT_NAMES)).max(EVENT_NAMES.length)),
  script: optional(
    z.array(strictObject({ exchange: reference(), times: optional(times) })).max(SCRIPT_MAX),
  ),
});
export const receiverPath = strictObject({ receiver_id: z.string() });
export const madeReceiver = z.strictObject({
  receiver_id: z.string(),
  url: z.string(),
  endpoint_id: z.string(),
  secret: z.string(),
});
export const receiverList = z.strictObject({
  receivers: z.array(
    z.strictObject({
      receiver_id: z.string(),
      url: z.string(),
      endpoint_id: z.string(),
      requests: count,
      created: at,
    }).meta({ title: 'Receiver' }),
  ),
});
export const requestList = z.strictObject({
  requests: z.array(
    z.strictObject({
      ...received,
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }).meta({ title: 'ReceivedRequest' }),
  ),
  next: nullable,
});

interface ReceivedRow {
  readonly number: bigint;
  readonly signed: boolean;
  readonly fresh: boolean;
  readonly authentic: boolean;
  readonly token: boolean;
}

/** The wire record of a request, with the four steps in one field. */
export function renderRequest(row: object): object {
  const { number, signed, fresh, authentic, token, ...rest } = row as ReceivedRow;
  return { number: Number(number), ...rest, verified: { signed, fresh, authentic, token } };
}
