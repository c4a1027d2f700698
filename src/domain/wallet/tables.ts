// Rows of wallets, payment methods, deposits, payment attempts and outbound transfers.
import { defineTable, type IdRow, type Index, type WorldRow } from '../../engine/index.ts';
import type { Instant } from '../../kernel/time.ts';
import type { AttemptState } from './attempt-machine.ts';
import type { DepositState } from './machine.ts';
import type { RemittanceState } from './remittance-machine.ts';

/** A wallet; immutable. Its id is also that of its ledger account. */
export interface WalletRow extends IdRow {
  /** Null for the integrator's. */
  readonly account_id: string | null;
  readonly currency: string;
  /**
   * The restricted account: takes credits while the owner is not eligible, null for the integrator.
   * [G-38]
   */
  readonly kept_back_id: string | null;
  readonly payment_method_id: string | null;
  readonly created: Instant;
}

export const walletTable = defineTable<WalletRow>({
  name: 'wallet',
  rank: 30,
  remembered: 20_000,
  columns: {
    world: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    currency: 'text',
    kept_back_id: 'uuid',
    payment_method_id: 'uuid',
    created: 'timestamptz',
  },
});

export const walletsOfAccount: Index<WalletRow> = { table: walletTable, column: 'account_id' };

/** A way to pay or to be paid. */
export interface PaymentMethodRow extends IdRow {
  readonly account_id: string;
  readonly provider: string;
  readonly method_class: string;
  readonly display_string: string;
  readonly currency: string;
  readonly pm_state: string;
  readonly wallet_id: string | null;
  /** The processor's token of a card; '' for a wallet. */
  readonly processor_token: string;
  /** Counts changes from 1; the version of its events. */
  readonly version: number;
  readonly created: Instant;
  readonly updated: Instant;
}

export const paymentMethodTable = defineTable<PaymentMethodRow>({
  name: 'payment_method',
  rank: 31,
  columns: {
    world: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    provider: 'text',
    method_class: 'text',
    display_string: 'text',
    currency: 'text',
    pm_state: 'text',
    wallet_id: 'uuid',
    processor_token: 'text',
    version: 'int4',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});

export const methodsOfAccount: Index<PaymentMethodRow> = {
  table: paymentMethodTable,
  column: 'account_id',
};

/** An entry at the processor, and the one payment method that came of it. */
export interface MethodEntryRow extends IdRow {
  readonly account_id: string;
  /** By the clock of the workspace. */
  readonly expires: Instant;
  /** Null until it was attached. */
  readonly payment_method_id: string | null;
}

export const methodEntryTable = defineTable<MethodEntryRow>({
  name: 'method_entry',
  rank: 29,
  columns: {
    world: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    expires: 'timestamptz',
    payment_method_id: 'uuid',
  },
});

/** Money into a wallet from a card or, in the sandbox, from nowhere. [G-49] */
export interface DepositRow extends IdRow {
  /** Null for a deposit to the integrator's own wallet. */
  readonly account_id: string | null;
  readonly wallet_id: string;
  readonly payment_method_id: string | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly state: DepositState;
  readonly version: number;
  readonly failure_code: string | null;
  readonly created: Instant;
  readonly updated: Instant;
}

export const depositTable = defineTable<DepositRow>({
  name: 'deposit',
  rank: 40,
  versioned: true,
  columns: {
    world: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    wallet_id: 'uuid',
    payment_method_id: 'uuid',
    currency: 'text',
    amount: 'int8',
    state: 'text',
    version: 'int4',
    failure_code: 'text',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});

/** One card payment at the processor. */
export interface AttemptRow extends IdRow {
  /** The invoice or deposit that it pays for. */
  readonly resource_id: string;
  readonly purpose: string;
  readonly payment_method_id: string;
  readonly processor_token: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly state: AttemptState;
  readonly version: number;
  readonly processor_reference: string | null;
  readonly failure_code: string | null;
  /** The bank's page where the buyer confirms; null unless the bank requires that. */
  readonly authentication_url: string | null;
  readonly updated: Instant;
}

export const attemptTable = defineTable<AttemptRow>({
  name: 'attempt',
  rank: 50,
  versioned: true,
  columns: {
    world: 'int4',
    id: 'uuid',
    resource_id: 'uuid',
    purpose: 'text',
    payment_method_id: 'uuid',
    processor_token: 'text',
    currency: 'text',
    amount: 'int8',
    state: 'text',
    version: 'int4',
    processor_reference: 'text',
    failure_code: 'text',
    authentication_url: 'text',
    updated: 'timestamptz',
  },
});

export const attemptsOfResource: Index<AttemptRow> = {
  table: attemptTable,
  column: 'resource_id',
};

/** A job for the worker that calls the processor, due at once; no decision reads it. */
export interface AttemptJobRow extends WorldRow {
  readonly attempt_id: string;
}

export const attemptJobTable = defineTable<AttemptJobRow>({
  name: 'attempt_job',
  rank: 0,
  columns: { world: 'int4', attempt_id: 'uuid' },
});

/** An outbound transfer. */
export interface RemittanceRow extends IdRow {
  /** The refund invoice, payout or discrepancy that it is sent for. */
  readonly resource_id: string;
  readonly purpose: string;
  readonly kind: string;
  /** For a refund the id of the charge, for a payout the processor's token of the account. */
  readonly target: string;
  readonly payment_method_id: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly state: RemittanceState;
  readonly version: number;
  readonly processor_reference: string | null;
  readonly failure_code: string | null;
  readonly updated: Instant;
}

export const remittanceTable = defineTable<RemittanceRow>({
  name: 'remittance',
  rank: 52,
  versioned: true,
  columns: {
    world: 'int4',
    id: 'uuid',
    resource_id: 'uuid',
    purpose: 'text',
    kind: 'text',
    target: 'text',
    payment_method_id: 'uuid',
    currency: 'text',
    amount: 'int8',
    state: 'text',
    version: 'int4',
    processor_reference: 'text',
    failure_code: 'text',
    updated: 'timestamptz',
  },
});

export const remittancesOfResource: Index<RemittanceRow> = {
  table: remittanceTable,
  column: 'resource_id',
};

/** A job for an outbound transfer, due at once; no decision reads it. */
export interface RemittanceJobRow extends WorldRow {
  readonly remittance_id: string;
}

export const remittanceJobTable = defineTable<RemittanceJobRow>({
  name: 'remittance_job',
  rank: 0,
  columns: { world: 'int4', remittance_id: 'uuid' },
});
