// Endpoints about a whole workspace: its cards, records and statement, scripts, and outside events.
import { z } from 'zod';
import { OUTSIDE_EVENTS } from '../../ports/cards.ts';
import { queueScript } from '../store/calls.ts';
import { callKey, outsideEvent } from '../store/endpoint.ts';
import { storeCard } from './cards.ts';
import { endpoint } from './endpoint.ts';
import { EXCHANGE_NAMES } from './exchanges.ts';
import { happen } from './outside.ts';
import { OPERATIONS, cardAnswer, cardBody } from './protocol.ts';
import { refusals } from './refusals.ts';
import { readBook, readStatement, type BookLine } from './reports.ts';
import { SCENARIO_NAMES, stepsOf } from './scenarios.ts';
import { balanceOf, setTerms, termsBody } from './terms.ts';

const DIGITS = z.string().regex(/^[0-9]{1,18}$/);

const cards = endpoint({
  id: 'processorStoreCard',
  route: 'POST /v1/cards',
  summary: 'Returns the token of a test card by number, or of a card or account by name.',
  body: cardBody,
  answer: cardAnswer,
  refusals: [refusals.CARD_NOT_A_TEST_CARD, refusals.CARD_DATE_PAST],
  run: ({ db, random }, { workspace, body }) => storeCard(db, random, workspace, body),
});

const CHARGE = z.looseObject({ key: z.string(), amount: z.string() });
const TOTAL = z.looseObject({ currency: z.string(), captured: z.string() });
const LINE = z.looseObject({ line: z.string() }).meta({ title: 'ProcessorStatementRow' });

const book = endpoint({
  id: 'processorBook',
  route: 'GET /v1/book',
  summary: 'Lists the charges of the workspace by key, 1,000 at a time, with their totals.',
  query: z.strictObject({ after: callKey.optional() }),
  answer: z.object({
    charges: z.array(CHARGE.meta({ title: 'ProcessorCharge' })),
    totals: z.array(TOTAL.meta({ title: 'ProcessorTotal' })),
    next: z.string().nullable(),
  }),
  async run({ db }, { workspace, query }) {
    const { charges, totals, next } = await readBook(db, workspace, query.after ?? '');
    return { charges: charges.map(digitsOnly), totals: totals.map(digitsOnly), next };
  },
});

const statement = endpoint({
  id: 'processorStatement',
  route: 'GET /v1/statement',
  summary: 'Lists the statement rows of the workspace, 1,000 after the given row.',
  query: z.strictObject({ after: DIGITS.optional() }),
  answer: z.object({ lines: z.array(LINE) }),
  async run({ db }, { workspace, query }) {
    const lines = await readStatement(db, workspace, BigInt(query.after ?? '0'));
    return { lines: lines.map((line) => digitsOnly(withoutTerms(line))) };
  },
});

/** A row that was written without settlement terms shows none. */
function withoutTerms({ fee, available_at, ...line }: BookLine): object {
  return fee === 0n && available_at === null ? line : { ...line, fee, available_at };
}

const terms = endpoint({
  id: 'processorTerms',
  route: 'POST /v1/terms',
  summary: 'Sets what the processor keeps of payments, and when their money is available.',
  body: termsBody,
  answer: z.object({}),
  async run({ db }, { workspace, body }) {
    await setTerms(db, workspace, body);
    return {};
  },
});

const BALANCE = z.looseObject({ currency: z.string(), available: z.string() });

const balance = endpoint({
  id: 'processorBalance',
  route: 'GET /v1/balance',
  summary: 'Lists pending and available money, fees and what was sent to the bank, by currency.',
  answer: z.object({ balances: z.array(BALANCE.meta({ title: 'ProcessorBalance' })) }),
  async run({ db }, { workspace }) {
    return { balances: (await balanceOf(db, workspace)).map(digitsOnly) };
  },
});

const CARD_TOKEN = z.string().max(100).optional();

const script = endpoint({
  id: 'processorScript',
  route: 'POST /v1/script',
  summary: 'Queues the outcome of the next calls, by kind or scenario, for one card or for any.',
  body: z.union([
    z.strictObject({
      operation: z.enum(OPERATIONS),
      exchange: z.enum(EXCHANGE_NAMES as readonly [string, ...string[]]),
      times: z.int().min(1).max(10_000).optional(),
      token: CARD_TOKEN,
    }).meta({ title: 'ScriptedCall' }),
    z.strictObject({
      scenario: z.enum(SCENARIO_NAMES as readonly [string, ...string[]]),
      token: CARD_TOKEN,
    }).meta({ title: 'ScriptedScenario' }),
  ]),
  answer: z.object({}),
  async run({ db }, { workspace, body }) {
    const { token = '' } = body;
    const steps = 'scenario' in body ? stepsOf(body.scenario) : [body];
    const lines = steps.map(({ times = 1, ...step }) => ({ ...step, times, token }));
    await queueScript(db, 'processor', workspace, lines);
    return {};
  },
});

const event = outsideEvent({
  id: 'processorOutsideEvent',
  path: 'v1/outside-events',
  summary: 'Triggers an outside event for a key.',
  events: OUTSIDE_EVENTS,
  impossible: refusals.OUTSIDE_EVENT_IMPOSSIBLE,
  happen,
});

/** A row for the wire: amounts and row numbers as texts of digits. */
function digitsOnly(row: object): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? value.toString() : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

export const workspaceOperations = [
  ...[cards, book, statement, balance, terms, script],
  endpoint(event),
] as const;
