// Blanks a PDF's metadata in place, so that every offset stays: information dictionary, XMP, and
// metadata of embedded pictures. Limits: metadata in a compressed object stream is only unlinked;
// comments and metadata packed by filters other than Flate stay.
import { deflateSync } from 'node:zlib';
import { isApplication, segmentsOf } from './jpeg.ts';
import { namesIn, objectsOf, PDF_SPACE, type PdfStream } from './pdf-names.ts';
import { RejectedFile } from './rejected-file.ts';

const BLANK = 0x20;
const REFERENCE = `(\\d{1,10})${PDF_SPACE}{1,16}(\\d{1,5})${PDF_SPACE}{1,16}R`;

/** Blanks the metadata of a document; `text` is `bytes` as Latin-1. */
export function stripPdf(bytes: Buffer, text: string, streams: readonly PdfStream[]): void {
  blankInformation(bytes, text);
  for (const stream of streams) {
    const body = bytes.subarray(stream.start, stream.end);
    if (stream.names.has('Metadata') && stream.names.has('XML')) blankXmp(body, stream.names);
    else if (stream.names.has('DCTDecode')) blankPicture(body);
  }
}

/** Unlinks the dictionary and blanks its strings, also the referenced ones. */
function blankInformation(bytes: Buffer, text: string): void {
  const ids = new Set<string>();
  const entry = new RegExp(`${PDF_SPACE}{0,64}${REFERENCE}`, 'y');
  for (const { name, start, end } of namesIn(text)) {
    entry.lastIndex = end;
    const found = name === 'Info' ? entry.exec(text) : null;
    if (found === null) continue;
    ids.add(`${found[1]} ${found[2]}`);
    bytes.fill(BLANK, start, entry.lastIndex);
  }
  const bodies = objectsOf(text, ids);
  const inner = new Set<string>();
  for (const [start, end] of bodies) {
    const references = text.slice(start, end).matchAll(new RegExp(REFERENCE, 'g'));
    for (const found of references) inner.add(`${found[1]} ${found[2]}`);
  }
  for (const [start, end] of [...bodies, ...objectsOf(text, inner)]) {
    blankStrings(bytes, start, end);
  }
}

const [OPEN, CLOSE, ESCAPE, LESS, MORE] = Buffer.from('()\\<>') as unknown as number[];

/** Blanks every string between two offsets; dictionaries and names stay. */
function blankStrings(bytes: Buffer, start: number, end: number): void {
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === LESS && bytes[at + 1] === LESS) at += 1;
    else if (bytes[at] === LESS) {
      while (at + 1 < end && bytes[at + 1] !== MORE) bytes[(at += 1)] = BLANK;
    } else if (bytes[at] === OPEN) {
      at = blankLiteral(bytes, at + 1, end);
    }
  }
}

/** Blanks a literal string with nested parentheses and escapes; returns where it closes. */
function blankLiteral(bytes: Buffer, start: number, end: number): number {
  let depth = 1;
  for (let at = start; at < end; at += 1) {
    const c = bytes[at];
    if (c === OPEN) depth += 1;
    else if (c === CLOSE && (depth -= 1) === 0) return at;
    else if (c === ESCAPE && at + 1 < end) bytes[at++] = BLANK;
    bytes[at] = BLANK;
  }
  return end;
}

/** Replaces XMP by an empty one of the same length, packed as the stream says. */
function blankXmp(body: Buffer, names: ReadonlySet<string>): void {
  body.fill(BLANK);
  if (names.has('FlateDecode')) deflateSync(Buffer.alloc(0)).copy(body);
}

const APP0 = 0xe0;
const APP14 = 0xee;

/** Blanks camera metadata in an embedded JPEG. */
function blankPicture(body: Buffer): void {
  try {
    for (const { marker, data, end } of segmentsOf(body)) {
      if (isApplication(marker) && marker !== APP0 && marker !== APP14) body.fill(0, data, end);
    }
  } catch (error) {
    // A viewer may still show this picture; it is blanked as far as it can be parsed.
    if (!(error instanceof RejectedFile || error instanceof RangeError)) throw error;
  }
}
