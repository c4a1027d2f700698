// Rows of wallets, payment methods, deposits, payment attempts and outbound transfers.
import { tableOf, type Index, type RowOf } from '../../../engine/index.ts';
import { attemptMachine } from './attempt-machine.ts';
import { depositMachine } from './machine.ts';
import { transferMachine } from './transfer-machine.ts';

/** A wallet; immutable. Its id is also that of its ledger account. */
export const walletTable = tableOf({
  name: 'wallet',
  rank: 30,
  remembered: 20_000,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    /** Null for the integrator's. */
    account_id: 'uuid?',
    currency: 'text',
    /**
     * The restricted account: takes credits while the owner is not eligible, null for the
     * integrator. [G-38]
     */
    kept_back_id: 'uuid?',
    payment_method_id: 'uuid?',
    created: 'timestamptz',
  },
});
export type WalletRow = RowOf<typeof walletTable>;

export const walletsOfAccount: Index<WalletRow> = { table: walletTable, column: 'account_id' };

/**
 * `bank` is an account by IBAN, which payouts reach by file; `payee` a seller's own account at the
 * processor. Both pay nothing.
 */
export const PROVIDERS = ['wallet', 'card', 'ach', 'paypal', 'bank', 'payee'] as const;
/** Those that only receive payouts. */
export const RECEIVING: readonly string[] = ['bank', 'payee'];
export const METHOD_STATES = ['ACTIVE', 'INACTIVE', 'UNVERIFIED'] as const;

/** A way to pay or to be paid. */
export const paymentMethodTable = tableOf({
  name: 'payment_method',
  rank: 31,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    provider: PROVIDERS,
    method_class: 'text',
    display_string: 'text',
    currency: 'text',
    pm_state: METHOD_STATES,
    wallet_id: 'uuid?',
    /** The processor's token; '' for a wallet and a bank account by IBAN. */
    processor_token: 'text',
    /** Counts changes from 1; the version of its events. */
    version: 'int4',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});
export type PaymentMethodRow = RowOf<typeof paymentMethodTable>;

/** The holder and IBAN of a bank account, sealed; the id is the payment method's. */
export const payoutDestinationTable = tableOf({
  name: 'payout_destination',
  rank: 32,
  columns: { workspace: 'int4', id: 'uuid', sealed: 'text' },
});

export const methodsOfAccount: Index<PaymentMethodRow> = {
  table: paymentMethodTable,
  column: 'account_id',
};

/** An entry at the processor, and the one payment method that came of it. */
export const methodEntryTable = tableOf({
  name: 'method_entry',
  rank: 29,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    /** By the clock of the workspace. */
    expires: 'timestamptz',
    /** Null until it was attached. */
    payment_method_id: 'uuid?',
  },
});

/** Money into a wallet from a card, a bank or, in the sandbox, from nowhere. [G-49, G-91] */
export const depositTable = tableOf({
  name: 'deposit',
  rank: 40,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    /** Null for a deposit to the integrator's own wallet. */
    account_id: 'uuid?',
    wallet_id: 'uuid',
    payment_method_id: 'uuid?',
    /** The bank transfer that it came with. */
    incoming_transfer_id: 'uuid?',
    currency: 'text',
    amount: 'int8',
    state: depositMachine.states,
    version: 'int4',
    failure_code: 'text?',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});
export type DepositRow = RowOf<typeof depositTable>;

/** One card payment at the processor. */
export const attemptTable = tableOf({
  name: 'attempt',
  rank: 50,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    /** The invoice or deposit that it pays for. */
    resource_id: 'uuid',
    purpose: ['invoice', 'escrow', 'deposit'],
    payment_method_id: 'uuid',
    processor_token: 'text',
    currency: 'text',
    amount: 'int8',
    state: attemptMachine.states,
    version: 'int4',
    processor_reference: 'text?',
    failure_code: 'text?',
    /** The bank's page where the buyer confirms; null unless the bank requires that. */
    authentication_url: 'text?',
    updated: 'timestamptz',
  },
});
export type AttemptRow = RowOf<typeof attemptTable>;

export const attemptsOfResource: Index<AttemptRow> = {
  table: attemptTable,
  column: 'resource_id',
};

/** A job for the worker that calls the processor, due at once; no decision reads it. */
export const attemptJobTable = tableOf({
  name: 'attempt_job',
  rank: 0,
  columns: { workspace: 'int4', attempt_id: 'uuid' },
});

/** An outbound transfer. */
export const transferTable = tableOf({
  name: 'transfer',
  rank: 52,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    /** The refund invoice, payout or discrepancy that it is sent for. */
    resource_id: 'uuid',
    purpose: ['escrow_cancel', 'refund', 'payout', 'double_capture'],
    kind: ['refund', 'payout'],
    /** For a refund the id of the charge, for a payout the processor's token of the account. */
    target: 'text',
    payment_method_id: 'uuid',
    currency: 'text',
    amount: 'int8',
    /** How it leaves: through the processor, or in a file that operators hand to a bank. */
    rail: ['processor', 'file'],
    state: transferMachine.states,
    version: 'int4',
    processor_reference: 'text?',
    failure_code: 'text?',
    updated: 'timestamptz',
  },
});
export type TransferRow = RowOf<typeof transferTable>;

export const transfersOfResource: Index<TransferRow> = {
  table: transferTable,
  column: 'resource_id',
};

/** A job for an outbound transfer, due at once; no decision reads it. */
export const transferJobTable = tableOf({
  name: 'transfer_job',
  rank: 0,
  columns: { workspace: 'int4', transfer_id: 'uuid' },
});

/** What a seller owes of a lost dispute; immutable. Minor units. [G-93] */
export const walletDebtTable = tableOf({
  name: 'wallet_debt',
  rank: 0,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    dispute_id: 'uuid',
    account_id: 'uuid',
    wallet_id: 'uuid',
    currency: 'text',
    amount: 'int8',
    created: 'timestamptz',
  },
});

/** What a sale repaid of a wallet's debts; immutable. Minor units. */
export const debtRepaymentTable = tableOf({
  name: 'debt_repayment',
  rank: 0,
  columns: {
    workspace: 'int4',
    wallet_id: 'uuid',
    invoice_id: 'uuid',
    amount: 'int8',
    created: 'timestamptz',
  },
});
