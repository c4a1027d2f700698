// Renames and removes cards and bank accounts, and attaches what was entered at the processor: one
// payment method for each entry, however many requests race. Wallets cannot be changed. [G-47]
import type { Command, Decision, ReadSet } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { accountTable } from '../../people/account/index.ts';
import { addMethod, announceMethod, type CardInput } from './method.ts';
import { refusals } from './refusals.ts';
import { paymentMethod } from './schema.ts';
import { methodEntryTable, paymentMethodTable, type PaymentMethodRow } from './tables.ts';

export interface EnteredInput {
  /** UUID of our entry. */
  readonly entry: string;
  readonly integrator: string;
  /** What the processor returned for it; null where it was attached before. */
  readonly card: CardInput | null;
}

/**
 * Attaches an entry once; later requests are answered with the same payment method. Answers 201
 * with its record.
 */
export const attachEntered: Command<EnteredInput> = {
  name: 'attach_entered',
  batchable: false,
  load(rows, { entry, card }) {
    const row = rows.read(methodEntryTable, entry);
    rows.lock(methodEntryTable, entry);
    if (row?.payment_method_id) rows.read(paymentMethodTable, row.payment_method_id);
    if (card !== null) rows.read(accountTable, card.account);
  },
  decide(decision, { entry, card, integrator }) {
    const row = decision.get(methodEntryTable, entry);
    if (row === null) throw refuse(refusals.ENTRY_NOT_FOUND);
    const attached =
      row.payment_method_id === null
        ? null
        : decision.get(paymentMethodTable, row.payment_method_id);
    if (attached !== null) return { status: 201, payload: paymentMethod(attached, 0n, integrator) };
    if (card === null || row.expires <= decision.now) {
      throw refuse(refusals.PAYMENT_METHOD_ENTRY_EXPIRED);
    }
    const method = addMethod(decision, card);
    decision.update(methodEntryTable, entry, { payment_method_id: method.id });
    return { status: 201, payload: paymentMethod(method, 0n, integrator) };
  },
};

/** A payment method to change. */
export interface MethodChange {
  readonly id: string;
  /** UUID of the account that must own it; null: any of the workspace. */
  readonly account: string | null;
  readonly integrator: string;
}

function needMethod(rows: ReadSet, { id }: MethodChange): void {
  rows.read(paymentMethodTable, id);
  rows.lock(paymentMethodTable, id);
}

function methodOf(decision: Decision, { id, account }: MethodChange): PaymentMethodRow {
  const row = decision.get(paymentMethodTable, id);
  const unseen = row === null || row.provider === 'once';
  if (unseen || (account !== null && row.account_id !== account)) {
    throw refuse(refusals.PAYMENT_METHOD_NOT_FOUND_IN_PATH);
  }
  return row;
}

function changed(
  decision: Decision,
  row: PaymentMethodRow,
  patch: Pick<PaymentMethodRow, 'display_string'> | Pick<PaymentMethodRow, 'pm_state'>,
  act: Parameters<typeof announceMethod>[2],
): PaymentMethodRow {
  const change = { ...patch, version: row.version + 1, updated: decision.now };
  decision.update(paymentMethodTable, row.id, change);
  const now = { ...row, ...change };
  announceMethod(decision, now, act);
  return now;
}

/**
 * Gives a payment method the state that the processor's word leads to; its row must be locked. One
 * that was removed stays so unless it is wanted again, and an erased one for good.
 */
export function changeMethodState(
  decision: Decision,
  id: string,
  pm_state: PaymentMethodRow['pm_state'],
  wanted: boolean,
): void {
  const row = decision.get(paymentMethodTable, id);
  if (row === null || row.pm_state === pm_state || row.processor_token === '') return;
  if (row.pm_state === 'INACTIVE' && !wanted) return;
  const act = pm_state === 'INACTIVE' ? 'method_removed' : 'method_changed';
  changed(decision, row, { pm_state }, act);
}

/** Renames a card or bank account; the same name changes nothing. Answers 200 with the record. */
export const renameMethod: Command<MethodChange & { readonly display_string: string }> = {
  name: 'rename_method',
  batchable: false,
  load: needMethod,
  decide(decision, input) {
    const row = methodOf(decision, input);
    if (row.provider === 'wallet') throw refuse(refusals.PAYMENT_METHOD_NOT_RENAMABLE);
    if (row.pm_state !== 'ACTIVE') throw refuse(refusals.PAYMENT_METHOD_NOT_ACTIVE);
    const { display_string, integrator } = input;
    const same = row.display_string === display_string;
    const now = same ? row : changed(decision, row, { display_string }, 'method_renamed');
    return { status: 200, payload: paymentMethod(now, 0n, integrator) };
  },
};

/**
 * Ends a card or bank account: no new payment or payout uses it, what is under way goes on. Answers
 * 200 with the record, also when it had ended before.
 */
export const removeMethod: Command<MethodChange> = {
  name: 'remove_method',
  batchable: false,
  load: needMethod,
  decide(decision, input) {
    const row = methodOf(decision, input);
    if (row.provider === 'wallet') throw refuse(refusals.PAYMENT_METHOD_NOT_REMOVABLE);
    const ended = row.pm_state === 'INACTIVE';
    const gone = { pm_state: 'INACTIVE' } as const;
    const now = ended ? row : changed(decision, row, gone, 'method_removed');
    return { status: 200, payload: paymentMethod(now, 0n, input.integrator) };
  },
};
