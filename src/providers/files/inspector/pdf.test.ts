// PDFs: a plain document passes with unchanged offsets and blanked metadata; one that has actions,
// is encrypted, embeds files or is also another file type is refused, however it is spelt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import {
  exif,
  jpeg,
  packedStream,
  pdfOf,
  pdfStream,
  PDF_PAGES,
} from '../../../../test/kit/sample-files.ts';
import { inspect } from './inspect.ts';
import type { Bytes } from './jobs.ts';

async function look(bytes: Buffer) {
  const content = new Uint8Array(bytes) as Bytes;
  const job = { task: 'inspect', kind: 'document', form: 'bytes', claims: ['.pdf'] } as const;
  return inspect({ ...job, content, maxBytes: 20 * 1_048_576 });
}

async function codeOf(bytes: Buffer): Promise<string> {
  const found = await look(bytes);
  return found.ok ? 'fine' : found.code;
}

async function rewritten(bytes: Buffer): Promise<string> {
  const found = await look(bytes);
  assert.ok(found.ok, found.ok ? '' : found.code);
  return Buffer.from(found.bytes).toString('latin1');
}

const LINK = '<</Type/Annot/Subtype/Link/A<</S/URI/URI(https://example.com)>>>>';

test('documents pass, also with links and a place to open at', async () => {
  assert.equal(await rewritten(pdfOf(PDF_PAGES)), pdfOf(PDF_PAGES).toString('latin1'));
  const [, ...pages] = PDF_PAGES;
  const opening = (action: string) => [`<</OpenAction${action}/Pages 2 0 R>>`, ...pages];
  const fine = [' [3 0 R/XYZ null null 0]', '[3 0 R /Fit]', '<</S/GoTo/D[3 0 R/Fit]>>', ' 5 0 R'];
  for (const action of fine) assert.equal(await codeOf(pdfOf(opening(action))), 'fine', action);
  assert.equal(await codeOf(pdfOf([...opening('[3 0 R/Fit]'), LINK])), 'fine');
  // What runs by itself when the document is opened.
  for (const action of ['<</S/URI/URI(https://example.com)>>', ' 5 0 R']) {
    assert.equal(await codeOf(pdfOf([...opening(action), LINK])), ACTIVE, action);
  }
});

const ACTIVE = 'FILE_ACTIVE_CONTENT';
const ACTIONS = [
  '<</S/JavaScript/JS(app.alert(1))>>',
  '<</S /J#61vaScript /J#53 5 0 R>>',
  '<</S/#4a#61#76#61#53#63#72#69#70#74>>',
  '<</JS(x)>>',
  '<</S/Launch/F(cmd.exe)>>',
  '<</Names<</EmbeddedFiles 9 0 R>>>>',
  '<</Type/EmbeddedFile>>',
  '<</Subtype/RichMedia>>',
  '<</S/SubmitForm/F(https://example.com)>>',
  '<</S/ImportData>>',
  '<</S/GoToE>>',
  '<</S/GoToR/F(other.pdf)>>',
  '<</S/Rendition/JS(x)>>',
  '<</AA<</O 7 0 R>>>>',
  '<</XFA 5 0 R>>',
  // A viewer that repairs the file does not see that this is a text or a comment.
  '(never closed <</S/JavaScript>>',
  '% a comment <</S/JavaScript>>',
];

test('actions and embedded files are refused, in plain and in packed objects', async () => {
  for (const action of ACTIONS) {
    assert.equal(await codeOf(pdfOf([...PDF_PAGES, action])), ACTIVE, action);
    const packed = packedStream('/Type/ObjStm/N 1/First 4', `9 0 ${action}`);
    assert.equal(await codeOf(pdfOf([...PDF_PAGES, packed])), ACTIVE, `packed ${action}`);
    const untyped = packedStream('/#4e 1/F#69rst 4', `9 0 ${action}`);
    assert.equal(await codeOf(pdfOf([...PDF_PAGES, untyped])), ACTIVE, `untyped ${action}`);
  }
  for (const action of ACTIONS.filter((one) => one.includes('/S/JavaScript'))) {
    // An object that only a false offset leads to.
    const within = pdfStream('/Filter/FlateDecode', `x 9 0 obj ${action} endobj`);
    assert.equal(await codeOf(pdfOf([...PDF_PAGES, within])), ACTIVE, `within ${action}`);
  }
  const near = ['<</JavaScriptish 1/JSON 2/Launcher 3/AAB 4>>', '(JavaScript, JS and Launch)'];
  for (const text of near) assert.equal(await codeOf(pdfOf([...PDF_PAGES, text])), 'fine', text);
});

test('objects that cannot be inspected are refused', async () => {
  const body = '9 0 <</S/JavaScript>>';
  const odd = [
    pdfStream('/Type/ObjStm/N 1/First 4/Filter/ASCIIHexDecode', Buffer.from(body).toString('hex')),
    pdfStream('/Type/ObjStm/N 1/First 4/Filter[/FlateDecode/LZWDecode]', body),
    pdfStream('/Type/ObjStm/N 1/First 4/Filter 7 0 R', body),
    pdfStream('/Type/ObjStm/N 1/First 4/Filter/FlateDecode', body),
    packedStream('/Type/ObjStm/N 1/First 4/DecodeParms<</Predictor 12>>', body),
    // Inflates to more than all objects of a file may.
    packedStream('/Type/ObjStm/N 1/First 4', ' '.repeat(70_000_000)),
    '<<>>\nstream\nwithout an end',
  ];
  for (const one of odd) {
    assert.equal(await codeOf(pdfOf([...PDF_PAGES, one])), 'FILE_DAMAGED', one.slice(0, 80));
  }
});

test('an encrypted document is refused as such, whatever else is in it', async () => {
  for (const trailer of ['/Encrypt 9 0 R', '/Encrypt<</Filter/Standard>>', '/#45ncrypt 9 0 R']) {
    const objects = [...PDF_PAGES, '<</S/JavaScript>>'];
    assert.equal(await codeOf(pdfOf(objects, trailer)), 'FILE_ENCRYPTED', trailer);
  }
});

test('bytes before or after the document are refused', async () => {
  const whole = pdfOf(PDF_PAGES);
  const odd = [
    Buffer.concat([whole, Buffer.from('PK\x03\x04')]),
    Buffer.concat([whole, Buffer.from('<html>')]),
    Buffer.concat([whole.subarray(0, -6), Buffer.from('PK\x05\x06\0\0\0\0\n%%EOF\n')]),
    whole.subarray(0, -8),
    Buffer.from('%PDF-9.9\n%%EOF'),
    Buffer.from('%PDF-'),
  ];
  for (const [n, bytes] of odd.entries()) {
    assert.equal(await codeOf(bytes), 'FILE_DAMAGED', String(n));
  }
  assert.equal(await codeOf(Buffer.concat([Buffer.from('junk\n'), whole])), 'FILE_TYPE_UNKNOWN');
  assert.equal(await codeOf(Buffer.concat([whole, Buffer.from(' \r\n\0')])), 'fine');
});

test('metadata is blanked, and every offset stays', async () => {
  const xmp = '<x:xmpmeta><dc:creator>Jane Roe</dc:creator></x:xmpmeta>';
  const photo = jpeg([exif(1, 'GPS 52.5N Jane Roe')]).toString('latin1');
  const objects = [
    ...PDF_PAGES,
    '<</Author(Jane \\(the (only)\\) Roe)/Title<4A616E65>/Producer 6 0 R/X<</Y(Jane Roe)>>>>',
    '(Jane Roe)',
    pdfStream('/Type/Metadata/Subtype/XML', xmp),
    packedStream('/Type/Metadata/Subtype/XML', xmp),
    pdfStream('/Subtype/Image/Filter/DCTDecode', photo),
    '(Jane Roe, on the page)',
  ];
  const before = pdfOf(objects, '/Info 5 0 R');
  const after = await rewritten(before);
  assert.equal(after.length, before.length);
  assert.equal(after.match(/Jane/g)?.length, 1);
  assert.match(after, /\(Jane Roe, on the page\)/);
  assert.ok(!/4A616E65|GPS|creator|\/Info/.test(after));
  const all = /<<\/Author\( +\)\/Title< +>\/Producer 6 0 R\/X<<\/Y\( +\)>>>>/;
  assert.match(after, all);
  // The photo is still a picture, and the packed stream still unpacks.
  const start = after.indexOf('\xff\xd8');
  assert.equal(after.indexOf('\xff\xda'), before.toString('latin1').indexOf('\xff\xda'));
  assert.ok(start > 0);
  const packed = after.indexOf('stream\n', after.indexOf('XML/Filter')) + 7;
  assert.equal(inflateSync(Buffer.from(after.slice(packed, packed + 8), 'latin1')).length, 0);
});
