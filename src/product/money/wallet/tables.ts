// Rows of wallets, payment methods, deposits, payment attempts and outbound transfers.
import { indexBy, stateTable, tableOf, type RowOf } from '../../../core/table.ts';
import { attemptMachine } from './attempt-machine.ts';
import { depositMachine } from './machine.ts';
import { transferMachine } from './transfer-machine.ts';

/** A wallet; immutable. Its id is also that of its ledger account. */
export const walletTable = tableOf('wallet', 30, {
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
}, { remembered: 20_000 });
export type WalletRow = RowOf<typeof walletTable>;

export const walletsOfAccount = indexBy(walletTable, 'account_id');

/**
 * `bank` is an account by IBAN, which payouts reach by file; `payee` a seller's own account at the
 * processor. Both pay nothing. `once` pays on the processor's page, where nothing is saved.
 */
export const PROVIDERS = ['wallet', 'card', 'ach', 'paypal', 'bank', 'payee', 'once'] as const;
/** Those that only receive payouts. */
export const RECEIVING: readonly string[] = ['bank', 'payee'];
export const METHOD_STATES = ['ACTIVE', 'INACTIVE', 'UNVERIFIED'] as const;

/** A way to pay or to be paid. */
export const paymentMethodTable = tableOf('payment_method', 31, {
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
  /** The last month in which a card is valid, `YYYY-MM`; null where the processor does not say. */
  expires: 'text?',
  /** The processor's mark of the card, the same however often it is entered; null: none. */
  fingerprint: 'text?',
  /** When its owner made it the default; of an account's methods the latest counts. */
  preferred: 'timestamptz?',
  /** The authorized invoice that alone it may pay; null: it is kept. */
  only_for: 'uuid?',
  /** Counts changes from 1; the version of its events. */
  version: 'int4',
  created: 'timestamptz',
  updated: 'timestamptz',
});
export type PaymentMethodRow = RowOf<typeof paymentMethodTable>;

/** What only a card has. */
export const NO_CARD = {
  ...{ expires: null, fingerprint: null },
  ...{ preferred: null, only_for: null },
} as const;

/** The holder and IBAN of a bank account, sealed; the id is the payment method's. */
export const payoutDestinationTable = tableOf('payout_destination', 32, {
  id: 'uuid',
  sealed: 'text',
});

export const methodsOfAccount = indexBy(paymentMethodTable, 'account_id');

/** An entry at the processor, and the one payment method that came of it. */
export const methodEntryTable = tableOf('method_entry', 29, {
  id: 'uuid',
  account_id: 'uuid',
  /** By the clock of the workspace. */
  expires: 'timestamptz',
  /** Null until it was attached. */
  payment_method_id: 'uuid?',
});

/** Money into a wallet from a card, a bank or, in the sandbox, from nowhere. [G-49, G-91] */
export const depositTable = stateTable('deposit', 40, depositMachine.states, {
  /** Null for a deposit to the integrator's own wallet. */
  account_id: 'uuid?',
  wallet_id: 'uuid',
  payment_method_id: 'uuid?',
  /** The bank transfer that it came with. */
  incoming_transfer_id: 'uuid?',
  currency: 'text',
  amount: 'int8',
  failure_code: 'text?',
  created: 'timestamptz',
});
export type DepositRow = RowOf<typeof depositTable>;

/** One card payment at the processor. */
export const attemptTable = stateTable('attempt', 50, attemptMachine.states, {
  /** The invoice or deposit that it pays for. */
  resource_id: 'uuid',
  purpose: ['invoice', 'escrow', 'deposit'],
  payment_method_id: 'uuid',
  processor_token: 'text',
  currency: 'text',
  amount: 'int8',
  processor_reference: 'text?',
  failure_code: 'text?',
  /** The provider's connection that it was made at; null for the simulator. */
  connection_id: 'uuid?',
  /** The bank's page where the buyer confirms; null unless the bank requires that. */
  authentication_url: 'text?',
});
export type AttemptRow = RowOf<typeof attemptTable>;

export const attemptsOfResource = indexBy(attemptTable, 'resource_id');

/** A job for the worker that calls the processor, due at once; no decision reads it. */
export const attemptJobTable = tableOf('attempt_job', 0, { attempt_id: 'uuid' });

/** An outbound transfer. */
export const transferTable = stateTable('transfer', 52, transferMachine.states, {
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
  processor_reference: 'text?',
  failure_code: 'text?',
});
export type TransferRow = RowOf<typeof transferTable>;

export const transfersOfResource = indexBy(transferTable, 'resource_id');

/** A job for an outbound transfer, due at once; no decision reads it. */
export const transferJobTable = tableOf('transfer_job', 0, { transfer_id: 'uuid' });

/** What a seller owes of a lost dispute; immutable. Minor units. [G-93] */
export const walletDebtTable = tableOf('wallet_debt', 0, {
  id: 'uuid',
  dispute_id: 'uuid',
  account_id: 'uuid',
  wallet_id: 'uuid',
  currency: 'text',
  amount: 'int8',
  created: 'timestamptz',
});

/** What a sale repaid of a wallet's debts; immutable. Minor units. */
export const debtRepaymentTable = tableOf('debt_repayment', 0, {
  wallet_id: 'uuid',
  invoice_id: 'uuid',
  amount: 'int8',
  created: 'timestamptz',
});
