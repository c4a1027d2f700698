// Which letters a PDF of a receipt holds, and what it does with too many of them.
import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';
import { test } from 'node:test';
import type { ReceiptView } from '../product/tell/mail/index.ts';
import { receiptPdf } from './receipt-pdf.ts';

const SHOP = {
  name: 'Lampy',
  look: { background_color: '#ffffff', primary_color: '#aa3366', logo: '', preview_text: '' },
};

function view(...names: readonly string[]): ReceiptView {
  return {
    ...{ title: 'Receipt', facts: [['Number', '1']], sums: [], total: ['Total', 'USD 2.00'] },
    ...{ lines: names.map((name) => [name, 'USD 2.00']), methods: [], ends: ['Questions?'] },
  };
}

/** What a reader copies out of the file: the letters that its fonts say they show. */
function lettersIn(bytes: Buffer): ReadonlySet<string> {
  const letters = new Set<string>();
  const text = bytes.toString('latin1');
  for (const [, stream = ''] of text.matchAll(/stream\n([\s\S]*?)\nendstream/g)) {
    let plain = '';
    try {
      plain = inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
    } catch {
      continue;
    }
    if (!plain.includes('beginbfrange')) continue;
    const units = [...plain.matchAll(/<([0-9a-f]{4,})>/g)].flatMap(([, hex]) => {
      return hex?.match(/.{4}/g) ?? [];
    });
    for (const unit of units) letters.add(String.fromCharCode(Number.parseInt(unit, 16)));
  }
  return letters;
}

test('Latin, Polish, Greek, Cyrillic and Arabic letters are in the file as text', async () => {
  const names = ['A lamp', 'Żółta gęś', 'Αθήνα', 'Лампа', 'مصباح كبير (12)'];
  const amount = new Intl.NumberFormat('ar', { style: 'currency', currency: 'EGP' }).format(12);
  const bytes = await receiptPdf(view(...names, amount), SHOP);
  assert.ok(bytes);
  const found = lettersIn(bytes);
  const missing = [...new Set(names.join(''))].filter((one) => !found.has(one));
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
