// Rows of invoices: the current-state row, and the document that is written once. [seed: Invoice]
import { tableOf, type RowOf } from '../../../engine/index.ts';
import { invoiceMachine } from './machine.ts';

export const invoiceTable = tableOf({
  name: 'invoice',
  rank: 60,
  alike: ['world', 'state', 'version', 'failure_code', 'updated'],
  versioned: true,
  columns: {
    world: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    state: invoiceMachine.states,
    version: 'int4',
    failure_code: 'text?',
    updated: 'timestamptz',
  },
});
export type InvoiceRow = RowOf<typeof invoiceTable>;

/** The terms of the sale as JSON (see agreement.ts); written at creation and never changed. */
export const invoiceDocumentTable = tableOf({
  name: 'invoice_document',
  rank: 61,
  alike: ['world'],
  remembered: 1_000,
  columns: { world: 'int4', id: 'uuid', document: 'json' },
});
export type InvoiceDocumentRow = RowOf<typeof invoiceDocumentTable>;
