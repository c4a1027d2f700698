// Answers for the endpoints of the processor host: one value each, staging only, answered bare,
// since it plays a foreign system. Each checks its world's key itself, because no token of ours
// opens it. Refuses to know how an exchange goes and what the book looks like.
import { z } from 'zod';
import type { Answer, Operation } from '../../kernel/operation.ts';
import type { Keys } from '../../ports/keys.ts';
import { worldOf } from './access.ts';
import { storeCard } from './cards.ts';
import type { ExchangeServices } from './answering.ts';
import { answerQuestion } from './answering.ts';
import { EXCHANGE_NAMES } from './exchanges.ts';
import type { ChargeOperation } from './protocol.ts';
import { CHARGE_OPERATIONS, cardAnswer, cardBody, chargeBody, chargeKey } from './protocol.ts';
import { refusals } from './refusals.ts';
import { readBook, readStatement } from './reports.ts';
import { exchangesOf, queueScript } from './script.ts';

/** What the processor host runs on; the composition root supplies it. */
export interface SandboxProcessorServices extends ExchangeServices {
  readonly keys: Keys;
}

type Endpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Operation<
  SandboxProcessorServices,
  P,
  Q,
  B
>;
type Own<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Omit<
  Endpoint<P, Q, B>,
  'host' | 'access' | 'cites' | 'stagingOnly' | 'bare'
>;

const NONE = z.strictObject({});
const KEY_PARAMS = z.strictObject({ key: chargeKey });
const DIGITS = z.string().regex(/^[0-9]{1,18}$/);
const TROUBLE = z.object({ error: z.string() });

/** An endpoint of this host, with what all of them have in common. */
function endpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType>(
  own: Own<P, Q, B>,
): Endpoint<P, Q, B> {
  return {
    ...own,
    host: 'processor',
    access: 'public',
    cites: 'G-39',
    stagingOnly: true,
    bare: true,
    refusals: [refusals.PROCESSOR_KEY_INVALID, ...own.refusals],
  };
}

const cards = endpoint({
  id: 'processorStoreCard',
  method: 'POST',
  path: '/v1/cards',
  summary: 'Takes a test card by number or by name and gives its token.',
  params: NONE,
  query: NONE,
  body: cardBody,
  answers: { 200: cardAnswer },
  refusals: [refusals.CARD_NOT_A_TEST_CARD, refusals.CARD_DATE_PAST],
  async run({ db, entropy, keys }, { headers, body }) {
    const world = worldOf(keys, headers);
    return { status: 200, bare: await storeCard(db, entropy, world, body) };
  },
});

const SUMMARIES: Readonly<Record<Exclude<ChargeOperation, 'look'>, string>> = {
  authorize: 'Reserves the money under the key, once.',
  capture: 'Takes what was reserved under the key, once.',
  reverse: 'Gives back what the key holds; an unused key can never be charged again.',
};

/** The answers of an exchange: loose, because a scripted processor also answers nonsense. */
const EXCHANGE_ANSWERS = {
  200: z.looseObject({ state: z.string() }),
  429: TROUBLE,
  500: TROUBLE,
  504: TROUBLE,
} as const;

function chargeEndpoint(operation: Exclude<ChargeOperation, 'look'>) {
  return endpoint({
    id: `processor${operation[0]?.toUpperCase()}${operation.slice(1)}`,
    method: 'POST',
    path: `/v1/charges/{key}/${operation}`,
    summary: SUMMARIES[operation],
    params: KEY_PARAMS,
    query: NONE,
    body: chargeBody,
    answers: EXCHANGE_ANSWERS,
    refusals: [refusals.CHARGE_ABSENT, refusals.CHARGE_KEY_REUSED],
    async run(services, { headers, params, body }): Promise<Answer> {
      const world = worldOf(services.keys, headers);
      const { token, currency } = body;
      const order = { world, key: params.key, token, amount: BigInt(body.amount), currency };
      return answerQuestion(services, { operation, order });
    },
  });
}

const look = endpoint({
  id: 'processorLook',
  method: 'GET',
  path: '/v1/charges/{key}',
  summary: 'What the book says about the key; `absent` when it has never seen it.',
  params: KEY_PARAMS,
  query: NONE,
  body: null,
  answers: EXCHANGE_ANSWERS,
  refusals: [],
  async run(services, { headers, params }) {
    const world = worldOf(services.keys, headers);
    return answerQuestion(services, { operation: 'look', world, key: params.key });
  },
});

const exchanges = endpoint({
  id: 'processorExchanges',
  method: 'GET',
  path: '/v1/charges/{key}/exchanges',
  summary: 'How often each question was asked under the key.',
  params: KEY_PARAMS,
  query: NONE,
  body: null,
  answers: { 200: z.object({ exchanges: z.array(z.looseObject({ operation: z.string() })) }) },
  refusals: [],
  async run({ db, keys }, { headers, params }) {
    const world = worldOf(keys, headers);
    return { status: 200, bare: { exchanges: await exchangesOf(db, world, params.key) } };
  },
});

const book = endpoint({
  id: 'processorBook',
  method: 'GET',
  path: '/v1/book',
  summary: 'Charges of the world by key, 1,000 at a time, and the totals of all of them.',
  params: NONE,
  query: z.strictObject({ after: chargeKey.optional() }),
  body: null,
  answers: {
    200: z.object({
      charges: z.array(z.looseObject({ key: z.string(), amount: z.string() })),
      totals: z.array(z.looseObject({ currency: z.string(), captured: z.string() })),
      next: z.string().nullable(),
    }),
  },
  refusals: [],
  async run({ db, keys }, { headers, query }) {
    const world = worldOf(keys, headers);
    const { charges, totals, next } = await readBook(db, world, query.after ?? '');
    const bare = { charges: charges.map(digitsOnly), totals: totals.map(digitsOnly), next };
    return { status: 200, bare };
  },
});

const statement = endpoint({
  id: 'processorStatement',
  method: 'GET',
  path: '/v1/statement',
  summary: 'Captures and refunds of the world line by line, 1,000 after the given line.',
  params: NONE,
  query: z.strictObject({ after: DIGITS.optional() }),
  body: null,
  answers: { 200: z.object({ lines: z.array(z.looseObject({ line: z.string() })) }) },
  refusals: [],
  async run({ db, keys }, { headers, query }) {
    const world = worldOf(keys, headers);
    const lines = await readStatement(db, world, BigInt(query.after ?? '0'));
    return { status: 200, bare: { lines: lines.map(digitsOnly) } };
  },
});

const script = endpoint({
  id: 'processorScript',
  method: 'POST',
  path: '/v1/script',
  summary: 'Queues how the next exchanges of one kind go, for one card or for any.',
  params: NONE,
  query: NONE,
  body: z.strictObject({
    operation: z.enum(CHARGE_OPERATIONS),
    exchange: z.enum(EXCHANGE_NAMES as readonly [string, ...string[]]),
    times: z.int().min(1).max(10_000).optional(),
    token: z.string().max(100).optional(),
  }),
  answers: { 200: z.object({}) },
  refusals: [],
  async run({ db, keys }, { headers, body }) {
    const world = worldOf(keys, headers);
    const { operation, exchange, times, token } = body;
    await queueScript(db, world, { operation, exchange, times: times ?? 1, token: token ?? '' });
    return { status: 200, bare: {} };
  },
});

/** A row for the wire: amounts and line numbers as texts of digits. */
function digitsOnly(row: object): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? value.toString() : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Every endpoint of the processor host. */
export const operations: readonly Operation<SandboxProcessorServices>[] = [
  cards,
  chargeEndpoint('authorize'),
  chargeEndpoint('capture'),
  chargeEndpoint('reverse'),
  look,
  exchanges,
  book,
  statement,
  script,
];
