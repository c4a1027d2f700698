// Commands about incoming transfers. Each runs with the bank account locked, so that a statement
// and an operator cannot book the same money twice; a late or repeated one changes nothing. [G-91]
import { EngineFault, type Command, type Decision, type ReadSet } from '../../../engine/index.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import { systemAccount } from '../../../ledger/index.ts';
import { accountTable, refusals as account } from '../../people/account/index.ts';
import {
  completeDeposit,
  hasRoom,
  needCredit,
  refusals as wallets,
  requestDeposit,
  walletTable,
} from '../wallet/index.ts';
import {
  addFunds,
  confirmProviderPayout,
  lockFunds,
  type BankArrival,
} from '../treasury/index.ts';
import { incomingMachine as machine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import {
  bankAccountTable,
  bankEntryTable,
  incomingTable,
  transfersAwaiting,
  transfersOfEntry,
  transfersOfReference,
  type IncomingRow,
  type Reason,
} from './tables.ts';

/** Days between what an operator recorded and a row of the statement that may be the same. */
const NEAR_DAYS = 7;
const DAY_MS = 86_400_000;

/** The wallet to credit, with the ids that the deposit will need. */
export interface CreditTarget {
  readonly transferId: string;
  readonly depositId: string;
  readonly walletId: string | null;
  /** The integrator's balance a moment ago, which no single row has. */
  readonly held: bigint;
}

export interface IncomingAnswer {
  readonly transfer_id: string;
  readonly state: IncomingRow['state'];
  readonly why: IncomingRow['why'];
  readonly bank_reference: string;
}

export function needWallet(rows: ReadSet, walletId: string | null): void {
  if (walletId === null) return;
  const wallet = rows.read(walletTable, walletId);
  if (wallet?.account_id) rows.read(accountTable, wallet.account_id);
  needCredit(rows, walletId);
}

/** Why this much cannot be credited to the wallet now; null where it can. */
export function obstacleOf(
  decision: Decision,
  { walletId, held }: CreditTarget,
  currency: string,
  amount: bigint,
): Reason | null {
  const wallet = walletId === null ? null : decision.get(walletTable, walletId);
  if (wallet === null) return 'reference_unknown';
  if (wallet.currency !== currency) return 'other_currency';
  const owner = wallet.account_id === null ? null : decision.get(accountTable, wallet.account_id);
  if (owner?.blocked === true) return 'account_blocked';
  return hasRoom(decision, wallet, amount, held) ? null : 'too_large';
}

const OBSTACLES: Partial<Record<Reason, RefusalSpec>> = {
  account_blocked: account.ACCOUNT_BLOCKED,
  too_large: wallets.DEPOSIT_TOO_LARGE,
};

/** Throws a Refusal where the wallet cannot be credited. */
export function requireWallet(...target: Parameters<typeof obstacleOf>): void {
  const obstacle = obstacleOf(...target);
  if (obstacle !== null) throw refuse(OBSTACLES[obstacle] ?? no.BANK_WALLET_NOT_FOUND);
}

/** The deposit of a transfer: its wallet is credited from the bank, or from what waited. */
export function credit(
  decision: Decision,
  { transferId, depositId, walletId }: CreditTarget,
  { currency, amount }: Pick<IncomingRow, 'currency' | 'amount'>,
  source: 'bank' | 'bank_unallocated',
): void {
  const wallet = walletId === null ? null : decision.get(walletTable, walletId);
  if (wallet === null) throw new EngineFault('a transfer is credited to no wallet');
  requestDeposit(decision, {
    id: depositId,
    account_id: wallet.account_id,
    wallet_id: wallet.id,
    payment_method_id: null,
    incoming_transfer_id: transferId,
    currency,
    amount,
  });
  completeDeposit(decision, depositId, source);
  if (source === 'bank') addFunds(decision, 'bank', currency, amount);
}

/** The money of opening balances arrived: it lies at the bank now, no longer elsewhere. */
export function cover(
  decision: Decision,
  { id, currency, amount }: Pick<IncomingRow, 'id' | 'currency' | 'amount'>,
  version: number,
  source: 'bank' | 'bank_unallocated',
): void {
  decision.post(id, version, [
    systemAccount(decision.lineage, source, currency, -amount),
    systemAccount(decision.lineage, 'opening_balances', currency, amount),
  ]);
  addFunds(decision, 'elsewhere', currency, -amount);
  if (source === 'bank') addFunds(decision, 'bank', currency, amount);
}

/** A transfer that operators recorded is on the statement now. */
export function see(
  decision: Decision,
  { id, state }: IncomingRow,
  patch: Pick<IncomingRow, 'awaits'> & Partial<Pick<IncomingRow, 'entry_id'>>,
): void {
  const to = state === 'covered' ? 'covered' : 'credited';
  decision.move(machine, incomingTable, id, 'see', to, patch);
}

/** Ledger entries between the bank and what is in no wallet; positive: it came in. */
export function postBank(
  decision: Decision,
  { id, currency }: Pick<IncomingRow, 'id' | 'currency'>,
  version: number,
  amount: bigint,
): void {
  decision.post(id, version, [
    systemAccount(decision.lineage, 'bank', currency, -amount),
    systemAccount(decision.lineage, 'bank_unallocated', currency, amount),
  ]);
  addFunds(decision, 'bank', currency, amount);
}

export function answerOf(decision: Decision, id: string) {
  const row = decision.get(incomingTable, id);
  if (row === null) throw new EngineFault('a transfer is not there');
  const { state, why, bank_reference } = row;
  const payload: IncomingAnswer = { transfer_id: id, state, why, bank_reference };
  return { status: 200, payload };
}

/** A new transfer, as far as all of them are alike. */
export function newRow(
  decision: Decision,
  facts: Pick<IncomingRow, 'id' | 'bank_account_id' | 'bank_reference' | 'currency' | 'amount'
    | 'value_date'>,
) {
  const { workspace, now } = decision;
  const empty = { entry_id: null, awaits: null, wallet_id: null, why: null, operator_id: null };
  return { workspace, ...facts, ...empty, version: 1, created: now, updated: now };
}

/** True for a transfer whose money is where it belongs. */
export function isBooked({ state }: IncomingRow): boolean {
  return state === 'credited' || state === 'covered';
}

/** A credit of the statement, with the wallet that its reference names or why it names none. */
export interface ReceivedEntry extends CreditTarget {
  readonly entryId: string;
  readonly why: Reason | null;
}

/** Takes a credit of a statement: matches what was recorded by hand, credits, or leaves it open. */
export const receiveEntry: Command<ReceivedEntry> = {
  name: 'receive_bank_entry',
  load(rows, { entryId, walletId }) {
    const entry = rows.read(bankEntryTable, entryId);
    if (entry === null) return;
    rows.lock(bankAccountTable, entry.bank_account_id);
    rows.lock(bankEntryTable, entryId);
    lockFunds(rows, 'bank', entry.currency);
    rows.find(transfersOfEntry, entryId);
    for (const { id } of rows.find(transfersAwaiting, entry.bank_account_id)) {
      rows.lock(incomingTable, id);
    }
    needWallet(rows, walletId);
  },
  decide(decision, input) {
    const entry = decision.get(bankEntryTable, input.entryId);
    if (entry?.direction !== 'credit') throw new EngineFault('a transfer has no credit');
    const [known] = decision.find(transfersOfEntry, entry.id);
    if (known !== undefined) return answerOf(decision, known.id);
    if (entry.settles !== null) return { status: 200, payload: null };
    const { amount, currency, bank_account_id, bank_reference, value_date } = entry;
    const recorded = decision
      .find(transfersAwaiting, bank_account_id)
      .filter((one) => one.amount === amount);
    const alike = recorded.filter((one) => one.bank_reference === bank_reference);
    const same = alike.find(isBooked);
    if (same !== undefined) {
      see(decision, same, { entry_id: entry.id, awaits: null });
      return answerOf(decision, same.id);
    }
    const near = recorded.some((one) => !alike.includes(one)
      && daysBetween(one.value_date, value_date) <= NEAR_DAYS);
    const obstacle = near ? 'recorded_perhaps' : input.why;
    const why = obstacle ?? obstacleOf(decision, input, currency, amount);
    const facts = { bank_account_id, bank_reference, currency, amount, value_date };
    const fresh = newRow(decision, { id: input.transferId, ...facts });
    const row = { ...fresh, entry_id: entry.id, why };
    if (why === null) {
      const credited = { ...row, wallet_id: input.walletId, state: 'credited' } as const;
      decision.create(machine, incomingTable, 'match', credited);
      credit(decision, input, row, 'bank');
    } else {
      decision.create(machine, incomingTable, 'find', { ...row, state: 'unallocated' }, { why });
      postBank(decision, row, 1, amount);
    }
    return answerOf(decision, row.id);
  },
};

function daysBetween(a: string, b: string): number {
  return Math.abs(Date.parse(a) - Date.parse(b)) / DAY_MS;
}

/** A debit of the statement that sends a transfer back. */
export const settleReturn: Command<{ readonly transferId: string; readonly entryId: string }> = {
  name: 'settle_bank_return',
  load(rows, { transferId, entryId }) {
    const row = rows.read(incomingTable, transferId);
    if (row === null) return;
    rows.read(bankEntryTable, entryId);
    rows.lock(bankEntryTable, entryId);
    rows.lock(incomingTable, transferId);
    lockFunds(rows, 'bank', row.currency);
  },
  decide(decision, { transferId, entryId }) {
    const row = decision.get(incomingTable, transferId);
    const entry = decision.get(bankEntryTable, entryId);
    const sent = entry?.direction === 'debit' && entry.settles === null
      && entry.amount === row?.amount;
    if (row?.state !== 'returning' || !sent) return { status: 200, payload: false };
    decision.update(bankEntryTable, entryId, { settles: 'returned_transfer' });
    const detail = { entry_id: entryId };
    const version = decision.move(
      ...([machine, incomingTable, transferId, 'sent_back', 'returned', {}, detail] as const),
    );
    postBank(decision, row, version, -row.amount);
    return { status: 200, payload: true };
  },
};

/** A credit of the statement that the processor sent: no transfer of a payer. */
export const receiveProviderPayout: Command<BankArrival & { readonly entryId: string }> = {
  name: 'receive_provider_payout',
  load(rows, input) {
    rows.read(bankEntryTable, input.entryId);
    rows.lock(bankEntryTable, input.entryId);
    return confirmProviderPayout.load(rows, input);
  },
  decide(decision, input, loaded) {
    const entry = decision.get(bankEntryTable, input.entryId);
    if (entry?.settles !== null) return { status: 200, payload: false };
    const answer = confirmProviderPayout.decide(decision, input, loaded);
    if (answer.payload === true) {
      decision.update(bankEntryTable, entry.id, { settles: 'provider_payout' });
    }
    return answer;
  },
};

/** Refuses a bank reference under which the bank account has a transfer already. */
export function requireNewReference(
  decision: Decision,
  row: Pick<IncomingRow, 'id' | 'bank_account_id' | 'bank_reference'>,
): void {
  const used = decision
    .find(transfersOfReference, row.bank_reference)
    .some((one) => one.bank_account_id === row.bank_account_id
      && one.id !== row.id && one.state !== 'rejected');
  if (used) throw refuse(no.BANK_REFERENCE_USED);
}
