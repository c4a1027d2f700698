// The commands of payout files: collect, confirm, cancel, hand over, close. A file is handed over
// once; who made it never confirms it; a payout is in one live file at most. Pure. [G-91]
import { command, type Decision, type ReadSet } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import { settlePayout } from '../payout/index.ts';
import {
  handedOver,
  handOverTransfer,
  transferTable,
  type TransferAnswer,
} from '../wallet/index.ts';
import { payoutFileMachine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import {
  itemsOfFile,
  itemsOfTransfer,
  payoutFileItemTable,
  payoutFileTable,
  type PayoutFileItemRow,
  type PayoutFileRow,
} from './tables.ts';

/** A drafted file. */
export interface DraftedFile {
  readonly id: string;
  /** UUID of the operator. */
  readonly operator: string;
  readonly currency: string;
  readonly format: PayoutFileRow['format'];
  readonly transfers: readonly string[];
  readonly total: bigint;
  readonly sha256: string;
  /** `FileTerms` as JSON. */
  readonly terms: string;
  readonly drafted: Instant;
}

/** Stores a drafted file; refused where one of its payouts no longer waits. */
export const collectPayouts = command({
  name: 'collect_payouts',
  load(rows, { transfers }: DraftedFile) {
    return transfers.map((id) => {
      rows.read(transferTable, id);
      return { sent: rows.lock(transferTable, id), items: rows.find(itemsOfTransfer, id) };
    });
  },
  decide(decision, draft, loaded) {
    const { workspace, now } = decision;
    const { id, operator, currency, format, transfers, total, sha256, terms, drafted } = draft;
    let sum = 0n;
    for (const { sent, items } of loaded) {
      const waits = sent?.state === 'waiting' && sent.currency === currency;
      if (!waits || items.some(({ live }) => live)) throw refuse(no.PAYOUT_FILE_OUTDATED);
      sum += sent.amount;
    }
    if (sum !== total) throw refuse(no.PAYOUT_FILE_OUTDATED);
    decision.create(payoutFileMachine, payoutFileTable, 'collect', {
      ...{ workspace, id, currency, format, state: 'collected', version: 1 },
      ...{ made_by: operator, confirmed_by: null, transactions: transfers.length },
      ...{ total, sha256, terms, drafted, updated: now },
    });
    for (const [at, transfer_id] of transfers.entries()) {
      const item = derivedUuid(`payout file ${id} ${transfer_id}`);
      const place = { file_id: id, transfer_id, number: at + 1, live: true };
      decision.insert(payoutFileItemTable, { workspace, id: item, ...place });
    }
    return { status: 201, payload: null };
  },
});

/** A file and who acts on it. */
export interface FileAct {
  readonly fileId: string;
  /** UUID of the operator. */
  readonly operator: string;
}

/** A second operator's confirmation. */
export interface FileConfirmation extends FileAct {
  /** The digest that they were shown. */
  readonly sha256: string;
  /** Operators who created or reset this one, or whom this one created or reset. */
  readonly dependent: readonly string[];
}

function lockFile(rows: ReadSet, id: string): PayoutFileRow | null {
  rows.read(payoutFileTable, id);
  return rows.lock(payoutFileTable, id);
}

function lockItems(rows: ReadSet, fileId: string): readonly PayoutFileItemRow[] {
  const items = rows.find(itemsOfFile, fileId);
  for (const { id } of items) rows.lock(payoutFileItemTable, id);
  return items;
}

/** Confirms a file, by its digest; never by who made it. */
export const confirmPayoutFile = command({
  name: 'confirm_payout_file',
  load: (rows, { fileId }: FileConfirmation) => lockFile(rows, fileId),
  decide(decision, { operator, sha256, dependent }, file) {
    if (file === null) throw refuse(no.PAYOUT_FILE_NOT_FOUND);
    if (file.state !== 'collected') throw refuse(no.PAYOUT_FILE_CONFIRMED);
    if (file.made_by === operator || dependent.includes(file.made_by)) {
      throw refuse(no.PAYOUT_FILE_SECOND_PERSON);
    }
    if (file.sha256 !== sha256) throw refuse(no.PAYOUT_FILE_DIGEST);
    const patch = { confirmed_by: operator };
    move(decision, file, 'confirm', 'confirmed', patch);
    return { status: 200, payload: null };
  },
});

/** Cancels a file that was not handed over; its payouts wait again. */
export const cancelPayoutFile = command({
  name: 'cancel_payout_file',
  load(rows, { fileId }: Pick<FileAct, 'fileId'>) {
    return { file: lockFile(rows, fileId), items: lockItems(rows, fileId) };
  },
  decide(decision, _, { file, items }) {
    if (file === null) throw refuse(no.PAYOUT_FILE_NOT_FOUND);
    if (file.state === 'cancelled') throw refuse(no.PAYOUT_FILE_CANCELLED);
    if (file.state !== 'collected' && file.state !== 'confirmed') {
      throw refuse(no.PAYOUT_FILE_HANDED_OVER);
    }
    move(decision, file, 'cancel', 'cancelled');
    for (const { id } of items) decision.update(payoutFileItemTable, id, { live: false });
    return { status: 200, payload: null };
  },
});

function loadFile(rows: ReadSet, { fileId }: Pick<FileAct, 'fileId'>) {
  const file = lockFile(rows, fileId);
  const sent = rows.find(itemsOfFile, fileId).map(({ transfer_id: id }) => {
    rows.read(transferTable, id);
    return rows.lock(transferTable, id);
  });
  return { file, sent };
}

/** Hands a confirmed file over: its payouts leave the pending ones. A second time is refused. */
export const handOverPayoutFile = command({
  name: 'hand_over_payout_file',
  load: (rows, act: Pick<FileAct, 'fileId'>) => loadFile(rows, act),
  decide(decision, _, { file, sent }) {
    if (file === null) throw refuse(no.PAYOUT_FILE_NOT_FOUND);
    if (file.state === 'collected') throw refuse(no.PAYOUT_FILE_NOT_CONFIRMED);
    if (file.state === 'cancelled') throw refuse(no.PAYOUT_FILE_CANCELLED);
    if (file.state !== 'confirmed') throw refuse(no.PAYOUT_FILE_HANDED_OVER);
    for (const one of sent) {
      if (one?.state !== 'waiting') throw refuse(no.PAYOUT_FILE_OUTDATED);
      handOverTransfer(decision, one);
    }
    const version = move(decision, file, 'hand_over', 'handed_over');
    const { lineage } = decision;
    decision.post(file.id, version, handedOver(lineage, file.currency, file.total));
    return { status: 200, payload: null };
  },
});

/**
 * Declines a payout that no bank has seen: it waits, and stands in no live file. The database
 * refuses it where a file has collected it since the files were read. Payload false: none waits.
 */
export const rejectWaitingPayout = command({
  name: 'reject_waiting_payout',
  load(rows, answer: TransferAnswer) {
    const loaded = settlePayout.load(rows, answer);
    return { loaded, items: rows.find(itemsOfTransfer, answer.transferId) };
  },
  decide(decision, answer, { loaded, items }) {
    const waits = decision.get(transferTable, answer.transferId)?.state === 'waiting';
    if (!waits) return { status: 200, payload: false };
    if (items.some(({ live }) => live)) throw refuse(no.PAYOUT_IN_OPEN_FILE);
    settlePayout.decide(decision, answer, loaded);
    return { status: 200, payload: true };
  },
});

/** Closes a file in which nothing is open any more; else changes nothing. */
export const closePayoutFile = command({
  name: 'close_payout_file',
  load: (rows, act: Pick<FileAct, 'fileId'>) => loadFile(rows, act),
  decide(decision, _, { file, sent }) {
    const open = sent.filter((one) => one?.state === 'handed_over').length;
    if (file?.state === 'handed_over' && open === 0) move(decision, file, 'settle', 'settled');
    return { status: 200, payload: { open } };
  },
});

function move(
  decision: Decision,
  { id }: PayoutFileRow,
  ...rest:
    | ['confirm', 'confirmed', Partial<PayoutFileRow>]
    | ['cancel', 'cancelled']
    | ['hand_over', 'handed_over']
    | ['settle', 'settled']
): number {
  const [on, to, patch] = rest;
  return decision.move(payoutFileMachine, payoutFileTable, id, on, to, patch);
}
