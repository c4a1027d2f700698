// Cuts long texts out of a large body, so that the rest can be parsed like an ordinary one: strings
// of the document are replaced by markers before any value is made. [G-70] Linear in the number of
// bytes.
import { hash, randomUUID } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { inputRefusals } from '../../../core/input-refusals.ts';
import { JsonScan } from '../../../core/json-scan.ts';
import { readJson } from '../../../core/json.ts';
import { OFFLOADED_FROM } from '../../../core/offloaded-text.ts';
import type { Bytes, Offloaded } from './jobs.ts';
import { owned } from './rejected-file.ts';

/** The body without its long texts may be as large as an ordinary body. */
const REST_MAX = 1_048_576;
/** A body with more long texts is no file submission. */
const TEXTS_MAX = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Position of a string in the document, quotes included. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts out every text longer than `OFFLOADED_FROM`; refuses what `readJson` refuses, in its words.
 */
export function lift(segments: readonly Bytes[]): Offloaded {
  const body = Buffer.concat(segments);
  // First of all, so that a large body causes no work that grows with its number of values.
  const long = longStrings(body);
  if (long === null) return TOO_LARGE;
  const whole = isUtf8(body) && new JsonScan(body).run() === null;
  if (!whole) return refusalOf(body);
  const marker = randomUUID();
  const pieces: Buffer[] = [];
  const texts: { bytes: Bytes; length: number; digest: string }[] = [];
  let done = 0;
  for (const span of long) {
    const text = textOf(body, span);
    if (text === null) continue;
    pieces.push(body.subarray(done, span.start), Buffer.from(`"${marker}${texts.length}"`));
    texts.push({ ...text, digest: `sha256:${hash('sha256', text.bytes, 'hex')}` });
    done = span.end;
  }
  const rest = Buffer.concat([...pieces, body.subarray(done)]);
  if (rest.length > REST_MAX) return TOO_LARGE;
  return { ok: true, rest: owned(rest), marker, texts };
}

const TOO_LARGE = {
  ok: false,
  code: 'BODY_TOO_LARGE',
  sentence: inputRefusals.BODY_TOO_LARGE.sentence,
} as const;

function refusalOf(body: Buffer): Offloaded {
  const result = readJson(body);
  if (result.ok) throw new Error('a body that the scan refused was read');
  return result;
}

/**
 * String values of more than `OFFLOADED_FROM` bytes; null if there are too many, or the document
 * without them is too large. Correct for JSON, harmless for anything else.
 */
function longStrings(body: Buffer): Span[] | null {
  const spans: Span[] = [];
  let offloaded = 0;
  let at = 0;
  let escape = -1;
  for (;;) {
    const start = placeOf(body, QUOTE, at);
    if (start - offloaded > REST_MAX) return null;
    if (start === body.length) return spans;
    if (escape < start) escape = placeOf(body, BACKSLASH, start);
    at = placeOf(body, QUOTE, start + 1);
    if (escape < at) at = escape;
    while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
    at += 1;
    if (at - start - 2 <= OFFLOADED_FROM || isKey(body, at)) continue;
    if (spans.push({ start, end: at }) > TEXTS_MAX) return null;
    offloaded += at - start;
  }
}

/** Next offset of a byte; the end if there is none. */
function placeOf(body: Buffer, byte: number, from: number): number {
  const at = body.indexOf(byte, from);
  return at < 0 ? body.length : at;
}

/** True if a colon follows the string that ends here. */
function isKey(body: Buffer, end: number): boolean {
  let at = end;
  while (at < body.length && (body[at] as number) <= 0x20) at += 1;
  return body[at] === COLON;
}

/** The text of a string, once the scan has passed; null if it is not long after all. */
function textOf(body: Buffer, { start, end }: Span): { bytes: Bytes; length: number } | null {
  const inner = body.subarray(start + 1, end - 1);
  const escaped = inner.includes(BACKSLASH);
  const string = escaped
    ? (JSON.parse(body.toString('utf8', start, end)) as string)
    : inner.toString('utf8');
  if (string.length <= OFFLOADED_FROM) return null;
  const bytes = escaped ? owned(Buffer.from(string, 'utf8')) : new Uint8Array(inner);
  return { bytes, length: string.length };
}
