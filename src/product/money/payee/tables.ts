// Rows of sellers' accounts at the processor. Its own reference is the token of the payment method.
import { tableOf, type Index, type RowOf } from '../../../engine/index.ts';
import { payeeMachine } from './machine.ts';

export const payeeTable = tableOf({
  name: 'payee',
  rank: 33,
  versioned: true,
  columns: {
    workspace: 'int4',
    /** Also our key at the processor. */
    id: 'uuid',
    account_id: 'uuid',
    purpose: ['payee'],
    state: payeeMachine.states,
    version: 'int4',
    /** ISO 3166-1 alpha-2; '' leaves it to the processor. */
    country: 'text',
    /** Null until the processor has opened it. */
    payment_method_id: 'uuid?',
    /** What the processor requires, as a JSON list of its own words. */
    due_items: 'text',
    /** The version of the identity state that followed from this account last; null: none. */
    kyc_version: 'int4?',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});
export type PayeeRow = RowOf<typeof payeeTable>;

export const payeesOfAccount: Index<PayeeRow> = { table: payeeTable, column: 'account_id' };

/** A job for the worker that asks the processor, due at once; no decision reads it. */
export const payeeJobTable = tableOf({
  name: 'payee_job',
  rank: 0,
  columns: { workspace: 'int4', payee_id: 'uuid' },
});
