// Rows of invoices: the current-state row, and the document that is written once. [seed: Invoice]
import { defineTable, type IdRow } from '../../engine/index.ts';
import type { Instant } from '../../kernel/time.ts';

export interface InvoiceRow extends IdRow {
  readonly account_id: string;
  readonly state: string;
  readonly version: number;
  readonly failure_code: string | null;
  readonly updated: Instant;
}

export const invoiceTable = defineTable<InvoiceRow>({
  name: 'invoice',
  rank: 60,
  alike: ['world', 'state', 'version', 'failure_code', 'updated'],
  versioned: true,
  columns: {
    world: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    state: 'text',
    version: 'int4',
    failure_code: 'text',
    updated: 'timestamptz',
  },
});

/** The terms of the sale; written at creation and never changed. */
export interface InvoiceDocumentRow extends IdRow {
  /** JSON of the terms: see agreement.ts. */
  readonly document: string;
}

export const invoiceDocumentTable = defineTable<InvoiceDocumentRow>({
  name: 'invoice_document',
  rank: 61,
  alike: ['world'],
  remembered: 1_000,
  columns: { world: 'int4', id: 'uuid', document: 'json' },
});
