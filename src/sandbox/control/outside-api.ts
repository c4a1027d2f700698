// Sandbox calls about the processor and the bank: the outcome of the processor's next calls, and
// what only the outside world can cause. For payouts by file it plays the operators who hand over
// what waits, and the bank that carries one out, rejects it or sends it back. Staging only. [G-64,
// G-91]
import { z } from 'zod';
import { derivedUuid, isUuid, WIRE_ID_MAX } from '../../core/ids.ts';
import { Refusal, refuse } from '../../core/refusal.ts';
import { optional, reference, strictObject } from '../../core/schema.ts';
import { OUTSIDE_EVENTS, type OutsideEvent, type SandboxCards } from '../ports/cards.ts';
import type { DomainOperation, Services } from '../../product/context.ts';
import { operation, type SandboxServices } from '../services.ts';
import { refusals as wallet } from '../../product/money/wallet/index.ts';
import { listScenarios } from './lists.ts';
import { happenTo, onceOutside } from './outside.ts';
import { refusals } from './refusals.ts';
import {
  confirmFile,
  handOverFile,
  makeFile,
  settleWord,
  type BankWord,
} from '../../product/money/payout-file/index.ts';
import { ensureSandboxBank } from './bank-api.ts';
import { prepared } from '../../db/index.ts';

const ACTOR = 'sandbox';
const [MAKER, SECOND] = [1, 2].map((n) => derivedUuid(`sandbox payout file operator ${n}`));

const WORDS: Partial<Readonly<Record<OutsideEvent, BankWord['what']>>> = {
  settle: 'debited',
  fail: 'rejected',
  return: 'returned',
};

type Parts = Pick<Services, 'db' | 'engine' | 'keys' | 'random'>;

/** Makes the event happen to a payout by file; null where the id names none. */
async function happenInFile(
  services: Parts,
  workspace: number,
  id: string,
  event: OutsideEvent,
): Promise<'done' | 'refused' | null> {
  const [sent] = await services.db.query<{ id: string; state: string; currency: string }>(
    prepared('sandbox_file_payout')`
    select id, state, currency from transfer
    where workspace = ${workspace} and rail = 'file' and ${id} in (id::text, resource_id::text)
    order by id desc limit 1`);
  if (sent === undefined) return null;
  const what = WORDS[event];
  if (what === undefined) return 'refused';
  try {
    if (sent.state === 'waiting') await handOver(services, workspace, sent.currency);
    const whole = { amount: null, currency: null, reference: `sandbox ${event}` };
    await settleWord(services, { workspace, what, id: sent.id, ...whole, actor: ACTOR });
    return 'done';
  } catch (error) {
    if (error instanceof Refusal) return 'refused';
    throw error;
  }
}

/** Has all that waits in a currency handed over, as two operators would. */
async function handOver(services: Parts, workspace: number, currency: string): Promise<void> {
  await ensureSandboxBank(services, workspace, currency);
  const { file } = await makeFile(services, {
    ...{ workspace, currency, format: 'pain.001', mapping: null, executeOn: null },
    operator: MAKER ?? '',
  });
  const { file_id: fileId, sha256 } = file;
  const act = { workspace, fileId, operator: SECOND ?? '', sha256, dependent: [] };
  await confirmFile(services, act);
  await handOverFile(services, { workspace, fileId, actor: ACTOR });
}

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
  const rows = await db.query<{ token: string }>(prepared('sandbox_token_of')`
    select processor_token as token from payment_method
    where workspace = ${workspace} and id = ${id} and processor_token <> ''`);
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
