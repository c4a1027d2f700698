// Accepts a PDF only as a plain document: not encrypted, no actions, no embedded files, nothing
// before or after it. It searches names, not structure: a viewer that repairs a broken file may
// find objects anywhere, so names count everywhere, also inside texts and streams.
import { inflateSync } from 'node:zlib';
import { stripPdf } from './pdf-metadata.ts';
import { ACTIVE, ACTIVE_SHORT, namesIn, PDF_SPACE, streamsOf } from './pdf-names.ts';
import type { PdfStream } from './pdf-names.ts';
import { damaged, RejectedFile } from './rejected-file.ts';

export const PDF_SIGNATURE = Buffer.from('%PDF-', 'latin1');
const HEADER = /^%PDF-(?:1\.[0-7]|2\.0)[\r\n ]/;
const EOF_MARK = '%%EOF';
const NOT_SPACE = /[^\0\t\n\f\r ]/;
/** A zip archive's end record stands in its last bytes; such a file would be both types. */
const ZIP_END = 'PK\x05\x06';
const ZIP_END_REACH = 65_557;
/** All object streams of a file may inflate to this many bytes. */
const OBJECTS_MAX = 64 * 1_048_576;

/** What the names of a document show. */
interface Findings {
  locked: boolean;
  active: boolean;
  /** Opening it does something other than show a place in it. */
  opens: boolean;
  /** It can call a URL: a link is fine, one that is followed by itself is not. */
  calls: boolean;
}

/**
 * The document with its metadata blanked at unchanged offsets; changes `bytes` itself. Throws
 * `Rejected`.
 */
export function rewritePdf(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  checkEnds(text);
  const streams = streamsOf(text);
  const findings: Findings = { locked: false, active: false, opens: false, calls: false };
  gather(findings, text, streams);
  // Everything else in an encrypted file is noise.
  if (findings.locked) throw new RejectedFile('FILE_ENCRYPTED');
  let room = OBJECTS_MAX;
  for (const stream of streams) {
    const objects = objectsIn(stream, bytes, room);
    if (objects === null) continue;
    room -= objects.length;
    gather(findings, objects, []);
  }
  const { active, opens, calls } = findings;
  if (active || (opens && calls)) throw new RejectedFile('FILE_ACTIVE_CONTENT');
  stripPdf(bytes, text, streams);
  return bytes;
}

function checkEnds(text: string): void {
  if (!HEADER.test(text)) throw damaged();
  const end = text.lastIndexOf(EOF_MARK);
  if (end < 0 || NOT_SPACE.test(text.slice(end + EOF_MARK.length))) throw damaged();
  if (text.indexOf(ZIP_END, Math.max(0, text.length - ZIP_END_REACH)) >= 0) throw damaged();
}

const PLACE = new RegExp(`${PDF_SPACE}{0,64}\\[`, 'y');

function gather(findings: Findings, text: string, streams: readonly PdfStream[]): void {
  let n = 0;
  for (const { name, start, end } of namesIn(text)) {
    while (n < streams.length && (streams[n] as PdfStream).end <= start) n += 1;
    const among = start < (streams[n]?.start ?? Infinity);
    findings.locked ||= name === 'Encrypt';
    findings.active ||= ACTIVE.has(name) || (among && ACTIVE_SHORT.has(name));
    findings.calls ||= among && name === 'URI';
    if (name !== 'OpenAction') continue;
    PLACE.lastIndex = end;
    findings.opens ||= !PLACE.test(text);
  }
}

const FILTER = /Decode$|^Crypt$|^Fl$/;

/** The objects in a stream, as text; null if it holds none. */
function objectsIn({ names, start, end }: PdfStream, bytes: Buffer, room: number): string | null {
  // A viewer may recognise an object stream by its type, or by the two entries it needs.
  if (!names.has('ObjStm') && !(names.has('First') && names.has('N'))) return null;
  const filters = [...names].filter((name) => FILTER.test(name));
  const known = filters.every((name) => name === 'FlateDecode') && !names.has('Predictor');
  if (!known || (names.has('Filter') && filters.length === 0)) throw damaged();
  const body = bytes.subarray(start, end);
  if (filters.length === 0) return body.toString('latin1');
  try {
    return inflateSync(body, { maxOutputLength: Math.max(1, room) }).toString('latin1');
  } catch {
    throw damaged();
  }
}
