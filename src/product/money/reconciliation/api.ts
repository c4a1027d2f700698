// Operations of reconciliation with their wire records: the list of open items, manual decisions,
// and provider webhooks, which are authenticated, taken once and never believed: the key that one
// names is retrieved from the processor. Amounts are minor units. [G-39, EV6]
import { z } from 'zod';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { optional, rawBody, reference, strictObject, text } from '../../../core/schema.ts';
import {
  operation,
  submit,
  type DomainOperation,
  type Sender,
  type Services,
} from '../../context.ts';
import { lookAgain, refusals as wallet, sweep } from '../wallet/index.ts';
import { explainDiscrepancy } from './discrepancy.ts';
import { refusals as no } from './refusals.ts';
import { countOpen, ITEM_KINDS, openItems, type ItemKind, type OpenItem } from './report.ts';
import {
  decideCharge,
  decidedItem,
  decideTransfer,
  DECISIONS,
  requireBook,
  type Decided,
  type DecidedItem,
} from './resolve.ts';
import { toWire } from '../../../core/money.ts';
import { prepared, type Database } from '../../../db/index.ts';
import type { Notice } from '../../../providers/processor/port.ts';
import { wakePayee } from '../payee/index.ts';
import { wakeStatements } from './statement.ts';

/** Stores an authenticated webhook and has its key retrieved; a repetition does nothing. */
export function takeNotice(db: Database, notice: Notice): Promise<void> {
  const { workspace, id, key, about } = notice;
  return db.transaction(async (tx) => {
    const fresh = await tx.execute(prepared('take_notice')`
      insert into processor_notice_seen (workspace, notice_id) values (${workspace}, ${id})
      on conflict do nothing`);
    if (fresh === 0) return;
    if (about === 'statement') await wakeStatements(tx, [workspace], 0);
    else if (about === 'payee') await wakePayee(tx, workspace, key);
    else if (isUuid(key)) await lookAgain(tx, workspace, [key]);
  });
}

const DECISION_NAMES = ['give_back', 'accept', 'retry', 'explained'] as const;

const resolveBody = strictObject({
  decision: z.enum(DECISION_NAMES),
  note: optional(text(1_000)),
});

const openItemRecord = z.strictObject({
  id: z.string(),
  kind: z.enum(ITEM_KINDS),
  why: z.string(),
  purpose: z.string(),
  resource_id: z.string(),
  currency: z.string(),
  amount: z.int(),
  statement_amount: z.int().nullable(),
  statement_currency: z.string().nullable(),
  processor_reference: z.string(),
  age_seconds: z.int(),
  decisions: z.array(z.enum(DECISION_NAMES)),
});

/** Open items, oldest first, and the count of each kind. */
const reconciliationRecord = z.strictObject({
  counts: z.strictObject(
    Object.fromEntries(ITEM_KINDS.map((kind) => [kind, z.int()])) as Record<ItemKind, z.ZodInt>,
  ),
  items: z.array(openItemRecord),
});

/** The state of an item after a decision. */
const resolutionRecord = z.strictObject({
  id: z.string(),
  kind: z.enum(Object.keys(DECISIONS) as (keyof typeof DECISIONS)[]),
  state: z.string(),
});

function renderItem(item: OpenItem): z.output<typeof openItemRecord> {
  const { id, kind, why, purpose, resource_id, currency, amount, shown_amount } = item;
  return {
    id,
    kind,
    why,
    purpose,
    resource_id,
    currency,
    amount: toWire(amount),
    statement_amount: shown_amount === null ? null : toWire(shown_amount),
    statement_currency: item.shown_currency,
    processor_reference: item.reference,
    age_seconds: item.age_seconds,
    // Money on its way back needs no decision.
    decisions:
      kind in DECISIONS && why !== 'double_capture'
        ? [...DECISIONS[kind as keyof typeof DECISIONS]]
        : [],
  };
}

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
    // The simulator signs the fields and not the bytes, so the strict reader may come first.
    const read = { headers, body: Buffer.from(JSON.stringify(body)) };
    const notice = processor.readNotice(read, null);
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
    if (connection === null) throw refuse(no.NOTICE_NOT_PROVEN);
    const { processor, workspace } = connection;
    const notice = processor.readNotice({ headers, body }, workspace);
    if (notice === null) throw refuse(no.NOTICE_NOT_PROVEN);
    await takeNotice(db, { ...notice, workspace });
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
