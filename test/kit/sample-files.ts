// Small valid pictures and PDFs with correct offsets, and the pieces to break them with.
import { deflateSync } from 'node:zlib';

export {
  dataUri,
  PNG_SIGN,
  png,
  pngChunk,
  pngHeader,
} from '../../scripts/demo/picture.ts';

/** One grey pixel: tables, frame, scan. */
const PIXEL = Buffer.from(
  '/9j/2wCEABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeF' +
    'xlZ2MBERISGBUYLxoaL2NCOEJjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj' +
    'Y//AAAsIAAEAAQEBEQD/xADSAAABBQEBAQEBAQAAAAAAAAAAAQIDBAUGBwgJCgsQAAIBAwMCBAMFBQQEAAABfQECAw' +
    'AEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZHSElKU1RVVldY' +
    'WVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV1t' +
    'fY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAAgBAQAAPwCjX//Z',
  'base64',
);
/** Where SOF0 holds height and width of the pixel. */
const FRAME_SIZE = PIXEL.indexOf(Buffer.from([0xff, 0xc0])) + 5;

/** A marker segment. */
export function jpegSegment(marker: number, payload: Buffer | string): Buffer {
  const body = Buffer.from(payload as string, 'latin1');
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** The pixel with segments behind its beginning. */
export function jpeg(segments: readonly Buffer[] = []): Buffer {
  return Buffer.concat([PIXEL.subarray(0, 2), ...segments, PIXEL.subarray(2)]);
}

/** The pixel that says it is larger. */
export function jpegOfSize(width: number, height: number): Buffer {
  const bytes = Buffer.from(PIXEL);
  bytes.writeUInt16BE(height, FRAME_SIZE);
  bytes.writeUInt16BE(width, FRAME_SIZE + 2);
  return bytes;
}

/** Exif of a camera that was held on its side, with a place on earth. */
export function exif(orientation: number, place: string): Buffer {
  const head = Buffer.from('Exif\0\0II*\0\x08\0\0\0\x02\0', 'latin1');
  const entries = Buffer.alloc(28);
  entries.writeUInt16LE(0x0112, 0);
  entries.writeUInt16LE(3, 2);
  entries.writeUInt32LE(1, 4);
  entries.writeUInt16LE(orientation, 8);
  entries.writeUInt16LE(0x8825, 12);
  entries.writeUInt16LE(4, 14);
  entries.writeUInt32LE(1, 16);
  entries.writeUInt32LE(38, 20);
  return jpegSegment(0xe1, Buffer.concat([head, entries, Buffer.from(place, 'latin1')]));
}

/** A PDF of these objects, numbered from 1, with a right table of offsets; 1 is the catalogue. */
export function pdfOf(objects: readonly string[], trailer = ''): Buffer {
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  text += `trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\n`;
  return Buffer.from(`${text}startxref\n${start}\n%%EOF\n`, 'latin1');
}

/** A stream object; `body` is Latin-1. */
export function pdfStream(dictionary: string, body: string): string {
  return `<<${dictionary}/Length ${body.length}>>\nstream\n${body}\nendstream`;
}

/** The same, deflated. */
export function packedStream(dictionary: string, body: string): string {
  const packed = deflateSync(Buffer.from(body, 'latin1')).toString('latin1');
  return pdfStream(`${dictionary}/Filter/FlateDecode`, packed);
}

export const PDF_PAGES = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>',
  packedStream('', 'BT /F1 12 Tf (Hello) Tj ET'),
] as const;
