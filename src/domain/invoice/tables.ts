// Rows of invoices: the moving head, and the document that is written once. [seed: Invoice]
import { defineTable, type IdRow } from '../../engine/index.ts';
import type { Instant } from '../../kernel/time.ts';

/** The moving part of an invoice. */
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

/** What was agreed at creation; never changes. */
export interface InvoiceDocumentRow extends IdRow {
  /** JSON of the agreement: see agreement.ts. */
  readonly document: string;
}

export const invoiceDocumentTable = defineTable<InvoiceDocumentRow>({
  name: 'invoice_document',
  rank: 61,
  alike: ['world'],
  remembered: 1_000,
  columns: { world: 'int4', id: 'uuid', document: 'json' },
});
