// Rows of invoices: the current-state row, and the document that is written once. [seed: Invoice]
import { tableOf, type RowOf } from '../../../engine/index.ts';
import { invoiceMachine } from './machine.ts';

export const invoiceTable = tableOf('invoice', 60, {
  id: 'uuid',
  account_id: 'uuid',
  state: invoiceMachine.states,
  version: 'int4',
  failure_code: 'text?',
  updated: 'timestamptz',
}, { constant: ['workspace', 'state', 'version', 'failure_code', 'updated'], versioned: true });
export type InvoiceRow = RowOf<typeof invoiceTable>;

/** The terms of the sale (see stored-terms.ts); written at creation and never changed. */
export const invoiceDocumentTable = tableOf('invoice_document', 61, {
  id: 'uuid',
  document: 'json',
}, { constant: ['workspace'], remembered: 1_000 });
export type InvoiceDocumentRow = RowOf<typeof invoiceDocumentTable>;
