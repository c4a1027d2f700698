// Creates wallets (at registration) and attaches cards that the processor has turned into tokens. A
// card's number never comes here.
import type { Command, Decision } from '../../../engine/index.ts';
import { accountId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { balanceTable, ledgerAccountTable } from '../../../ledger/index.ts';
import type { EnteredToken } from '../../../providers/method-entry/port.ts';
import {
  accountNotFoundInBody,
  accountTable,
  refusals as account,
} from '../../people/account/index.ts';
import { note } from '../../tell/audit/index.ts';
import { events } from '../../events.ts';
import { paymentMethod } from './schema.ts';
import { NO_CARD, paymentMethodTable, walletTable, type PaymentMethodRow } from './tables.ts';

/** Ids of a new wallet in one currency. */
export interface NewWallet {
  readonly id: string;
  readonly kept_back_id: string;
  readonly payment_method_id: string;
  readonly currency: string;
}

/** Creates a wallet, its balances and its payment method. `accrues`: see accrual. [G-20, G-38] */
export function makeWallet(
  decision: Decision,
  accountUuid: string,
  wallet: NewWallet,
  accrues: boolean,
): void {
  const { workspace, now } = decision;
  const { id, kept_back_id, payment_method_id, currency } = wallet;
  decision.insert(ledgerAccountTable, { workspace, id, kind: 'wallet', currency });
  decision.insert(ledgerAccountTable, { workspace, id: kept_back_id, kind: 'kept_back', currency });
  const empty = { workspace, amount: 0n, version: 0, accrues, owes: 0n, updated: now };
  decision.insert(balanceTable, { ...empty, id });
  decision.insert(balanceTable, { ...empty, id: kept_back_id });
  decision.insert(walletTable, { workspace, ...wallet, account_id: accountUuid, created: now });
  decision.insert(paymentMethodTable, {
    workspace,
    id: payment_method_id,
    account_id: accountUuid,
    provider: 'wallet',
    method_class: 'registration',
    display_string: `${currency} wallet`,
    currency,
    pm_state: 'ACTIVE',
    wallet_id: id,
    processor_token: '',
    ...NO_CARD,
    version: 1,
    created: now,
    updated: now,
  });
}

export interface CardInput extends EnteredToken {
  /** Id of the new payment method. */
  readonly id: string;
  /** UUID of the owner. */
  readonly account: string;
  /** The authorized invoice that alone it may pay; null or absent: it is kept. */
  readonly onlyFor?: string | null;
  /** Shown as processing_currency; a card pays any enabled currency. */
  readonly currency: string;
  readonly integrator: string;
}

const FIRST_CHOICE = 'USD';
/** The processors' names of brands, and how they are shown. */
export const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  'master-card': 'Mastercard',
  'american-express': 'American Express',
  discover: 'Discover',
  'diners-club': 'Diners Club',
  jcb: 'JCB',
  'union-pay': 'UnionPay',
  maestro: 'Maestro',
  ach: 'Bank account',
  paypal: 'PayPal account',
};

/** `Visa ending in 1111`. [G-47] */
export function cardLabel(brand: string, last4: string): string {
  return `${BRANDS[brand] ?? 'Card'} ending in ${last4}`;
}

/** Bank and PayPal-like accounts take payouts; every other brand is a card's. */
function providerOf(brand: string): PaymentMethodRow['provider'] {
  return brand === 'ach' || brand === 'paypal' ? brand : 'card';
}

/**
 * The currency that a tenant's cards show as processing_currency: USD where it is enabled, else the
 * first of the alphabet. [G-47]
 */
export function shownCurrency(enabled: ReadonlyMap<string, unknown>): string {
  return enabled.has(FIRST_CHOICE) ? FIRST_CHOICE : ([...enabled.keys()][0] ?? FIRST_CHOICE);
}

/** Announces a change of a payment method and writes it to the audit trail. */
export function announceMethod(
  decision: Decision,
  row: PaymentMethodRow,
  act: `method_${'added' | 'renamed' | 'changed' | 'removed'}`,
): void {
  note(decision, act, row.id, row.version);
  decision.announce(events.paymentMethodUpdated, row.id, row.version, {
    account_id: accountId(row.account_id),
    payment_method_id: row.id,
    state: row.pm_state,
  });
}

/** Adds what the processor has turned into a token, as `insertMethod` does. */
export function addMethod(decision: Decision, input: CardInput): PaymentMethodRow {
  const { id, account: owner, currency, brand, token } = input;
  return insertMethod(decision, {
    ...{ id, account: owner, currency, method_class: brand, processor_token: token },
    provider: providerOf(brand),
    display_string: cardLabel(brand, input.last4),
    expires: input.expires ?? null,
    fingerprint: input.fingerprint ?? null,
    only_for: input.onlyFor ?? null,
  });
}

type NewMethod = Pick<
  PaymentMethodRow,
  'id' | 'currency' | 'provider' | 'method_class' | 'display_string' | 'processor_token'
> &
  Partial<Pick<PaymentMethodRow, 'expires' | 'fingerprint' | 'only_for'>> & {
    readonly account: string;
  };

/** Adds a card or bank account to its owner, whom `load` must have read, and announces it. */
export function insertMethod(decision: Decision, method: NewMethod): PaymentMethodRow {
  const owner = decision.get(accountTable, method.account);
  if (owner === null) throw refuse(accountNotFoundInBody);
  if (owner.blocked) throw refuse(account.ACCOUNT_BLOCKED);
  return storeMethod(decision, method, 'ACTIVE');
}

/** Adds a seller's account at the processor, which takes no payouts before it is changed. */
export function addPayeeMethod(
  decision: Decision,
  { token, ...method }: Pick<NewMethod, 'id' | 'account' | 'currency'> & { readonly token: string },
): void {
  const kind = { provider: 'payee', method_class: 'payee', processor_token: token } as const;
  const display_string = 'Account at the card processor';
  storeMethod(decision, { ...method, ...kind, display_string }, 'UNVERIFIED');
}

function storeMethod(
  decision: Decision,
  { account: account_id, ...rest }: NewMethod,
  pm_state: PaymentMethodRow['pm_state'],
): PaymentMethodRow {
  const { workspace, now } = decision;
  const row: PaymentMethodRow = {
    ...{ workspace, ...NO_CARD, ...rest, account_id, pm_state },
    wallet_id: null,
    version: 1,
    created: now,
    updated: now,
  };
  decision.insert(paymentMethodTable, row);
  announceMethod(decision, row, 'method_added');
  return row;
}

/** Attaches a card to an account. Answers 201 with the payment method record. */
export const attachCard: Command<CardInput> = {
  name: 'attach_card',
  load(rows, input) {
    rows.read(accountTable, input.account);
  },
  decide(decision, input) {
    const row = addMethod(decision, input);
    return { status: 201, payload: paymentMethod(row, 0n, input.integrator) };
  },
};
