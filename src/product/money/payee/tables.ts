// Rows of sellers' accounts at the processor. Its own reference is the token of the payment method.
import { indexBy, tableOf, type RowOf } from '../../../engine/index.ts';
import { payeeMachine } from './machine.ts';

export const payeeTable = tableOf('payee', 33, {
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
}, { versioned: true });
export type PayeeRow = RowOf<typeof payeeTable>;

export const payeesOfAccount = indexBy(payeeTable, 'account_id');

/** A job for the worker that asks the processor, due at once; no decision reads it. */
export const payeeJobTable = tableOf('payee_job', 0, { payee_id: 'uuid' });
