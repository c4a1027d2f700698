// What operators do with incoming transfers: record one, give an open one to a wallet or to opening
// balances, confirm what another operator did, send one back, or say that it was recorded before.
// From a limit on, and for opening balances, a second person confirms, never the same one. [G-91]
import {
  command,
  EngineFault,
  type Command,
  type Decision,
  type ReadSet,
} from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { confirmProviderPayout, fundsIn, lockFunds } from '../treasury/index.ts';
import {
  answerOf,
  cover,
  credit,
  isBooked,
  needWallet,
  newRow,
  postBank,
  requireNewReference,
  requireWallet,
  see,
  type CreditTarget,
} from './decide.ts';
import { incomingMachine as machine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import {
  bankAccountTable,
  incomingTable,
  transfersOfReference,
  type IncomingRow,
} from './tables.ts';

/** An operator, and from which minor units on another one must confirm. */
interface ByOperator {
  readonly operatorId: string;
  readonly limit: bigint;
}

/** A transfer as the operator saw it. */
interface Seen {
  readonly transferId: string;
  readonly version: number;
}

/** The funds that any of this may change. */
function needFunds(rows: ReadSet, currency: string): void {
  lockFunds(rows, 'bank', currency);
  lockFunds(rows, 'elsewhere', currency);
}

/** Throws a Refusal where the wallet cannot be credited, or less is expected of openings. */
function requireTarget(
  decision: Decision,
  target: CreditTarget,
  currency: string,
  amount: bigint,
): void {
  if (target.walletId !== null) requireWallet(decision, target, currency, amount);
  else if (fundsIn(decision, 'elsewhere', currency) < amount) throw refuse(no.BANK_NOT_EXPECTED);
}

/** Opening balances are of many: they always take two. */
function needsSecond({ walletId, limit }: CreditTarget & ByOperator, amount: bigint): boolean {
  return walletId === null || amount >= limit;
}

/** A transfer that an operator records. */
export interface RecordedTransfer extends CreditTarget, ByOperator {
  readonly bankAccountId: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly bankReference: string;
  /** A day, as YYYY-MM-DD. */
  readonly valueDate: string;
}

/** Records a transfer by hand; from the limit on it waits for a second person. */
export const recordTransfer: Command<RecordedTransfer> = {
  name: 'record_bank_transfer',
  load(rows, { bankAccountId, walletId, bankReference }) {
    const bank = rows.read(bankAccountTable, bankAccountId);
    if (bank === null) return;
    rows.lock(bankAccountTable, bankAccountId);
    needFunds(rows, bank.currency);
    rows.find(transfersOfReference, bankReference);
    needWallet(rows, walletId);
  },
  decide(decision, input) {
    const { transferId: id, bankAccountId, walletId, amount, operatorId } = input;
    const { bankReference: bank_reference, valueDate: value_date } = input;
    const bank = decision.get(bankAccountTable, bankAccountId);
    if (bank === null) throw refuse(no.BANK_ACCOUNT_NOT_CONFIGURED);
    const { currency } = bank;
    const facts = { id, bank_account_id: bankAccountId, bank_reference, amount, value_date };
    requireNewReference(decision, facts);
    requireTarget(decision, input, currency, amount);
    const fresh = newRow(decision, { ...facts, currency });
    const more = { awaits: bankAccountId, wallet_id: walletId, operator_id: operatorId };
    const row = { ...fresh, ...more };
    if (needsSecond(input, amount)) {
      decision.create(machine, incomingTable, 'propose', { ...row, state: 'proposed' });
    } else {
      const credited = { ...row, state: 'credited' } as const;
      decision.create(machine, incomingTable, 'record', credited);
      credit(decision, input, row, 'bank');
    }
    return answerOf(decision, id);
  },
};

/** The transfer, still as it was seen. */
function seen(decision: Decision, { transferId, version }: Seen): IncomingRow {
  const row = decision.get(incomingTable, transferId);
  if (row === null) throw refuse(no.BANK_TRANSFER_NOT_FOUND);
  if (row.version !== version) throw refuse(no.BANK_TRANSFER_CHANGED);
  return row;
}

function requireState(row: IncomingRow, ...states: readonly IncomingRow['state'][]): void {
  if (!states.includes(row.state)) throw refuse(no.BANK_TRANSFER_CHANGED);
}

function needTransfer(rows: ReadSet, id: string): IncomingRow | null {
  const row = rows.read(incomingTable, id);
  if (row === null) return null;
  rows.lock(bankAccountTable, row.bank_account_id);
  needFunds(rows, row.currency);
  return rows.lock(incomingTable, id);
}

/** Gives an open transfer to a wallet or to opening balances; perhaps a second person confirms. */
export const allocateTransfer: Command<CreditTarget & ByOperator & Seen> = {
  name: 'allocate_bank_transfer',
  load(rows, { transferId, walletId }) {
    needTransfer(rows, transferId);
    needWallet(rows, walletId);
  },
  decide(decision, input) {
    const row = seen(decision, input);
    requireState(row, 'unallocated');
    requireTarget(decision, input, row.currency, row.amount);
    const patch = { wallet_id: input.walletId, operator_id: input.operatorId };
    if (needsSecond(input, row.amount)) {
      decision.move(machine, incomingTable, row.id, 'propose', 'allocating', patch);
    } else {
      decision.move(machine, incomingTable, row.id, 'allocate', 'credited', patch);
      credit(decision, input, row, 'bank_unallocated');
    }
    return answerOf(decision, row.id);
  },
};

/** The word of a second operator. */
export interface SecondWord extends Omit<CreditTarget, 'walletId'>, Seen {
  readonly operatorId: string;
  readonly agrees: boolean;
  /** Operators who depend on this one, or this one on them. */
  readonly dependent: readonly string[];
}

/** Confirms or rejects what another operator recorded or proposed. */
export const secondTransfer: Command<SecondWord> = {
  name: 'second_bank_transfer',
  load(rows, { transferId }) {
    const row = needTransfer(rows, transferId);
    if (row === null) return;
    rows.find(transfersOfReference, row.bank_reference);
    needWallet(rows, row.wallet_id);
  },
  decide(decision, input) {
    const row = seen(decision, input);
    requireState(row, 'proposed', 'allocating');
    const { id, operator_id: first } = row;
    if (first === null) throw new EngineFault('nobody proposed this');
    if (first === input.operatorId) throw refuse(no.BANK_SAME_PERSON);
    if (input.dependent.includes(first)) throw refuse(no.BANK_NOT_INDEPENDENT);
    if (input.agrees) confirm(decision, row, input);
    else if (row.state === 'proposed') {
      decision.move(machine, incomingTable, id, 'reject', 'rejected', { awaits: null });
    } else {
      const patch = { wallet_id: null, operator_id: null };
      decision.move(machine, incomingTable, id, 'reject', 'unallocated', patch);
    }
    return answerOf(decision, id);
  },
};

function confirm(decision: Decision, row: IncomingRow, input: SecondWord): void {
  const target = { ...input, walletId: row.wallet_id };
  const isNew = row.state === 'proposed';
  // The statement may have come in between.
  if (isNew) requireNewReference(decision, row);
  requireTarget(decision, target, row.currency, row.amount);
  const source = isNew ? 'bank' : 'bank_unallocated';
  if (row.wallet_id === null) {
    const version = decision.move(machine, incomingTable, row.id, 'cover', 'covered');
    cover(decision, row, version, source);
    return;
  }
  decision.move(machine, incomingTable, row.id, 'confirm', 'credited');
  credit(decision, target, row, source);
}

/** Marks an open transfer as one to send back, or takes the mark away. */
export const sendTransferBack: Command<Seen & { readonly back: boolean }> = {
  name: 'send_bank_transfer_back',
  load: (rows, { transferId }) => needTransfer(rows, transferId),
  decide(decision, input) {
    const row = seen(decision, input);
    requireState(row, input.back ? 'unallocated' : 'returning');
    if (input.back) decision.move(machine, incomingTable, row.id, 'send_back', 'returning');
    else decision.move(machine, incomingTable, row.id, 'keep', 'unallocated');
    return answerOf(decision, row.id);
  },
};

/** Says that an open transfer is one that an operator had recorded: the second booking goes. */
export const sameTransfer: Command<Seen & { readonly recordedId: string }> = {
  name: 'same_bank_transfer',
  load(rows, { transferId, recordedId }) {
    needTransfer(rows, transferId);
    needTransfer(rows, recordedId);
  },
  decide(decision, input) {
    const row = seen(decision, input);
    requireState(row, 'unallocated');
    const recorded = decision.get(incomingTable, input.recordedId);
    const fits = recorded?.awaits === row.bank_account_id && recorded.amount === row.amount;
    if (!fits || !isBooked(recorded)) throw refuse(no.BANK_TRANSFER_NOT_FOUND);
    const detail = { recorded_id: recorded.id };
    const version = decision.move(
      ...([machine, incomingTable, row.id, 'same', 'duplicate', {}, detail] as const),
    );
    postBank(decision, row, version, -row.amount);
    see(decision, recorded, { awaits: null });
    return answerOf(decision, row.id);
  },
};

/** Says that an open transfer is one of the processor, whose reference the bank left out. */
export const processorTransfer = command({
  name: 'processor_bank_transfer',
  load(rows, { transferId, settlementId }: Seen & { readonly settlementId: string }) {
    const row = needTransfer(rows, transferId);
    if (row === null) return null;
    const { amount, currency } = row;
    return confirmProviderPayout.load(rows, { settlementId, amount, currency });
  },
  decide(decision, input, loaded) {
    const row = seen(decision, input);
    requireState(row, 'unallocated');
    const { settlementId } = input;
    const { id, amount, currency } = row;
    const detail = { settlement_id: settlementId };
    const version = decision.move(
      ...([machine, incomingTable, id, 'from_processor', 'duplicate', {}, detail] as const),
    );
    postBank(decision, row, version, -amount);
    const arrival = { settlementId, amount, currency };
    const { payload } = confirmProviderPayout.decide(decision, arrival, loaded);
    if (payload !== true) throw refuse(no.BANK_TRANSFER_CHANGED);
    return answerOf(decision, id);
  },
});
