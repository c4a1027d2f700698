// A receipt as PDF: one column on A4, the same rows as the page. Latin, Greek, Cyrillic and Arabic
// letters are written with the fonts that come along; a receipt with any other is not made.
import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import type { ReceiptView, Row, Shop } from '../product/tell/mail/index.ts';
import type { TenantSettings } from '../product/tenant/settings/index.ts';
import { NotWritable, TextSetter } from './text-setter.ts';

const { resolve } = createRequire(import.meta.url);
const noto = (subset: string): string =>
  resolve(`@fontsource/noto-sans/files/noto-sans-${subset}-400-normal.woff`);

/** In the order in which a letter is looked for. */
const FONTS = [
  ...['latin', 'latin-ext', 'greek', 'cyrillic'].map(noto),
  ...['greek-ext', 'cyrillic-ext', 'vietnamese'].map(noto),
  resolve('@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-400-normal.woff'),
];

/** In points: A4 with margins of 20 mm. */
const MARGIN = 56;
const WIDTH = 595 - 2 * MARGIN;
const BOTTOM = 842 - MARGIN;
const AMOUNTS = 150;
const GREY = '#4b5563';
const INK = '#111827';

export type PdfShop = Pick<Shop, 'look' | 'name' | 'language'>;

/** The bytes of the file; null where a letter is in none of the fonts. */
export async function receiptPdf(
  view: ReceiptView,
  { look, name, language: lang }: PdfShop,
): Promise<Buffer | null> {
  const info = { Title: `${view.title} · ${name}`, Creator: name, Producer: '' };
  const paper = new PDFDocument({ size: 'A4', margin: MARGIN, info, font: FONTS[0], lang });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((done) => paper.on('end', done));
  paper.on('data', (chunk: Buffer) => chunks.push(chunk));
  try {
    write(paper, new TextSetter(paper, FONTS), view, look);
  } catch (error) {
    if (error instanceof NotWritable) return null;
    throw error;
  }
  paper.end();
  await ended;
  return Buffer.concat(chunks);
}

function write(
  paper: PDFKit.PDFDocument,
  setter: TextSetter,
  view: ReceiptView,
  look: TenantSettings['look'],
): void {
  let y = MARGIN;
  const line = (color: string, width: number): void => {
    paper.moveTo(MARGIN, y).lineTo(MARGIN + WIDTH, y).lineWidth(width).stroke(color);
    y += 6;
  };
  const text = (words: string, size: number, color: string): void => {
    y = setter.set(words, { x: MARGIN, y, width: WIDTH, size, color });
  };
  const row = ([what, value]: Row, ofName: number, color: string): void => {
    if (y > BOTTOM - 40) {
      paper.addPage();
      y = MARGIN;
    }
    const common = { y, size: 10.5 };
    const left = { ...common, x: MARGIN, width: ofName - 12, color };
    const right = { ...common, x: MARGIN + ofName, width: WIDTH - ofName, color: INK };
    y = Math.max(setter.set(what, left), setter.set(value, { ...right, atEnd: true })) + 4;
  };
  line(look.primary_color, 3);
  const picture = Buffer.from(look.logo.split(',', 2)[1] ?? '', 'base64');
  if (picture.length > 0) {
    try {
      paper.image(picture, MARGIN, y + 6, { fit: [200, 40] });
      y += 56;
    } catch {
      // A kind of picture that the library cannot read: the shop's name stands below.
    }
  }
  text(view.title, 20, INK);
  y += 8;
  view.facts.forEach((one) => row(one, AMOUNTS, GREY));
  y += 14;
  for (const one of [...view.lines, ...view.sums]) row(one, WIDTH - AMOUNTS, INK);
  line(INK, 1);
  row(view.total, WIDTH - AMOUNTS, INK);
  line(INK, 0.5);
  view.methods.forEach((one) => row(one, WIDTH - AMOUNTS, GREY));
  y += 14;
  view.ends.forEach((end) => text(end, 9, GREY));
}
