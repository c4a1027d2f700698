// The commands of sellers' accounts at the processor: one is begun, and what the processor says of
// it moves the account, its payment method and the seller's identity in one decision. Pure. [G-91]
import { command, EngineFault, type Decision } from '../../../engine/index.ts';
import { derivedUuid } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import type { PayeeOutcome } from '../../../providers/payees/port.ts';
import {
  accountNotFoundInBody,
  accountTable,
  refusals as account,
} from '../../people/account/index.ts';
import { followProcessor, needKyc } from '../../people/identity/index.ts';
import { addPayeeMethod, changeMethodState, paymentMethodTable } from '../wallet/index.ts';
import { payeeMachine } from './machine.ts';
import { payeeJobTable, payeesOfAccount, payeeTable, type PayeeRow } from './tables.ts';

/** A seller who wants to be paid by the processor. */
export interface NewPayee {
  readonly id: string;
  /** UUID of the seller. */
  readonly account: string;
  readonly country: string;
}

/** Begins an account where the seller has none; answers with the id of the one there is. */
export const beginPayee = command({
  name: 'begin_payee',
  load(rows, { account: owner }: NewPayee) {
    const person = rows.read(accountTable, owner);
    if (person !== null) rows.lock(accountTable, owner);
    return { person, all: rows.find(payeesOfAccount, owner) };
  },
  decide(decision, { id, account: account_id, country }, { person, all }) {
    if (person === null) throw refuse(accountNotFoundInBody);
    if (person.blocked) throw refuse(account.ACCOUNT_BLOCKED);
    const live = all.find(({ state }) => state !== 'closed');
    if (live === undefined) {
      const { workspace, now } = decision;
      decision.create(payeeMachine, payeeTable, 'begin', {
        ...{ workspace, id, account_id, purpose: 'payee', state: 'opening', version: 1, country },
        ...{ payment_method_id: null, due_items: '[]', kyc_version: null },
        ...{ created: now, updated: now },
      });
      decision.insert(payeeJobTable, { workspace, payee_id: id });
    }
    return { status: 200, payload: live?.id ?? id };
  },
});

/** What the processor says of an account. */
export interface PayeeSaid {
  readonly payeeId: string;
  readonly outcome: PayeeOutcome;
  /** True where the tenant takes the processor's word for a seller's identity. */
  readonly verifies: boolean;
  /** Shown as the payment method's currency; it takes any. */
  readonly currency: string;
  /** True where the seller asked for it: a payment method that they removed counts again. */
  readonly wanted: boolean;
}

/** Settles what the processor says; a repetition changes nothing. */
export const settlePayee = command({
  name: 'settle_payee',
  load(rows, { payeeId }: PayeeSaid) {
    const row = rows.read(payeeTable, payeeId);
    if (row === null) return null;
    rows.lock(payeeTable, payeeId);
    rows.read(accountTable, row.account_id);
    if (row.payment_method_id !== null) {
      rows.read(paymentMethodTable, row.payment_method_id);
      rows.lock(paymentMethodTable, row.payment_method_id);
    }
    needKyc(rows, row.account_id);
    return row;
  },
  decide(decision, said, row) {
    if (row === null) throw new EngineFault('an answer names no account at the processor');
    const { outcome } = said;
    if (row.state !== 'closed') {
      if (outcome.state === 'open') opened(decision, row, said, outcome);
      if (outcome.state === 'refused' && row.state === 'opening') end(decision, row, 'refuse');
      if (outcome.state === 'closed' && row.state !== 'opening') end(decision, row, 'close');
    }
    return { status: 200, payload: null };
  },
});

function opened(
  decision: Decision,
  before: PayeeRow,
  { verifies, wanted, currency }: PayeeSaid,
  { reference, payable, due }: Extract<PayeeOutcome, { readonly state: 'open' }>,
): void {
  const { id, account_id: owner } = before;
  const due_items = JSON.stringify(due);
  let { state, payment_method_id: method } = before;
  if (method === null) {
    method = derivedUuid(`payee method/${id}`);
    addPayeeMethod(decision, { id: method, account: owner, token: reference, currency });
    const patch = { payment_method_id: method, due_items };
    decision.move(payeeMachine, payeeTable, id, 'open', 'restricted', patch);
    state = 'restricted';
  } else if (before.due_items !== due_items) {
    decision.update(payeeTable, id, { due_items });
  }
  if (payable && state === 'restricted') {
    const { kyc_version: last } = before;
    const kyc_version = verifies ? followProcessor(decision, owner, true, last) : null;
    decision.move(payeeMachine, payeeTable, id, 'enable', 'ready', { kyc_version });
  }
  if (!payable && state === 'ready') withdraw(decision, before, 'restrict', 'restricted');
  changeMethodState(decision, method, payable ? 'ACTIVE' : 'UNVERIFIED', wanted);
}

/** The processor does not vouch for the seller any more. */
function withdraw(
  decision: Decision,
  { id, account_id: owner, kyc_version: last }: PayeeRow,
  ...[on, to]: ['restrict', 'restricted'] | ['close', 'closed']
): void {
  const kyc_version = followProcessor(decision, owner, false, last);
  decision.move(payeeMachine, payeeTable, id, on, to, { kyc_version });
}

function end(decision: Decision, row: PayeeRow, on: 'refuse' | 'close'): void {
  if (on === 'refuse') decision.move(payeeMachine, payeeTable, row.id, on, 'closed');
  else withdraw(decision, row, on, 'closed');
  const { payment_method_id: method } = row;
  if (method !== null) changeMethodState(decision, method, 'INACTIVE', false);
}
