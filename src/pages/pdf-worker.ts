// The worker thread that makes PDFs of receipts, one at a time. An error ends it.
import { parentPort } from 'node:worker_threads';
import { receiptPdf, type PdfShop } from './receipt-pdf.ts';
import type { ReceiptView } from '../product/tell/mail/index.ts';

/** What is asked of the thread. */
export interface PdfJob {
  readonly view: ReceiptView;
  readonly shop: PdfShop;
}

/** What it answers. */
export interface MadePdf {
  /** Null where a letter is in none of the fonts. */
  readonly bytes: Uint8Array | null;
}

parentPort?.on('message', async ({ view, shop }: PdfJob) => {
  const made: MadePdf = { bytes: await receiptPdf(view, shop) };
  parentPort?.postMessage(made);
});
