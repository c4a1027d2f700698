// Rows of invoices: the current-state row, and the document that is written once. [seed: Invoice]
import { stateTable, tableOf, type RowOf } from '../../../core/table.ts';
import { invoiceMachine } from './machine.ts';

export const invoiceTable = stateTable('invoice', 60, invoiceMachine.states, {
  account_id: 'uuid',
  failure_code: 'text?',
}, { constant: ['workspace', 'state', 'version', 'failure_code', 'updated'],});
export type InvoiceRow = RowOf<typeof invoiceTable>;

/** The terms of the sale (see stored-terms.ts); written at creation and never changed. */
export const invoiceDocumentTable = tableOf('invoice_document', 61, {
  id: 'uuid',
  document: 'json',
}, { constant: ['workspace'], remembered: 1_000 });
export type InvoiceDocumentRow = RowOf<typeof invoiceDocumentTable>;
