// The caller's commands: request a payout, cancel it, and in staging execute it. The money leaves
// the wallet with the request; the clock's part is in clock.ts, the processor's in settle.ts. Pure.
// [G-43]
import { command, EngineFault, type Decision, type ReadSet } from '../../../engine/index.ts';
import { isUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { addSeconds } from '../../../core/time.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { providerRefusals } from '../../../providers/port.ts';
import { accountTable } from '../../people/account/index.ts';
import { reserveTable } from '../reserve/index.ts';
import { paymentMethodTable, walletTable, type PaymentMethodRow } from '../wallet/index.ts';
import { priceOf } from './fees.ts';
import { requireEligibility, loadEligibility } from './eligibility.ts';
import { payoutMachine, READY_STATES } from './machine.ts';
import { giveBackPayout, holdPayout } from './postings.ts';
import { refusals as no } from './refusals.ts';
import { renderPayout } from './schema.ts';
import { loadMeans, sendPayout } from './sending.ts';
import { isContradicted, isKept, payoutTable, type PayoutRow } from './tables.ts';

/** A requested payout. */
export interface PayoutRequest {
  readonly id: string;
  /** UUID of the account in the path. */
  readonly account: string;
  readonly source_payment_method_id: string;
  readonly destination_payment_method_id: string;
  /** Minor units, positive. */
  readonly amount: bigint;
  readonly currency: string;
  /** Seconds of review before it is sent automatically; null: never. */
  readonly holdSeconds: number | null;
  /** False: no processor sends money; bank files still do. */
  readonly hasProcessor?: boolean;
}

/** Takes the money out of the wallet; it is sent after the review. Answers as requested. */
export const requestPayout = command({
  name: 'request_payout',
  batchable: true,
  load(rows, request: PayoutRequest) {
    const person = loadEligibility(rows, request.account);
    const from = loadMethod(rows, request, 'source_payment_method_id');
    const to = loadMethod(rows, request, 'destination_payment_method_id');
    const wallet = from?.wallet_id ?? null;
    const balance = wallet === null ? null : rows.lock(balanceTable, wallet);
    const lacks = balance !== null && balance.amount < request.amount;
    const owned = wallet !== null && lacks ? rows.read(walletTable, wallet) : null;
    const reserve = owned?.kept_back_id ? rows.read(reserveTable, owned.kept_back_id) : null;
    return { person, from, to, balance, reserve };
  },
  decide(decision, request, { person, from, to, balance, reserve }) {
    const { workspace, now } = decision;
    const { id, account, amount, currency, holdSeconds } = request;
    const seen = requireEligibility(person, to);
    const source = requireMethod(from, 'source_payment_method_id');
    const destination = requireMethod(to, 'destination_payment_method_id');
    const wallet = source.wallet_id;
    if (wallet === null) {
      throw refuse(no.PAYOUT_SOURCE_NOT_WALLET, { source_payment_method_id: 'is not a wallet' });
    }
    const { fee } = priceOf(destination.provider, amount);
    if (source.currency !== currency) {
      throw refuse(no.PAYOUT_CURRENCY_MISMATCH, {
        currency: 'does not match the currency of the wallet',
      });
    }
    const lacking = amount - (balance?.amount ?? 0n);
    if (lacking > 0n) {
      const reserved = lacking <= (reserve?.held ?? 0n);
      throw refuse(reserved ? no.PAYOUT_RESERVED : no.PAYOUT_INSUFFICIENT_FUNDS);
    }
    // An account by IBAN is paid by bank file, which needs nobody else.
    if (request.hasProcessor === false && destination.provider !== 'bank') {
      throw refuse(providerRefusals.PROVIDER_NOT_CONFIGURED);
    }
    const row: PayoutRow = {
      workspace,
      id,
      account_id: account,
      source_method_id: source.id,
      source_wallet_id: wallet,
      destination_method_id: destination.id,
      currency,
      amount,
      fee_amount: fee,
      state: 'ESCROW-TRANSFER-INITIATED',
      version: 1,
      failure_code: null,
      transfer_id: null,
      due: null,
      created: now,
      updated: now,
    };
    decision.create(payoutMachine, payoutTable, 'request', row, seen);
    const due = holdSeconds === null ? null : addSeconds(now, holdSeconds);
    const held = 'FUNDS-IN-ESCROW';
    const version = decision.move(payoutMachine, payoutTable, id, 'hold', held, { due });
    decision.post(id, version, holdPayout(decision.lineage, row));
    return answer(201, row);
  },
});

type MethodField = 'source_payment_method_id' | 'destination_payment_method_id';

/** A payment method of the account; null for an unknown one, and for another account's. */
function loadMethod(
  rows: ReadSet,
  request: PayoutRequest,
  field: MethodField,
): PaymentMethodRow | null {
  const method = isUuid(request[field]) ? rows.read(paymentMethodTable, request[field]) : null;
  return method?.account_id === request.account ? method : null;
}

function requireMethod(method: PaymentMethodRow | null, field: MethodField): PaymentMethodRow {
  if (method === null) {
    throw refuse(no.PAYMENT_METHOD_NOT_FOUND, {
      [field]: 'does not exist or belongs to another account',
    });
  }
  if (method.pm_state !== 'ACTIVE' || method.only_for !== null) {
    throw refuse(no.PAYMENT_METHOD_NOT_ACTIVE, { [field]: 'is not active' });
  }
  return method;
}

/** The answer that shows a payout. */
export function answer(status: number, row: PayoutRow) {
  const { id, version } = row;
  return { status, payload: renderPayout(row, row), record: { kind: 'payout', id, version } };
}

/** A payout under the account of the path. */
export interface PayoutChoice {
  readonly account: string;
  /** As in the path; anything but a UUID is an unknown payout. */
  readonly payoutId: string;
}

/** Reads the account and locks its payout; null for another account's. */
export function loadPayout(rows: ReadSet, { account, payoutId }: PayoutChoice) {
  const owner = rows.read(accountTable, account);
  const named = isUuid(payoutId) ? rows.read(payoutTable, payoutId) : null;
  const row = named?.account_id === account ? named : null;
  if (row !== null) rows.lock(payoutTable, payoutId);
  return { owner, row };
}

/** The payout that was loaded. Throws a Refusal for an unknown one. */
export function knownPayout({ owner, row }: ReturnType<typeof loadPayout>): PayoutRow {
  if (owner === null) throw refuse(no.ACCOUNT_NOT_FOUND);
  if (row === null) throw refuse(no.PAYOUT_NOT_FOUND);
  return row;
}

/** The payout that was loaded. Throws `otherwise` where its state does not allow the move. */
function readyPayout(
  loaded: ReturnType<typeof loadPayout>,
  otherwise: 'PAYOUT_NOT_CANCELABLE' | 'PAYOUT_NOT_EXECUTABLE',
): PayoutRow {
  const row = knownPayout(loaded);
  const ready = READY_STATES.some((state) => state === row.state);
  if (!ready || isContradicted(row)) throw refuse(no[otherwise]);
  return row;
}

/** Returns the money to its wallet, also for a blocked account: it is the account's own. */
export const cancelPayout = command({
  name: 'cancel_payout',
  batchable: true,
  load(rows, choice: PayoutChoice) {
    const payout = loadPayout(rows, choice);
    if (payout.row !== null) rows.lock(balanceTable, payout.row.source_wallet_id);
    return payout;
  },
  decide(decision, _, payout) {
    const { id } = readyPayout(payout, 'PAYOUT_NOT_CANCELABLE');
    const to = 'SUPPORT-REJECT-TRANSFER-INITIATED';
    const patch = { failure_code: null, due: null };
    decision.move(payoutMachine, payoutTable, id, 'cancel', to, patch);
    const row = decision.get(payoutTable, id);
    if (row === null) throw new EngineFault('a payout that was just moved is gone');
    rejectPayout(decision, row, 'reject', 'SUPPORT-REJECTED');
    return answer(200, row);
  },
});

/** Ends a payout with the money back in the wallet; the balance must be locked. */
export function rejectPayout(
  decision: Decision,
  row: PayoutRow,
  ...[on, to]: ['reject', 'SUPPORT-REJECTED'] | ['lapse', 'SYSTEM-REJECTED']
): void {
  const { id, failure_code } = row;
  const detail = failure_code === null ? undefined : { failure_code };
  const version = decision.move(payoutMachine, payoutTable, id, on, to, { due: null }, detail);
  decision.post(id, version, giveBackPayout(decision.lineage, row));
}

/** A payout to send now, with the id of its outbound transfer. */
export interface PayoutExecution extends PayoutChoice {
  readonly transferId: string;
}

/** Approves a payout and sends it, if the account is still eligible. Staging only. */
export const executePayout = command({
  name: 'execute_payout',
  batchable: true,
  load(rows, choice: PayoutExecution) {
    const payout = loadPayout(rows, choice);
    const person = loadEligibility(rows, choice.account);
    return { payout, person, means: loadMeans(rows, payout.row) };
  },
  decide(decision, { transferId }, { payout, person, means }) {
    const row = readyPayout(payout, 'PAYOUT_NOT_EXECUTABLE');
    if (isKept(row)) throw refuse(no.PAYOUT_HELD);
    const seen = requireEligibility(person, means.destination);
    const sent = sendPayout(decision, row, means, 'execute', transferId, seen);
    if ('code' in sent) throw refuse(sent);
    return answer(200, sent);
  },
});
