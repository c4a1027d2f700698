// Operations of reconciliation: provider webhooks, the list of open items, manual decisions. [G-39]
import { z } from 'zod';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { reference, strictObject } from '../../../core/schema.ts';
import { actorOf, operation, type DomainOperation, type Services } from '../../context.ts';
import { refusals as wallet, sweep } from '../wallet/index.ts';
import { explainDiscrepancy } from './discrepancy.ts';
import { takeNotice } from './notices.ts';
import { refusals as no } from './refusals.ts';
import { countOpen, openItems } from './report.ts';
import {
  decideCharge,
  decidedItem,
  decideTransfer,
  DECISIONS,
  requireBook,
  type Decided,
  type DecidedItem,
} from './resolve.ts';
import {
  reconciliationRecord,
  renderItem,
  resolutionRecord,
  resolveBody,
} from './schema.ts';

const NOTICE_BYTES = 65_536;
const MOST_ITEMS = 500;

const takeProcessorNotice = operation({
  id: 'takeProcessorNotice',
  route: 'POST payments /v1/processor_notices',
  highPriority: true,
  summary: 'Receives a webhook of the processor; the change is then retrieved from the processor.',
  cites: 'EV6',
  access: 'public',
  body: z.record(z.string(), z.unknown()),
  bodyLimit: NOTICE_BYTES,
  answers: { 200: strictObject({}) },
  refusals: [no.NOTICE_NOT_PROVEN],
  async run({ db, processor }, { headers, body }) {
    const notice = processor.readNotice(headers, body);
    if (notice === null) throw refuse(no.NOTICE_NOT_PROVEN);
    await takeNotice(db, notice);
    return { status: 200, payload: {} };
  },
});

const getReconciliation = operation({
  id: 'getReconciliation',
  route: 'GET payments /v1/reconciliation',
  summary: 'Lists up to 500 items that are open at the processor or lack funds, oldest first.',
  cites: 'M18',
  access: { client: 'read_process_credits' },
  answers: { 200: reconciliationRecord },
  async run({ db }, { caller }) {
    const items = await openItems(db, caller.workspace, MOST_ITEMS);
    const counts = await countOpen(db, caller.workspace);
    return { status: 200, payload: { counts, items: items.map(renderItem) } };
  },
});

const resolveReconciliation = operation({
  id: 'resolveReconciliation',
  route: 'POST payments /v1/reconciliation/{item_id}/resolve',
  summary: 'Resolves a charge, refund or payout in manual review, or explains a discrepancy.',
  cites: 'G-39',
  access: { client: 'write_process_credits' },
  params: strictObject({ item_id: reference() }),
  body: resolveBody,
  answers: { 200: resolutionRecord },
  refusals: Object.values(no)
    .filter((spec) => spec !== no.NOTICE_NOT_PROVEN)
    .concat(wallet.PARKED_TOO_LATE),
  async run(services, { caller, params, body, idempotency }) {
    const { workspace } = caller;
    const { decision, note = '' } = body;
    const id = params.item_id;
    const item = isUuid(id) ? await decidedItem(services.db, workspace, id) : null;
    if (item === null) throw refuse(no.RECONCILIATION_ITEM_NOT_FOUND);
    if (!(DECISIONS[item.kind] as readonly Decided[]).includes(decision)) {
      throw refuse(no.DECISION_NOT_POSSIBLE, { decision: 'is not available for this item' });
    }
    if (item.kind === 'difference' && note.trim() === '') {
      throw refuse(no.NOTE_REQUIRED, { note: 'is required' });
    }
    await requireBook(services.processor, workspace, item, decision);
    const { status, payload } = await submit(services, item, decision, note, {
      workspace,
      actor: actorOf(caller),
      idempotency,
    });
    // Starts at once what is to be given back or sent again; the sweeper would find it too.
    await sweep(services.db);
    return { status, payload };
  },
});

type Submission = Parameters<Services['engine']['run']>[2];

function submit(
  { engine, random }: Services,
  { kind, id, purpose }: DecidedItem,
  decision: Decided,
  note: string,
  submission: Submission,
) {
  if (kind === 'difference') return engine.run(explainDiscrepancy, { id, note }, submission);
  if (kind === 'parked_charge') {
    const state = decision === 'accept' ? 'accept_decided' : 'give_back_decided';
    return engine.run(decideCharge(purpose), { attemptId: id, outcome: { state } }, submission);
  }
  const outcome =
    decision === 'accept'
      ? ({ state: 'accept_decided' } as const)
      : ({ state: 'retry_decided', newId: random.uuid() } as const);
  return engine.run(decideTransfer(purpose), { transferId: id, outcome }, submission);
}

export const operations: readonly DomainOperation[] = [
  takeProcessorNotice,
  getReconciliation,
  resolveReconciliation,
];
