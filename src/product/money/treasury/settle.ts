// The commands that book statement rows: each row once, its fee when it is read and its money when
// it is available. What the row is about is looked up by who calls. Pure. [G-91]
import {
  command,
  type Decision,
  type Engine,
  type ReadSet,
  type Submission,
} from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import { LINE_KINDS, type StatementLine } from '../../../providers/processor/port.ts';
import { addFunds, endHold, fundsId, lockFunds, lockHold } from './funds.ts';
import { settlementMachine as machine } from './machine.ts';
import { arriveAtBank, bookFee, loseFee, makeAvailable } from './postings.ts';
import {
  fundsTable,
  settlementsByReference,
  settlementsOfCharge,
  settlementTable,
  type Place,
  type SettlementRow,
} from './tables.ts';

/** A statement row to be booked. */
export interface StatementFacts {
  /** Id of the stored statement row. */
  readonly id: string;
  readonly kind: StatementLine['kind'];
  readonly reference: string;
  /** Minor units, positive, as in the statement. */
  readonly amount: bigint;
  readonly currency: string;
  readonly fee: bigint;
  readonly available_at: Instant | null;
  /** Of a capture or a refund: the charge. */
  readonly charge_id: string | null;
  /** Of a payout: the outbound transfer. */
  readonly transfer_id: string | null;
  /** True once a transfer to our bank is known to exceed what is available. */
  readonly overdue: boolean;
}

/** What a row moves at the processor: 1 in, -1 out, 0 nothing. */
const DIRECTION: Readonly<Record<StatementLine['kind'], bigint>> = {
  capture: 1n,
  refund: -1n,
  payout: -1n,
  payout_return: 1n,
  chargeback: -1n,
  return: -1n,
  dispute_under_review: 0n,
  dispute_won: 1n,
  dispute_lost: 0n,
  dispute_withdrawn: 1n,
  fee: -1n,
  provider_payout: -1n,
  provider_payout_returned: 1n,
};

/** Kinds that are booked at once: of what is in doubt, we have less. */
export const BOOKED_AT_ONCE: readonly string[] = LINE_KINDS.filter(
  (kind) => DIRECTION[kind] < 0n || kind === 'provider_payout_returned',
);

/** Its id: one for each statement row. */
const settlementId = (lineId: string): string => derivedUuid(`settlement/${lineId}`);

const inTransit = (row: SettlementRow): boolean => row.state === 'in_transit';

/** Locks the transfer to our bank that a row brings back; null for other rows. */
function loadDeparted(rows: ReadSet, facts: StatementFacts): SettlementRow | null {
  if (facts.kind !== 'provider_payout_returned') return null;
  const sent = rows
    .find(settlementsByReference, facts.reference)
    .find((row) => inTransit(row) && row.amount === -facts.amount);
  return sent?.currency === facts.currency ? rows.lock(settlementTable, sent.id) : null;
}

/**
 * Books a statement row, once. The payload is false for a transfer to our bank that is larger than
 * what is available, until that is a known discrepancy, and for the return of one that is not under
 * way: they wait. A dispute may have taken the money after it left. Sellers who are paid by bank do
 * not wait for later sales: funds go below zero, and payouts at the processor wait.
 */
export const bookStatementRow = command({
  name: 'book_statement_row',
  batchable: true,
  highPriority: true,
  load(rows, facts: StatementFacts) {
    const funds = lockFunds(rows, 'processor', facts.currency);
    if (facts.transfer_id !== null) lockHold(rows, facts.transfer_id);
    const known = rows.read(settlementTable, settlementId(facts.id));
    const charge = facts.charge_id;
    const ofCharge = charge === null ? [] : rows.find(settlementsOfCharge, charge);
    for (const { id, kind } of ofCharge) if (kind === 'capture') rows.lock(settlementTable, id);
    const sent = loadDeparted(rows, facts);
    return { known, funds, sent };
  },
  decide(decision, facts, { known, funds, sent }) {
    const answer = (payload: boolean) => ({ status: 200, payload });
    if (known !== null) return answer(true);
    const row = settlementOf(decision, facts);
    if (facts.kind === 'provider_payout') {
      const covered = (funds?.available ?? 0n) >= facts.amount + facts.fee;
      if (!covered && !facts.overdue) return answer(false);
    } else if (facts.kind === 'provider_payout_returned') {
      if (!sent) return answer(false);
      decision.move(machine, settlementTable, sent.id, 'return', 'returned');
    }
    create(decision, row);
    if (row.state !== 'pending') moveFunds(decision, row, facts.transfer_id);
    // From the first row on payouts wait for money, also while all of it is pending.
    else if (funds === null) addFunds(decision, 'processor', facts.currency, 0n);
    return answer(true);
  },
});

function settlementOf(decision: Decision, facts: StatementFacts): SettlementRow {
  const { id: line_id, kind, charge_id, reference, currency, amount, fee } = facts;
  const { available_at } = facts;
  const own = kind === 'fee' || kind.startsWith('provider_payout');
  const due = own || available_at === null || available_at <= decision.now ? null : available_at;
  const now = kind === 'provider_payout' ? 'in_transit' : 'available';
  return {
    workspace: decision.workspace,
    ...{ id: settlementId(line_id), line_id, kind, charge_id, reference, currency, fee, due },
    amount: DIRECTION[kind] * amount,
    unreturned: 0n,
    state: due === null ? now : 'pending',
    version: 1,
    updated: decision.now,
  };
}

function create(decision: Decision, row: SettlementRow): void {
  const { lineage } = decision;
  const { lost, unreturned } = loseFees(decision, row);
  const born = { ...row, unreturned };
  const { state } = row;
  if (state === 'pending') {
    decision.create(machine, settlementTable, 'report', { ...born, state });
  } else if (state === 'in_transit') {
    decision.create(machine, settlementTable, 'depart', { ...born, state });
  } else {
    decision.create(machine, settlementTable, 'settle', { ...born, state: 'available' });
  }
  const entries =
    state === 'pending' ? bookFee(lineage, row) : makeAvailable(lineage, row, false);
  decision.post(row.id, 1, [...entries, ...loseFee(lineage, row.currency, lost)]);
}

/** Adds what a row made available; its hold, if it had one, has done its work. */
function moveFunds(decision: Decision, row: SettlementRow, transferId: string | null): void {
  if (transferId !== null) endHold(decision, transferId, 'spent');
  addFunds(decision, 'processor', row.currency, row.amount - row.fee);
}

/**
 * How much more of a charge's fee is lost with this row, in proportion to what was refunded,
 * whichever row comes first; `unreturned`: what this row itself is born with.
 */
function loseFees(
  decision: Decision,
  row: SettlementRow,
): { readonly lost: bigint; readonly unreturned: bigint } {
  const nothing = { lost: 0n, unreturned: 0n };
  if (row.charge_id === null) return nothing;
  const known = decision.find(settlementsOfCharge, row.charge_id);
  const all = [...known, row].filter(({ currency }) => currency === row.currency);
  const capture = all.find(({ kind }) => kind === 'capture');
  if (capture === undefined || capture.fee <= 0n) return nothing;
  const refunds = all.filter(({ kind }) => kind === 'refund');
  const refunded = refunds.reduce((sum, { amount }) => sum - amount, 0n);
  const given = refunds.reduce((sum, { fee }) => (fee < 0n ? sum - fee : sum), 0n);
  const part = refunded < capture.amount ? refunded : capture.amount;
  const unreturned = (capture.fee * part) / capture.amount - given;
  const lost = unreturned - capture.unreturned;
  if (lost <= 0n) return nothing;
  if (capture === row) return { lost, unreturned };
  decision.update(settlementTable, capture.id, { unreturned });
  return { lost, unreturned: 0n };
}

/** Makes pending money available whose date has come; nothing otherwise. */
export const settleDue = command({
  name: 'settle_due',
  batchable: true,
  highPriority: true,
  load(rows, { id }: { readonly id: string }) {
    const row = rows.read(settlementTable, id);
    if (row === null) return null;
    lockFunds(rows, 'processor', row.currency);
    return rows.lock(settlementTable, id);
  },
  decide(decision, _, row) {
    if (row?.due && row.due <= decision.now) {
      const version = decision.move(machine, settlementTable, row.id, 'settle', 'available', {
        due: null,
      });
      decision.post(row.id, version, makeAvailable(decision.lineage, row, true));
      moveFunds(decision, row, null);
    }
    return { status: 200, payload: null };
  },
});

/** Opens the funds of a currency at a place, so that payouts wait for money there from now on. */
export const openFunds = command({
  name: 'open_funds',
  load: (rows, { place, currency }: { readonly place: Place; readonly currency: string }) =>
    rows.read(fundsTable, fundsId(rows.lineage, place, currency)),
  decide(decision, { place, currency }, known) {
    if (known === null) addFunds(decision, place, currency, 0n);
    return { status: 200, payload: null };
  },
});

/**
 * Opens the funds of every currency of a workspace at its processor: from then on its payouts wait
 * for available money, from the first statement row or before it.
 */
export async function openProcessorFunds(
  engine: Engine,
  currencies: Iterable<string>,
  submission: Submission,
): Promise<void> {
  for (const currency of currencies) {
    await engine.run(openFunds, { place: 'processor', currency }, submission);
  }
}

/** A transfer of the processor as our bank's statement shows it. */
export interface BankArrival {
  /** From `providerPayoutsUnderWay`. */
  readonly settlementId: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly currency: string;
}

/**
 * Books the arrival of a transfer of the processor on our bank account. The payload is false where
 * it is not under way any more, or is another sum.
 */
export const confirmProviderPayout = command({
  name: 'confirm_provider_payout',
  batchable: true,
  load(rows, { settlementId, currency }: BankArrival) {
    rows.read(settlementTable, settlementId);
    lockFunds(rows, 'bank', currency);
    return rows.lock(settlementTable, settlementId);
  },
  decide(decision, { amount, currency }, row) {
    const fits = row !== null && inTransit(row) && row.currency === currency;
    if (!fits || row.amount !== -amount) return { status: 200, payload: false };
    const version = decision.move(machine, settlementTable, row.id, 'arrive', 'at_bank');
    decision.post(row.id, version, arriveAtBank(decision.lineage, row));
    addFunds(decision, 'bank', currency, amount);
    return { status: 200, payload: true };
  },
});
