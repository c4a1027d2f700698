// What operators say of rows of a statement that settle nothing of ours: a fee or interest of the
// bank, a payment of the tenant itself, or a credit that the bank took back. From the limit on a
// second person confirms. Each is booked once, with its row locked. [G-91]
import { command, type Decision, type ReadSet } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { systemAccount, type SystemAccountKind } from '../../../ledger/index.ts';
import { addFunds, lockFunds } from '../treasury/index.ts';
import { isBooked, postBank } from './decide.ts';
import { bookingMachine, incomingMachine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import {
  bankAccountTable,
  bankBookingTable,
  bankEntryTable,
  bookingsOfEntry,
  bookingsOfTransfer,
  incomingTable,
  transfersOfEntry,
  type BankBookingRow,
  type IncomingRow,
} from './tables.ts';

/** Where the other side of a row goes. */
const ACCOUNTS: Readonly<Record<BankBookingRow['kind'], SystemAccountKind>> = {
  bank_fee: 'bank_fees',
  own_payment: 'own_payments',
  reversal: 'bank_reversals',
};

/** What is the tenant's own in the books, with the version of the bank's funds at that moment. */
export interface OwnMoney {
  readonly own: bigint;
  readonly fundsVersion: number;
}

/** What an operator says of a row. */
export interface RowDecision extends OwnMoney {
  readonly bookingId: string;
  readonly entryId: string;
  readonly kind: BankBookingRow['kind'];
  /** The credit that was taken back; null for the other kinds. */
  readonly transferId: string | null;
  readonly operatorId: string;
  readonly limit: bigint;
}

/** Locks a row with what a decision about it changes; gives the version of the bank's funds. */
function needRow(rows: ReadSet, entryId: string, transferId: string | null): number {
  const entry = rows.read(bankEntryTable, entryId);
  if (entry === null) return 0;
  rows.lock(bankAccountTable, entry.bank_account_id);
  rows.lock(bankEntryTable, entryId);
  rows.find(bookingsOfEntry, entryId);
  for (const { id } of rows.find(transfersOfEntry, entryId)) rows.lock(incomingTable, id);
  if (transferId !== null && rows.read(incomingTable, transferId) !== null) {
    rows.lock(incomingTable, transferId);
    rows.find(bookingsOfTransfer, transferId);
  }
  return lockFunds(rows, 'bank', entry.currency)?.version ?? 0;
}

const isOpen = ({ state }: IncomingRow): boolean => ['unallocated', 'returning'].includes(state);

/** The transfer of a credit, still open, or the one that a debit takes back; null for others. */
function transferOf(decision: Decision, row: BankBookingRow): IncomingRow | null {
  const entry = decision.get(bankEntryTable, row.entry_id);
  if (row.amount > 0n) {
    const [taken] = decision.find(transfersOfEntry, row.entry_id);
    if (row.kind === 'reversal' || taken === undefined) throw refuse(no.BANK_ROW_OTHER_KIND);
    if (taken.state !== 'unallocated') throw refuse(no.BANK_ROW_CHANGED);
    return taken;
  }
  if (row.kind !== 'reversal') return null;
  const named = row.transfer_id === null ? null : decision.get(incomingTable, row.transfer_id);
  const fits = named?.amount === -row.amount && named.bank_account_id === entry?.bank_account_id;
  if (!fits || !(isOpen(named) || isBooked(named))) throw refuse(no.BANK_TRANSFER_NOT_FOUND);
  const before = decision.find(bookingsOfTransfer, named.id);
  const again = before.some(({ id, state }) => id !== row.id && state !== 'rejected');
  if (again) throw refuse(no.BANK_ROW_CHANGED);
  return named;
}

/** Throws a Refusal where the row cannot be this; gives the transfer that it changes. */
function requireRow(
  decision: Decision,
  row: BankBookingRow,
  { own, fundsVersion }: OwnMoney,
  fundsNow: number,
): IncomingRow | null {
  const entry = decision.get(bankEntryTable, row.entry_id);
  const others = decision.find(bookingsOfEntry, row.entry_id);
  const decided = others.some(({ id, state }) => id !== row.id && state !== 'rejected');
  if (entry?.settles !== null || decided) throw refuse(no.BANK_ROW_CHANGED);
  const transfer = transferOf(decision, row);
  if (row.kind === 'own_payment' && row.amount < 0n) {
    // Another row was booked since our own money was summed up.
    if (fundsVersion !== fundsNow) throw refuse(no.BANK_ROW_CHANGED);
    if (own < -row.amount) throw refuse(no.BANK_NOT_OWN);
  }
  return transfer;
}

/** Books a row: out of what waited for its owner, or between the bank and what is our own. */
function book(
  decision: Decision,
  row: BankBookingRow,
  version: number,
  transfer: IncomingRow | null,
): void {
  const { id, entry_id, kind, currency, amount } = row;
  decision.update(bankEntryTable, entry_id, { settles: kind });
  const open = transfer !== null && isOpen(transfer);
  if (open) {
    const detail = { booking_id: id };
    const closed = amount > 0n
      ? decision.move(incomingMachine, incomingTable, transfer.id, 'own', 'duplicate', {}, detail)
      : decision.move(incomingMachine, incomingTable, transfer.id, 'take', 'returned', {}, detail);
    postBank(decision, transfer, closed, -transfer.amount);
  }
  // What nobody had is out of the books with its transfer.
  const gone = open && kind === 'reversal';
  decision.post(id, version, gone ? [] : [
    systemAccount(decision.lineage, 'bank', currency, -amount),
    systemAccount(decision.lineage, ACCOUNTS[kind], currency, amount),
  ]);
  if (!gone) addFunds(decision, 'bank', currency, amount);
}

function answer(id: string, state: BankBookingRow['state']) {
  return { status: 200, payload: { booking_id: id, state } };
}

/** Says what a row is, and books it; from the limit on it waits for a second person. */
export const decideRow = command({
  name: 'decide_bank_row',
  load: (rows, { entryId, transferId }: RowDecision) => needRow(rows, entryId, transferId),
  decide(decision, input, fundsNow) {
    const entry = decision.get(bankEntryTable, input.entryId);
    if (entry === null) throw refuse(no.BANK_ROW_NOT_FOUND);
    const { bookingId: id, kind, operatorId: operator_id, limit } = input;
    const { workspace, now } = decision;
    const amount = entry.direction === 'credit' ? entry.amount : -entry.amount;
    const [taken] = decision.find(transfersOfEntry, entry.id);
    const row = {
      ...{ workspace, id, entry_id: entry.id, kind, currency: entry.currency, amount },
      transfer_id: kind === 'reversal' ? input.transferId : (taken?.id ?? null),
      ...{ operator_id, version: 1, updated: now },
    };
    const transfer = requireRow(decision, { ...row, state: 'booked' }, input, fundsNow);
    if (entry.amount >= limit) {
      const proposed = { ...row, state: 'proposed' } as const;
      decision.create(bookingMachine, bankBookingTable, 'propose', proposed);
      return answer(id, 'proposed');
    }
    const booked = { ...row, state: 'booked' } as const;
    decision.create(bookingMachine, bankBookingTable, 'book', booked);
    book(decision, booked, 1, transfer);
    return answer(id, 'booked');
  },
});

/** The word of a second operator about what the first one said of a row. */
export interface RowSecond extends OwnMoney {
  readonly bookingId: string;
  readonly operatorId: string;
  readonly agrees: boolean;
  /** Operators who depend on this one, or this one on them. */
  readonly dependent: readonly string[];
}

/** Confirms or rejects what another operator said of a row. */
export const secondRow = command({
  name: 'second_bank_row',
  load(rows, { bookingId }: RowSecond) {
    const row = rows.read(bankBookingTable, bookingId);
    if (row === null) return 0;
    rows.lock(bankBookingTable, bookingId);
    return needRow(rows, row.entry_id, row.transfer_id);
  },
  decide(decision, input, fundsNow) {
    const row = decision.get(bankBookingTable, input.bookingId);
    if (row === null) throw refuse(no.BANK_ROW_NOT_FOUND);
    if (row.state !== 'proposed') throw refuse(no.BANK_ROW_CHANGED);
    const { id, operator_id: first } = row;
    if (first === input.operatorId) throw refuse(no.BANK_SAME_PERSON);
    if (input.dependent.includes(first)) throw refuse(no.BANK_NOT_INDEPENDENT);
    if (!input.agrees) {
      decision.move(bookingMachine, bankBookingTable, id, 'reject', 'rejected');
      return answer(id, 'rejected');
    }
    const transfer = requireRow(decision, row, input, fundsNow);
    const version = decision.move(bookingMachine, bankBookingTable, id, 'confirm', 'booked');
    book(decision, row, version, transfer);
    return answer(id, 'booked');
  },
});
