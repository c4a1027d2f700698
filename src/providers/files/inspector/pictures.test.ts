// Pictures: genuine ones pass with unchanged pixels and without metadata; whatever only resembles a
// picture is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import {
  dataUri,
  exif,
  jpeg,
  jpegOfSize,
  jpegSegment,
  png,
  pngChunk,
  pngHeader,
  PNG_SIGN,
} from '../../../../test/kit/sample-files.ts';
import { inspect } from './inspect.ts';
import type { Bytes, InspectJob } from './jobs.ts';

const MAX = 3 * 1_048_576;
const DAMAGED = 'FILE_DAMAGED';
const job = { task: 'inspect', kind: 'image', form: 'bytes', claims: [], maxBytes: MAX } as const;

function look(bytes: Buffer, more: Partial<InspectJob> = {}) {
  return inspect({ ...job, content: new Uint8Array(bytes) as Bytes, ...more });
}

async function codeOf(bytes: Buffer, more: Partial<InspectJob> = {}): Promise<string> {
  const found = await look(bytes, more);
  return found.ok ? found.mime : found.code;
}

async function rewritten(bytes: Buffer): Promise<Buffer> {
  const found = await look(bytes);
  assert.ok(found.ok, found.ok ? '' : found.code);
  return Buffer.from(found.bytes);
}

const JFIF = jpegSegment(0xe0, 'JFIF\0\x01\x01\0\0\x60\0\x60\x01\x01thumbnail');
const NO_THUMBNAIL = jpegSegment(0xe0, 'JFIF\0\x01\x01\0\0\x60\0\x60\0\0');
const ADOBE = jpegSegment(0xee, 'Adobe\0\x64\0\0\0\0\x01');

test('a JPEG keeps its pixels, colours and orientation, and loses everything else', async () => {
  const noise = [
    exif(1, 'GPS 52.5N 13.4E'),
    jpegSegment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>Jane</x:xmpmeta>'),
    jpegSegment(0xe2, 'ICC_PROFILE\0\x01\x01Jane'),
    jpegSegment(0xed, 'Photoshop 3.0\0Jane'),
    jpegSegment(0xef, 'Jane'),
    jpegSegment(0xfe, 'Jane'),
  ];
  const clean = await rewritten(jpeg([JFIF, ...noise, ADOBE]));
  assert.deepEqual(clean, jpeg([NO_THUMBNAIL, ADOBE]));
  assert.deepEqual(await rewritten(clean), clean);
});

test('of Exif only the orientation is left', async () => {
  const before = jpeg([exif(6, 'GPS 52.5N 13.4E')]);
  const after = await rewritten(before);
  assert.ok(before.includes('13.4E') && !after.includes('GPS') && !after.includes('13.4E'));
  assert.ok(after.includes('Exif\0\0MM'));
  // The tables and the scan are the same bytes, to the end.
  const pixels = jpeg().subarray(2);
  assert.deepEqual(after.subarray(after.length - pixels.length), pixels);
  assert.deepEqual(await rewritten(after), after);
  for (const odd of [0, 9, 65_535]) {
    assert.deepEqual(await rewritten(jpeg([exif(odd, '')])), jpeg());
  }
});

test('after a JPEG only camera data is cut; a page or archive there is refused', async () => {
  const html = Buffer.from('<html><script>alert(1)</script>');
  assert.equal(await codeOf(Buffer.concat([jpeg(), html])), DAMAGED);
  assert.equal(await codeOf(Buffer.concat([jpeg(), Buffer.from('PK\x05\x06')])), DAMAGED);
  assert.equal(await codeOf(Buffer.concat([jpeg(), Buffer.alloc(65)])), DAMAGED);
  const second = Buffer.concat([jpeg([jpegSegment(0xe2, 'MPF\0II*\0')]), jpeg()]);
  const trailers = [Buffer.alloc(3), Buffer.from('Image_UTC_Data1234SEFT')];
  for (const whole of [second, ...trailers.map((one) => Buffer.concat([jpeg(), one]))]) {
    assert.deepEqual(await rewritten(whole), jpeg());
  }
});

test('JPEGs that are truncated, have no frame, or too large a frame are refused', async () => {
  const whole = jpeg([JFIF]);
  for (let end = 3; end < whole.length; end += 1) {
    assert.equal(await codeOf(whole.subarray(0, end)), DAMAGED, String(end));
  }
  assert.equal(await codeOf(jpegOfSize(10_000, 5_000)), 'image/jpeg');
  for (const [width, height] of [[10_000, 5_001], [20_001, 1], [1, 20_001], [65_535, 65_535]]) {
    assert.equal(await codeOf(jpegOfSize(width ?? 0, height ?? 0)), 'FILE_TOO_MANY_PIXELS');
  }
  assert.equal(await codeOf(jpegOfSize(0, 1)), DAMAGED);
  for (const marker of [0xc3, 0xc9, 0xdc, 0xde, 0x01]) {
    assert.equal(await codeOf(jpeg([jpegSegment(marker, '12345678')])), DAMAGED);
  }
});

test("a PNG keeps the picture's chunks and loses everything else", async () => {
  const kept = [pngChunk('sRGB', Buffer.alloc(1)), pngChunk('pHYs', Buffer.alloc(9))];
  const noise = ['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME', 'iCCP', 'acTL', 'prVt'].map((type) =>
    pngChunk(type, Buffer.from('Author\0Jane')),
  );
  const clean = await rewritten(png(40, 30, [...noise, ...kept, ...noise]));
  assert.deepEqual(clean, png(40, 30, kept));
});

function pngWith(header: Parameters<typeof pngHeader>[0], data: Buffer, more: Buffer[] = []) {
  const chunks = [pngHeader(header), ...more, pngChunk('IDAT', deflateSync(data))];
  return Buffer.concat([PNG_SIGN, ...chunks, pngChunk('IEND')]);
}

test('the data of a PNG must give exactly its picture, whatever its kind', async () => {
  const palette = [pngChunk('PLTE', Buffer.alloc(6))];
  const kinds = [
    [{ width: 9, height: 5, depth: 1, colour: 0 }, 5 * 3, []],
    [{ width: 9, height: 5, depth: 16, colour: 6 }, 5 * 73, []],
    [{ width: 5, height: 5, depth: 4, colour: 3 }, 5 * 4, palette],
    // Seven passes; one without a column has no row either.
    [{ width: 9, height: 9, colour: 0, interlace: 1 }, 100, []],
    [{ width: 1, height: 1, colour: 0, interlace: 1 }, 2, []],
  ] as const;
  for (const [header, size, more] of kinds) {
    for (const [off, code] of [[0, 'image/png'], [1, DAMAGED], [-1, DAMAGED]]) {
      const bytes = pngWith(header, Buffer.alloc(size + Number(off)), [...more]);
      assert.equal(await codeOf(bytes), code, JSON.stringify(header));
    }
  }
  assert.equal(await codeOf(pngWith({ width: 1, height: 1, colour: 3 }, Buffer.alloc(2))), DAMAGED);
  assert.equal(await codeOf(pngWith({ width: 1, height: 1, colour: 5 }, Buffer.alloc(2))), DAMAGED);
});
test('pixel floods and bombs are refused before they take memory or time', async () => {
  const flood = pngWith({ width: 30_000, height: 30_000 }, Buffer.alloc(10));
  assert.equal(await codeOf(flood), 'FILE_TOO_MANY_PIXELS');
  // A gigabyte of zeros, for a picture of ten pixels.
  const piece = deflateRawSync(Buffer.alloc(1_048_576), { finishFlush: constants.Z_FULL_FLUSH });
  const data = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array(1_024).fill(piece)]);
  const header = pngHeader({ width: 10, height: 1 });
  const bomb = Buffer.concat([PNG_SIGN, header, pngChunk('IDAT', data), pngChunk('IEND')]);
  const [before, started] = [process.memoryUsage().rss, performance.now()];
  assert.equal(await codeOf(bomb), DAMAGED);
  assert.ok(performance.now() - started < 1_000);
  assert.ok(process.memoryUsage().rss - before < 64 * 1_048_576);
});

test('damaged PNGs and data hidden in or after them are refused', async () => {
  const whole = png(4, 4);
  const flipped = Buffer.from(whole);
  flipped[40] = (flipped[40] ?? 0) ^ 1;
  const raw = deflateSync(Buffer.alloc(4));
  const one = pngHeader({ width: 1, height: 1 });
  const [data, end] = [pngChunk('IDAT', raw), pngChunk('IEND')];
  const hidden = pngChunk('IDAT', Buffer.concat([raw, Buffer.from('PK\x03\x04')]));
  const chains = [
    [one, hidden, end],
    [one, end],
    [data, end],
    [one, one, data, end],
    [one, pngChunk('QQQQ'), data, end],
    [one, data, pngChunk('gAMA', Buffer.alloc(4)), data, end],
    [one, data],
  ].map((chunks) => Buffer.concat([PNG_SIGN, ...chunks]));
  const zip = Buffer.concat([whole, Buffer.from('PK\x03\x04 PK\x05\x06')]);
  const all = [flipped, zip, whole.subarray(0, -1), whole.subarray(0, 50), ...chains];
  for (const [n, bytes] of all.entries()) assert.equal(await codeOf(bytes), DAMAGED, String(n));
  const split = [pngChunk('IDAT', raw.subarray(0, 3)), pngChunk('IDAT', raw.subarray(3))];
  assert.equal(await codeOf(Buffer.concat([PNG_SIGN, one, ...split, end])), 'image/png');
});

test('a file that only claims to be a picture is refused', async () => {
  const others = ['PK\x03\x04', '<html>', 'GIF89a', '<svg xmlns=""/>', 'MZ\x90'];
  for (const text of [...others, 'RIFF\0\0\0\0WEBP', '\0', 'junk%PDF-1.7', '%PDF-1.7\n%%EOF']) {
    const bytes = Buffer.from(text, 'latin1');
    assert.equal(await codeOf(bytes, { claims: ['.png', 'image/png'] }), 'FILE_TYPE_UNKNOWN');
  }
  assert.equal(await codeOf(Buffer.alloc(0)), 'FILE_EMPTY');
  for (const claim of ['image/png', '.png', 'application/pdf', 'img/webp', '', 'jpeg']) {
    assert.equal(await codeOf(jpeg(), { claims: [claim] }), 'FILE_TYPE_MISMATCH', claim);
  }
  for (const claims of [['img/jpg', '.JPG'], ['image/jpeg', '.jpeg'], ['image/jpg']]) {
    assert.equal(await codeOf(jpeg(), { claims }), 'image/jpeg');
  }
});

test('base64 and data URIs are read strictly', async () => {
  const text = png(3, 3).toString('base64').replace(/=*$/, '');
  const padded = png(3, 3).toString('base64');
  const asText = (content: string, form: 'base64' | 'data-uri') =>
    codeOf(Buffer.alloc(0), { content, form });
  assert.equal(await asText(padded, 'base64'), 'image/png');
  const one = jpeg().subarray(0, -1).toString('base64');
  const wrong = [
    ...[`${padded}\n`, ` ${padded}`, `${padded}====`, `=${padded}`, `${padded.slice(0, -1)}`],
    ...[padded.replace(/[+/]/, '-'), `${text.slice(0, 40)}=${text.slice(41)}`],
    ...[`${one}=`, '====', 'é'],
    // A spare bit is set.
    'iVBORw1=',
    'iVBORx==',
    dataUri('image/png', png(3, 3)),
  ];
  for (const [n, content] of wrong.entries()) {
    assert.equal(await asText(content, 'base64'), 'FILE_NOT_BASE64', String(n));
  }
  for (const mime of ['image/png', 'IMG/PNG']) {
    assert.equal(await asText(dataUri(mime, png(3, 3)), 'data-uri'), 'image/png');
  }
  assert.equal(await asText(dataUri('image/jpg', png(3, 3)), 'data-uri'), 'FILE_TYPE_MISMATCH');
  assert.equal(await asText('data:image/png;base64,', 'data-uri'), 'FILE_EMPTY');
  const heads = ['image/png;x=1', 'image', '', 'image/png;base64', ' image/png', 'a/'.repeat(99)];
  for (const mime of heads) {
    assert.equal(await asText(dataUri(mime, png(3, 3)), 'data-uri'), 'FILE_NOT_BASE64', mime);
  }
  assert.equal(await asText(padded, 'data-uri'), 'FILE_NOT_BASE64');
});

test('the size is that of the contents, to the byte', async () => {
  const bytes = png(20, 20);
  for (const form of ['bytes', 'base64'] as const) {
    const content = form === 'bytes' ? (new Uint8Array(bytes) as Bytes) : bytes.toString('base64');
    const at = (maxBytes: number) => codeOf(Buffer.alloc(0), { form, content, maxBytes });
    assert.equal(await at(bytes.length), 'image/png');
    assert.equal(await at(bytes.length - 1), 'FILE_TOO_LARGE');
  }
});
