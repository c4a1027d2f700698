// Commands about statement rows that our books do not explain: a discrepancy is found, matched
// after all, explained by a person, or is a second capture that is sent back. A late or repeated
// command changes nothing. [M18]
import { EngineFault, type Command, type Decision } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { systemAccount } from '../../../ledger/index.ts';
import {
  applyTransfer,
  attemptTable,
  beginTransfer,
  transferTable,
  type TransferAnswer,
} from '../wallet/index.ts';
import { discrepancyMachine as machine, type DifferenceState } from './machine.ts';
import { refusals } from './refusals.ts';
import { discrepancyTable, statementLineTable, type StatementLineRow } from './tables.ts';

/** A statement row and why it gets its verdict. */
export interface LineVerdict {
  readonly lineId: string;
  readonly why: string;
}

const NOTHING = { status: 200, payload: null } as const;

function lineOf(decision: Decision, id: string): StatementLineRow {
  const line = decision.get(statementLineTable, id);
  if (line === null) throw new EngineFault('a verdict names no line');
  return line;
}

const load: Command<{ readonly lineId: string }>['load'] = (rows, { lineId }) => {
  rows.lock(statementLineTable, lineId);
  rows.read(discrepancyTable, lineId);
  rows.lock(discrepancyTable, lineId);
};

/** Turns a waiting statement row into a discrepancy. */
export const findDiscrepancy: Command<LineVerdict> = {
  name: 'find_difference',
  highPriority: true,
  load,
  decide(decision, { lineId, why }) {
    const line = lineOf(decision, lineId);
    if (line.verdict === 'waiting') begin(decision, line, 'find', 'found', why);
    return NOTHING;
  },
};

/** Marks a statement row as matched by our books, also one that was a discrepancy. */
export const matchLine: Command<LineVerdict> = {
  name: 'match_line',
  highPriority: true,
  load,
  decide(decision, { lineId, why }) {
    const line = lineOf(decision, lineId);
    if (line.verdict === 'matched') return NOTHING;
    const found = line.verdict === 'difference' ? decision.get(discrepancyTable, lineId) : null;
    if (line.verdict === 'difference' && found?.state !== 'found') return NOTHING;
    decision.update(statementLineTable, lineId, { verdict: 'matched', why });
    if (found !== null) {
      decision.move(machine, discrepancyTable, lineId, 'match', 'explained', {}, { why });
    }
    return NOTHING;
  },
};

/** A second capture under one key: booked as unexplained, and sent back. [U17] */
export const returnSecondCapture: Command<{ readonly lineId: string }> = {
  name: 'return_second_capture',
  highPriority: true,
  load(rows, input) {
    load(rows, input);
    const line = rows.read(statementLineTable, input.lineId);
    if (line?.subject) rows.lock(attemptTable, line.subject);
  },
  decide(decision, { lineId }) {
    const line = lineOf(decision, lineId);
    const charge = line.subject === null ? null : decision.get(attemptTable, line.subject);
    const known = decision.get(discrepancyTable, lineId);
    const open = line.verdict === 'waiting' || known?.state === 'found';
    if (!open || charge?.state !== 'captured') return NOTHING;
    const why = 'double_capture';
    let version = 1;
    if (known === null) begin(decision, line, 'give_back', 'returning', why);
    else {
      const patch = { why };
      version = decision.move(machine, discrepancyTable, lineId, 'give_back', 'returning', patch);
      decision.update(statementLineTable, lineId, { why });
    }
    const { currency, amount } = line;
    decision.post(lineId, version, [
      systemAccount(decision.lineage, 'processor_clearing', currency, -amount),
      systemAccount(decision.lineage, 'unexplained', currency, amount),
    ]);
    beginTransfer(decision, {
      id: derivedUuid(`double_capture/${decision.lineage}/${lineId}`),
      purpose: 'double_capture',
      resourceId: lineId,
      kind: 'refund',
      target: charge.id,
      methodId: charge.payment_method_id,
      currency,
      amount,
    });
    return NOTHING;
  },
};

/** Records what became of a returned second capture; a declined return goes to manual review. */
export const settleSecondCapture: Command<TransferAnswer> = {
  name: 'settle_second_capture',
  highPriority: true,
  load(rows, { transferId }) {
    const sent = rows.read(transferTable, transferId);
    if (!sent) return;
    rows.lock(transferTable, transferId);
    rows.lock(discrepancyTable, sent.resource_id);
  },
  decide(decision, answer) {
    const progress = applyTransfer(decision, answer, true);
    const sent = decision.get(transferTable, answer.transferId);
    if (sent === null) throw new EngineFault('an answer names no transfer');
    const { resource_id: id, currency, amount } = sent;
    const row = decision.get(discrepancyTable, id);
    if (progress.kind !== 'paid' || row?.state !== 'returning') return NOTHING;
    const version = decision.move(machine, discrepancyTable, id, 'given_back', 'explained');
    decision.post(id, version, [
      systemAccount(decision.lineage, 'unexplained', currency, -amount),
      systemAccount(decision.lineage, 'processor_clearing', currency, amount),
    ]);
    return NOTHING;
  },
};

/** A person explained a discrepancy; no money moves, the history keeps who and when. */
export const explainDiscrepancy: Command<{ readonly id: string; readonly note: string }> = {
  name: 'explain_difference',
  load: (rows, { id }) => rows.lock(discrepancyTable, id),
  decide(decision, { id, note }) {
    const row = decision.get(discrepancyTable, id);
    if (row?.state !== 'found') throw refuse(refusals.ITEM_NOT_OPEN);
    decision.move(machine, discrepancyTable, id, 'explain', 'explained', {}, { note });
    return { status: 200, payload: { id, kind: 'difference', state: 'explained' } };
  },
};

function begin(
  decision: Decision,
  line: StatementLineRow,
  on: 'find' | 'give_back',
  state: DifferenceState,
  why: string,
): void {
  const { workspace, id, currency, amount } = line;
  const row = { workspace, id, why, currency, amount, state, version: 1, updated: decision.now };
  decision.create(machine, discrepancyTable, on, row, { why });
  decision.update(statementLineTable, id, { verdict: 'difference', why });
}
