// Rows of invoices: the current-state row, and the document that is written once. [seed: Invoice]
import { tableOf, type RowOf } from '../../../engine/index.ts';
import { invoiceMachine } from './machine.ts';

export const invoiceTable = tableOf({
  name: 'invoice',
  rank: 60,
  constant: ['workspace', 'state', 'version', 'failure_code', 'updated'],
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    state: invoiceMachine.states,
    version: 'int4',
    failure_code: 'text?',
    updated: 'timestamptz',
  },
});
export type InvoiceRow = RowOf<typeof invoiceTable>;

/** The terms of the sale as JSON (see sale-terms.ts); written at creation and never changed. */
export const invoiceDocumentTable = tableOf({
  name: 'invoice_document',
  rank: 61,
  constant: ['workspace'],
  remembered: 1_000,
  columns: { workspace: 'int4', id: 'uuid', document: 'json' },
});
export type InvoiceDocumentRow = RowOf<typeof invoiceDocumentTable>;
