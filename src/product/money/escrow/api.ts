// The operations of escrows. [seed: Invoicing host]
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { CommandAnswer } from '../../../engine/index.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import { strictObject } from '../../../core/schema.ts';
import { chargeRefusal, providerRefusals } from '../../../providers/port.ts';
import { found, operation, submit, type Services } from '../../context.ts';
import {
  invoiceRequestOf,
  visibilityOf,
  createRefusals,
  fromAuthorized,
  readInvoice,
  refusals as invoiceRefusals,
} from '../invoice/index.ts';
import { refusals as terms, requireSignedTerms } from '../../people/terms/index.ts';
import { authenticationOf } from '../wallet/index.ts';
import { cancelEscrow } from './cancel.ts';
import { createEscrow, payEscrow } from './decide.ts';
import { escrowPath, moveRefusals, parts, run, type Move } from './api-parts.ts';
import type { PlanWish } from './plan.ts';
import { escrowByInvoice, readEscrow, readPayment } from './read.ts';
import { refusals as no } from './refusals.ts';
import { commitEscrow } from './release.ts';
import { escrowBody, escrowRecord, PLANNED, type EscrowRecord } from './schema.ts';
import { invoiceOf } from './tables.ts';

const planRefusals = [
  no.ESCROW_DATE_PASSED,
  no.ESCROW_DATE_TOO_LATE,
  no.ESCROW_MILESTONE_TOO_LARGE,
  no.ESCROW_DATES_CONFLICT,
  no.ESCROW_MILESTONE_REPEATED,
];

/** A person who pays plans nothing: dates and milestones are the tenant's. [G-95] */
function refusePlan(body: PlanWish): void {
  const sent = PLANNED.filter((field) => body[field] !== undefined);
  if (sent.length === 0) return;
  const errors = sent.map((field) => [field, 'is not for a session to set'] as const);
  throw refuse(inputRefusals.UNKNOWN_FIELD, Object.fromEntries(errors));
}

const createFromAuthorized = fromAuthorized(createEscrow);

const create = operation({
  id: 'createEscrow',
  route: 'POST invoicing /v2/escrow',
  summary: 'Creates an escrow without charging it.',
  cites: 'seed: POST /v2/escrow',
  access: { client: 'write_invoices', session: 'write_invoice' },
  body: escrowBody,
  answers: { 201: escrowRecord },
  refusals: [...createRefusals, ...planRefusals],
  async run(services, request) {
    const { random, policies, providers } = services;
    const { caller, body } = request;
    if (caller.kind !== 'client') refusePlan(body);
    const plan: PlanWish = body;
    const id = random.uuid();
    const invoiceId = invoiceOf(id, 'escrow');
    const { prepared, authorized } = await invoiceRequestOf(services, caller, body, invoiceId);
    const { integrator } = caller;
    // No longer than the processor lets the money wait. [G-42]
    const most = (await providers.holdSeconds(caller.workspace)) ?? Infinity;
    const holdSeconds = Math.min(policies.escrowHoldSeconds, most);
    const input = { id, prepared, holdSeconds, integrator, plan };
    if (authorized === null) return submit(services, request, createEscrow, input);
    return submit(services, request, createFromAuthorized, { authorized, invoiceId, input });
  },
});

function moveOf(
  id: string,
  name: 'pay' | 'commit' | 'cancel',
  summary: string,
  refusals: readonly RefusalSpec[],
  act: (services: Services, move: Move) => Promise<CommandAnswer>,
) {
  return operation({
    id,
    route: `POST invoicing /v2/escrow/{escrow_id}/${name}`,
    highPriority: true,
    summary,
    cites: `seed: POST /v2/escrow/{escrow_id}/${name}`,
    // A session may pay; whether to commit or cancel is the tenant's decision.
    access: { client: 'write_invoices', ...(name === 'pay' && { session: 'write_invoice' }) },
    params: escrowPath,
    answers: { 200: escrowRecord },
    refusals: [no.ESCROW_NOT_FOUND, ...refusals],
    run: act,
  });
}

const pay = moveOf(
  'payEscrow',
  'pay',
  'Charges the buyer and holds the money; OPEN as long as the outcome is not known.',
  [
    terms.TERMS_NOT_SIGNED,
    invoiceRefusals.INVOICE_SUPERSEDED,
    no.ESCROW_PAYMENT_IN_PROGRESS,
    no.ESCROW_NOT_OPEN,
    providerRefusals.PROVIDER_NOT_CONFIGURED,
    providerRefusals.PAYMENTS_STOPPED,
  ],
  async (services, move) => {
    await requireSignedTerms(services.db, move.caller);
    const noCharge = await chargeRefusal(services.providers, move.caller.workspace);
    const answer = await run(services, payEscrow, move, { noCharge });
    const submitted = answer.payload as EscrowRecord;
    if (submitted.status !== 'OPEN') return answer;
    return { ...answer, payload: await awaitedOutcome(services, move, submitted) };
  },
);

/** Escrows whose outcome a session's request in this process waits for. */
const awaited = new Set<string>();

/**
 * A second request of a browser is answered at once with what is known, so that a browser holds
 * only one waiting request.
 */
async function awaitedOutcome(services: Services, move: Move, submitted: EscrowRecord) {
  const { escrowWaitMs } = services.policies;
  const { id } = submitted;
  if (move.caller.kind !== 'session') return outcomeOf(services, move, submitted, escrowWaitMs);
  if (awaited.has(id)) return outcomeOf(services, move, submitted, 0);
  awaited.add(id);
  try {
    return await outcomeOf(services, move, submitted, escrowWaitMs);
  } finally {
    awaited.delete(id);
  }
}

const FIRST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 250;

/** True where the buyer has to confirm before the payment can go on. [G-39] */
function isChallenged(db: Services['db'], workspace: number, id: string): Promise<boolean> {
  return authenticationOf(db, workspace, invoiceOf(id, 'escrow')).then(
    (waits) => waits !== null,
    () => false,
  );
}

/**
 * Waits at most `waitMs` milliseconds for the processor; gives the outcome of the payment, also
 * when the escrow was committed meanwhile. A failed read is treated as "not known yet": the
 * caller's payment is under way. [G-34]
 */
async function outcomeOf(
  { db }: Services,
  { caller, params }: Move,
  submitted: EscrowRecord,
  waitMs: number,
): Promise<EscrowRecord> {
  const id = uuidOfWireId('esc', params.escrow_id) ?? '';
  const end = performance.now() + waitMs;
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
    const record = (await readPayment(db, caller.workspace, id).catch(() => null)) ?? submitted;
    const left = end - performance.now();
    if (record.status !== 'OPEN' || left <= 0) return record;
    if (await isChallenged(db, caller.workspace, id)) return record;
    await sleep(Math.min(pause, left));
  }
}

const commit = moveOf(
  'commitEscrow',
  'commit',
  'Pays the held money to sellers and integrator.',
  moveRefusals,
  (services, move) => run(services, commitEscrow, move, {}),
);

const cancel = moveOf(
  'cancelEscrow',
  'cancel',
  'Cancels an escrow and refunds the buyer in full.',
  moveRefusals,
  (services, move) => run(services, cancelEscrow, move, {}),
);

const get = operation({
  id: 'getEscrow',
  route: 'GET invoicing /v2/escrow/{escrow_id}',
  summary: 'Retrieves an escrow.',
  cites: 'seed: GET /v2/escrow/{escrow_id}',
  access: { client: 'read_invoices', session: 'read_invoice' },
  params: escrowPath,
  answers: { 200: escrowRecord },
  refusals: [no.ESCROW_NOT_FOUND],
  async run({ db }, { caller, params }) {
    const { workspace } = caller;
    const escrowId = uuidOfWireId('esc', params.escrow_id);
    const visibility = visibilityOf(caller);
    if (visibility !== null && escrowId !== null) {
      const invoice = await readInvoice(db, workspace, invoiceOf(escrowId, 'escrow'), visibility);
      if (invoice === null) throw refuse(no.ESCROW_NOT_FOUND);
    }
    return found(await readEscrow(db, workspace, escrowId), no.ESCROW_NOT_FOUND);
  },
});

const getByInvoice = operation({
  id: 'getEscrowByInvoice',
  route: 'GET invoicing /v2/escrow/by_invoice/{invoice_id}',
  summary: 'Finds an escrow by one of its invoices: of its payment, or of a movement.',
  cites: 'G-35',
  access: { client: 'read_invoices' },
  params: strictObject({ invoice_id: z.string() }),
  answers: { 200: escrowRecord },
  refusals: [no.ESCROW_NOT_FOUND],
  async run({ db }, { caller, params }) {
    const escrow = await escrowByInvoice(db, caller.workspace, params.invoice_id);
    return found(escrow, no.ESCROW_NOT_FOUND);
  },
});

export const operations = [create, pay, commit, cancel, ...parts, get, getByInvoice];
