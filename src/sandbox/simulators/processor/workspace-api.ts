// Endpoints about a whole workspace: its cards, records and statement, scripts, and outside events.
import { z } from 'zod';
import { refuse } from '../../../core/refusal.ts';
import { OUTSIDE_EVENTS } from '../../ports/cards.ts';
import { storeCard } from './cards.ts';
import { endpoint } from './endpoint.ts';
import { EXCHANGE_NAMES } from './exchanges.ts';
import { happen } from './outside.ts';
import { OPERATIONS, cardAnswer, cardBody, chargeKey } from './protocol.ts';
import { refusals } from './refusals.ts';
import { readBook, readStatement } from './reports.ts';
import { SCENARIO_NAMES, SCENARIOS } from './scenarios.ts';
import { queueScript } from './script.ts';

const DIGITS = z.string().regex(/^[0-9]{1,18}$/);

const cards = endpoint({
  id: 'processorStoreCard',
  route: 'POST /v1/cards',
  summary: 'Returns the token of a test card by number, or of a card or account by name.',
  body: cardBody,
  answers: { 200: cardAnswer },
  refusals: [refusals.CARD_NOT_A_TEST_CARD, refusals.CARD_DATE_PAST],
  async run({ db, random }, { workspace, body }) {
    return { status: 200, bare: await storeCard(db, random, workspace, body) };
  },
});

const CHARGE = z.looseObject({ key: z.string(), amount: z.string() });
const TOTAL = z.looseObject({ currency: z.string(), captured: z.string() });
const LINE = z.looseObject({ line: z.string() }).meta({ title: 'ProcessorStatementRow' });

const book = endpoint({
  id: 'processorBook',
  route: 'GET /v1/book',
  summary: 'Lists the charges of the workspace by key, 1,000 at a time, with their totals.',
  query: z.strictObject({ after: chargeKey.optional() }),
  answers: {
    200: z.object({
      charges: z.array(CHARGE.meta({ title: 'ProcessorCharge' })),
      totals: z.array(TOTAL.meta({ title: 'ProcessorTotal' })),
      next: z.string().nullable(),
    }),
  },
  async run({ db }, { workspace, query }) {
    const { charges, totals, next } = await readBook(db, workspace, query.after ?? '');
    const bare = { charges: charges.map(digitsOnly), totals: totals.map(digitsOnly), next };
    return { status: 200, bare };
  },
});

const statement = endpoint({
  id: 'processorStatement',
  route: 'GET /v1/statement',
  summary: 'Lists the statement rows of the workspace, 1,000 after the given row.',
  query: z.strictObject({ after: DIGITS.optional() }),
  answers: { 200: z.object({ lines: z.array(LINE) }) },
  async run({ db }, { workspace, query }) {
    const lines = await readStatement(db, workspace, BigInt(query.after ?? '0'));
    return { status: 200, bare: { lines: lines.map(digitsOnly) } };
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
  answers: { 200: z.object({}) },
  async run({ db }, { workspace, body }) {
    const steps =
      'scenario' in body
        ? (SCENARIOS.find(({ name }) => name === body.scenario)?.steps ?? [])
        : [body];
    const { token = '' } = body;
    const entries = steps.map(({ operation, exchange, times = 1 }) => {
      return { operation, exchange, times, token };
    });
    await queueScript(db, workspace, ...entries);
    return { status: 200, bare: {} };
  },
});

const outside = endpoint({
  id: 'processorOutsideEvent',
  route: 'POST /v1/outside-events',
  summary: 'Triggers an outside event for a key.',
  body: z.strictObject({ key: chargeKey, event: z.enum(OUTSIDE_EVENTS) }),
  answers: { 200: z.object({}) },
  refusals: [refusals.OUTSIDE_EVENT_IMPOSSIBLE],
  async run({ db }, { workspace, body }) {
    if (!(await happen(db, workspace, body.key, body.event))) {
      throw refuse(refusals.OUTSIDE_EVENT_IMPOSSIBLE);
    }
    return { status: 200, bare: {} };
  },
});

/** A row for the wire: amounts and row numbers as texts of digits. */
function digitsOnly(row: object): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? value.toString() : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

export const workspaceOperations = [cards, book, statement, script, outside] as const;
