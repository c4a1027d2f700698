// Operations of reconciliation: provider webhooks, the list of open items, manual decisions. [G-39]
import { z } from 'zod';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { rawBody, reference, strictObject } from '../../../core/schema.ts';
import {
  operation,
  submit,
  type DomainOperation,
  type Sender,
  type Services,
} from '../../context.ts';
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

const takeConnectionNotice = operation({
  id: 'takeConnectionNotice',
  route: 'POST payments /v1/processor_notices/{connection_id}',
  summary: "Receives a webhook of a tenant's card processor, as it was sent.",
  cites: 'G-90',
  access: 'public',
  params: strictObject({ connection_id: reference() }),
  accepts: 'bytes',
  body: rawBody,
  bodyLimit: NOTICE_BYTES,
  answers: { 200: strictObject({}) },
  refusals: [no.NOTICE_NOT_PROVEN],
  async run({ db, providers }, { params, headers, body }) {
    const connection = await providers.connection('processor', params.connection_id);
    const notice = connection?.processor.readNotice(headers, body) ?? null;
    if (connection === null || notice === null) throw refuse(no.NOTICE_NOT_PROVEN);
    await takeNotice(db, { ...notice, workspace: connection.workspace });
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
  async run(services, request) {
    const { workspace } = request.caller;
    const { decision, note = '' } = request.body;
    const id = request.params.item_id;
    const item = isUuid(id) ? await decidedItem(services.db, workspace, id) : null;
    if (item === null) throw refuse(no.RECONCILIATION_ITEM_NOT_FOUND);
    if (!(DECISIONS[item.kind] as readonly Decided[]).includes(decision)) {
      throw refuse(no.DECISION_NOT_POSSIBLE, { decision: 'is not available for this item' });
    }
    if (item.kind === 'difference' && note.trim() === '') {
      throw refuse(no.NOTE_REQUIRED, { note: 'is required' });
    }
    await requireBook(services.processor, workspace, item, decision);
    const answer = await decide(services, request, item, decision, note);
    // Starts at once what is to be given back or sent again; the sweeper would find it too.
    await sweep(services.db);
    return answer;
  },
});

function decide(
  services: Services,
  sender: Sender,
  { kind, id, purpose }: DecidedItem,
  decision: Decided,
  note: string,
) {
  if (kind === 'difference') return submit(services, sender, explainDiscrepancy, { id, note });
  if (kind === 'parked_charge') {
    const state = decision === 'accept' ? 'accept_decided' : 'give_back_decided';
    const input = { attemptId: id, outcome: { state } } as const;
    return submit(services, sender, decideCharge(purpose), input);
  }
  const outcome =
    decision === 'accept'
      ? ({ state: 'accept_decided' } as const)
      : ({ state: 'retry_decided', newId: services.random.uuid() } as const);
  return submit(services, sender, decideTransfer(purpose), { transferId: id, outcome });
}

export const operations: readonly DomainOperation[] = [
  takeProcessorNotice,
  takeConnectionNotice,
  getReconciliation,
  resolveReconciliation,
];
