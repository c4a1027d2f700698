// PDFs are made on a thread of their own: shaping a hundred long lines takes half a second, in
// which a process would answer nobody. The library and the fonts are loaded with the first one.
import { extname } from 'node:path';
import { Pool } from '../concurrency/threads.ts';
import type { ReceiptView } from '../product/tell/mail/index.ts';
import type { MadePdf, PdfJob } from './pdf-worker.ts';
import type { PdfShop } from './receipt-pdf.ts';

/** Makes files of receipts. */
export interface PdfThread {
  /** The bytes of the file; null where a letter is in none of the fonts. */
  make(view: ReceiptView, shop: PdfShop): Promise<Uint8Array | null>;
  close(): Promise<void>;
}

const JOB_MS = 10_000;
/** Sources run as TypeScript, the package as JavaScript. */
const SCRIPT = new URL(`./pdf-worker${extname(import.meta.filename)}`, import.meta.url);

export function pdfThread(): PdfThread {
  let died: unknown;
  const fault = (error: unknown): void => void (died = error);
  const pool = new Pool({ script: SCRIPT, size: 1, jobMs: JOB_MS, fault });
  return {
    async make(view, { look, name, language }) {
      const job: PdfJob = { view, shop: { look, name, language } };
      const made = (await pool.run(job, [])) as MadePdf | null;
      if (made === null) throw new Error('the thread that makes PDFs ended', { cause: died });
      return made.bytes;
    },
    close: () => pool.close(),
  };
}
