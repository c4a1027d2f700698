// Renames and removes cards and bank accounts, and attaches what was entered at the processor: one
// payment method for each entry, however many requests race. Wallets cannot be changed. [G-47]
import type { Command, Decision, ReadSet } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { accountTable } from '../../people/account/index.ts';
import { addMethod, announceMethod, type CardInput } from './method.ts';
import { refusals } from './refusals.ts';
import { paymentMethod } from './schema.ts';
import {
  methodEntryTable,
  methodsOfAccount,
  paymentMethodTable,
  type PaymentMethodRow,
} from './tables.ts';

export interface EnteredInput {
  /** UUID of our entry. */
  readonly entry: string;
  readonly integrator: string;
  /** What the processor returned for it; null where it was attached before. */
  readonly card: CardInput | null;
}

/**
 * Attaches an entry once; later requests are answered with the same payment method. A card that the
 * account has saved is not added a second time: it takes the new token and expiry, and keeps its
 * name. Answers 201 with its record.
 */
export const attachEntered: Command<EnteredInput> = {
  name: 'attach_entered',
  load(rows, { entry, card }) {
    const row = rows.read(methodEntryTable, entry);
    rows.lock(methodEntryTable, entry);
    if (row?.payment_method_id) rows.read(paymentMethodTable, row.payment_method_id);
    if (card === null) return;
    rows.read(accountTable, card.account);
    if (!card.fingerprint) return;
    // One at a time, so that a card that is entered twice at once is found too.
    rows.lock(accountTable, card.account);
    for (const { id } of rows.find(methodsOfAccount, card.account)) {
      rows.lock(paymentMethodTable, id);
    }
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
    const same = sameCard(decision, card);
    const { token: processor_token, expires = null } = card;
    const method =
      same === null
        ? addMethod(decision, card)
        : changed(decision, same, { processor_token, expires }, 'method_changed');
    decision.update(methodEntryTable, entry, { payment_method_id: method.id });
    return { status: 201, payload: paymentMethod(method, 0n, integrator) };
  },
};

/** The saved card that was entered again; null: it is a new one, or is not to be kept. */
function sameCard(decision: Decision, card: CardInput): PaymentMethodRow | null {
  if (!card.fingerprint || card.onlyFor) return null;
  const found = decision
    .find(methodsOfAccount, card.account)
    .find(
      ({ fingerprint, pm_state, only_for }) =>
        fingerprint === card.fingerprint && pm_state === 'ACTIVE' && only_for === null,
    );
  return found ?? null;
}

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

type Changeable =
  | 'display_string'
  | 'pm_state'
  | 'preferred'
  | 'processor_token'
  | 'expires';

function changed(
  decision: Decision,
  row: PaymentMethodRow,
  patch: Partial<Pick<PaymentMethodRow, Changeable>>,
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

/** What a person wants of a method; absent: as it is. */
export interface MethodWish extends MethodChange {
  readonly display_string?: string | undefined;
  readonly is_default?: true | undefined;
}

/**
 * Renames a card or bank account, and makes it its owner's default; what is so already changes
 * nothing. Answers 200 with the record.
 */
export const renameMethod: Command<MethodWish> = {
  name: 'rename_method',
  load: needMethod,
  decide(decision, input) {
    const row = methodOf(decision, input);
    if (row.provider === 'wallet') throw refuse(refusals.PAYMENT_METHOD_NOT_RENAMABLE);
    const usable = row.pm_state === 'ACTIVE' && row.only_for === null;
    if (!usable) throw refuse(refusals.PAYMENT_METHOD_NOT_ACTIVE);
    const { display_string = row.display_string, is_default = false, integrator } = input;
    const preferred = is_default ? decision.now : row.preferred;
    const patch = { display_string, preferred };
    const same = row.display_string === display_string && !is_default;
    const act = row.display_string === display_string ? 'method_changed' : 'method_renamed';
    const now = same ? row : changed(decision, row, patch, act);
    return { status: 200, payload: paymentMethod(now, 0n, integrator, is_default) };
  },
};

/**
 * Ends a card or bank account: no new payment or payout uses it, what is under way goes on. Answers
 * 200 with the record, also when it had ended before.
 */
export const removeMethod: Command<MethodChange> = {
  name: 'remove_method',
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
