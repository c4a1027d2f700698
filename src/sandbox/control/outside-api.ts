// Sandbox calls about the processor: the outcome of its next calls, and what only the outside world
// can cause. Staging only. [G-64]
import { z } from 'zod';
import { isUuid, WIRE_ID_MAX } from '../../core/ids.ts';
import { refuse } from '../../core/refusal.ts';
import { optional, reference, strictObject } from '../../core/schema.ts';
import { OUTSIDE_EVENTS, type SandboxCards } from '../ports/cards.ts';
import type { DomainOperation } from '../../product/context.ts';
import { operation, type SandboxServices } from '../services.ts';
import { refusals as wallet } from '../../product/money/wallet/index.ts';
import { listScenarios } from './lists.ts';
import { happenInFile } from './file-outcome.ts';
import { happenTo, onceOutside } from './outside.ts';
import { refusals } from './refusals.ts';

const scenarioRecord = z.strictObject({ name: z.string(), story: z.string(), ends: z.string() });

function cardsOf({ cards }: SandboxServices): SandboxCards {
  if (cards === null) throw refuse(refusals.SANDBOX_CARDS_ABSENT);
  return cards;
}

/** The processor's token of a payment method that is no wallet. */
export async function tokenOf(
  { db }: Pick<SandboxServices, 'db'>,
  workspace: number,
  id: string,
): Promise<string> {
  if (!isUuid(id)) throw refuse(wallet.PAYMENT_METHOD_NOT_FOUND);
  const rows = await db.query<{ token: string }>({
    name: 'sandbox_token_of',
    text: `select processor_token as token from payment_method
      where workspace = $1 and id = $2 and processor_token <> ''`,
    values: [workspace, id],
  });
  if (rows[0] === undefined) throw refuse(wallet.PAYMENT_METHOD_NOT_FOUND);
  return rows[0].token;
}

const playScenario = operation({
  id: 'sandboxPlayScenario',
  route: 'POST invoicing /sandbox/scenarios',
  summary: 'Scripts the next processor calls of one payment method or of any.',
  cites: 'G-64',
  access: { client: 'write_sandbox' },
  body: strictObject({
    scenario: reference(),
    payment_method_id: optional(reference(WIRE_ID_MAX)),
  }),
  answers: { 201: scenarioRecord },
  refusals: [
    refusals.SANDBOX_CARDS_ABSENT,
    refusals.SCENARIO_UNKNOWN,
    wallet.PAYMENT_METHOD_NOT_FOUND,
    refusals.PROCESSOR_UNAVAILABLE,
  ],
  stagingOnly: true,
  async run(services, { caller, body, idempotency }) {
    const { workspace } = caller;
    const cards = cardsOf(services);
    const found = cards.scenarios.find(({ name }) => name === body.scenario);
    if (found === undefined) throw refuse(refusals.SCENARIO_UNKNOWN);
    const { name, story, ends } = found;
    const method = body.payment_method_id;
    return onceOutside(services, workspace, idempotency, async () => {
      const token = method === undefined ? null : await tokenOf(services, workspace, method);
      const queued = await cards.play(workspace, name, token);
      if (!queued) throw refuse(refusals.PROCESSOR_UNAVAILABLE, {}, 1);
      return { name, story, ends };
    });
  },
});

const happenOutside = operation({
  id: 'sandboxOutsideEvent',
  route: 'POST invoicing /sandbox/outside_events',
  summary: 'Makes a bank settle, fail or return a payment or payout, or opens or ends a dispute.',
  cites: 'G-64',
  access: { client: 'write_sandbox' },
  body: strictObject({
    event: z.enum(OUTSIDE_EVENTS).meta({ examples: ['chargeback'] }),
    id: reference(),
  }),
  answers: { 201: z.strictObject({ event: z.enum(OUTSIDE_EVENTS), id: z.string() }) },
  refusals: [
    refusals.SANDBOX_CARDS_ABSENT,
    refusals.OUTSIDE_EVENT_REFUSED,
    refusals.PROCESSOR_UNAVAILABLE,
  ],
  stagingOnly: true,
  async run(services, { caller, body, idempotency }) {
    const { workspace } = caller;
    const cards = cardsOf(services);
    const { event, id } = body;
    return onceOutside(services, workspace, idempotency, async () => {
      const end =
        (await happenInFile(services, workspace, id, event)) ??
        (await happenTo(services.db, cards, workspace, id, event));
      if (end === null) throw refuse(refusals.PROCESSOR_UNAVAILABLE, {}, 1);
      if (end === 'refused') throw refuse(refusals.OUTSIDE_EVENT_REFUSED);
      return { event, id };
    });
  },
});

export const outsideOperations: readonly DomainOperation[] = [
  listScenarios,
  playScenario,
  happenOutside,
];
