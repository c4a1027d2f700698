// Which letters a PDF of a receipt holds, what it does with too many of them, and that nobody waits
// for it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractText, getDocumentProxy } from 'unpdf';
import type { ReceiptView } from '../product/tell/mail/index.ts';
import { pdfThread } from './pdf-thread.ts';
import { receiptPdf } from './receipt-pdf.ts';

const SHOP = {
  ...{ name: 'Lampy', language: 'pl' },
  look: { background_color: '#ffffff', primary_color: '#aa3366', logo: '', preview_text: '' },
};

function view(...names: readonly string[]): ReceiptView {
  return {
    ...{ title: 'Receipt', facts: [['Number', '1']], sums: [], total: ['Total', 'USD 2.00'] },
    ...{ lines: names.map((name) => [name, 'USD 2.00']), methods: [], ends: ['Questions?'] },
  };
}

test('Latin, Polish, Greek, Cyrillic and Arabic letters are in the file as text', async () => {
  const names = ['A lamp', 'Żółta gęś', 'Αθήνα', 'Лампа', 'مصباح كبير (12)'];
  const amount = new Intl.NumberFormat('ar', { style: 'currency', currency: 'EGP' }).format(12);
  const bytes = await receiptPdf(view(...names, amount), SHOP);
  assert.ok(bytes);
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: true });
  const missing = [...new Set(names.join(''))].filter((one) => !text.includes(one));
  assert.deepEqual(missing, []);
});

test('a receipt with letters that no font has is not made', async () => {
  assert.equal(await receiptPdf(view('ランプ'), SHOP), null);
  assert.equal(await receiptPdf(view('A lamp 💡'), SHOP), null);
});

test('two hundred lines, and a word without an end, go on over pages', async () => {
  const many = Array.from({ length: 200 }, (_, n) => `Lamp ${n}`);
  const bytes = await receiptPdf(view(...many, 'x'.repeat(400)), SHOP);
  const pages = bytes?.toString('latin1').match(/\/Type \/Page\n/g) ?? [];
  assert.ok(pages.length > 3, `${pages.length} pages`);
});

test('the file says in which language it is', async () => {
  const bytes = await receiptPdf(view('Lampa'), SHOP);
  const file = await getDocumentProxy(new Uint8Array(bytes ?? []));
  const { info } = await file.getMetadata();
  assert.equal((info as { readonly Language?: string }).Language, 'pl');
});

test('a hundred lines of long words keep the process from nothing else', async () => {
  const words = Array.from({ length: 20 }, (_, n) => `Donaudampfschifffahrts${n}gesellschaft`);
  const lines = Array.from({ length: 100 }, (_, n) => `${n} ${words.join(' ')}`);
  const pdfs = pdfThread();
  const before = process.threadCpuUsage();
  const bytes = await pdfs.make(view(...lines), SHOP);
  const { user, system } = process.threadCpuUsage(before);
  await pdfs.close();
  assert.equal(Buffer.from(bytes ?? []).toString('latin1', 0, 5), '%PDF-');
  // Microseconds of this thread: 0.2 s are allowed, in which other requests would wait.
  assert.ok(user + system < 200_000, `${user + system} microseconds`);
});
