// The two forms of an id: a UUIDv7 inside; on the wire either that or a prefix and 26 base32
// characters as in TypeID. These functions check form only, not whether an id exists.
import { createHash } from 'node:crypto';
import { HASHED } from './labels.ts';
import { systemRandom } from './random.ts';

/** Account and its tags, KYC, KYC documents, entity, agreement, document, escrow, block. */
export const WIRE_PREFIXES = [
  'acct', 'acttag', 'kyc', 'kycmc', 'ent', 'agt', 'doc', 'esc', 'blk',
] as const;
/** An id prefix of the interface. [G-82] */
export type WirePrefix = (typeof WIRE_PREFIXES)[number];

/** Longest id on the wire. [G-82] */
export const WIRE_ID_MAX = 36;

const SUFFIX_LENGTH = 26;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Crockford's base32 in lower case: no i, l, o, u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const HEX = '0123456789abcdef';
/** The two characters for each value of 10 bits. */
const PAIRS = Array.from({ length: 1024 }, (_, n) => ALPHABET[n >> 5]! + ALPHABET[n & 31]!);
const HEX_VALUE = valueTable(HEX);
const BASE32_VALUE = valueTable(ALPHABET);
const NOT_A_DIGIT = 255;

function valueTable(alphabet: string): Uint8Array {
  const table = new Uint8Array(128).fill(255);
  for (let n = 0; n < alphabet.length; n += 1) table[alphabet.charCodeAt(n)] = n;
  return table;
}

/** A fresh UUIDv7 from the system's randomness, greater than all before it in this process. */
export function newUuid(): string {
  return systemRandom.uuid();
}

/** The UUID (version 8) derived from a name: half of its SHA-256. */
export function derivedUuid(name: string): string {
  const hex = createHash('sha256').update(`${HASHED.derivedId}${name}`).digest('hex');
  const [third, fourth] = [`8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${third}-${fourth}-${hex.slice(20, 32)}`;
}

/** True for a UUID in canonical form: lower case, with hyphens; any version. */
export function isUuid(text: string): boolean {
  return text.length === 36 && UUID.test(text);
}

/** Milliseconds since 1970 from a UUIDv7. */
export function millisOfUuid(uuid: string): number {
  return Number.parseInt(uuid.slice(0, 8) + uuid.slice(9, 13), 16);
}

/** Position of each hexadecimal digit in the 36 characters of a UUID. */
const DIGIT_AT = Uint8Array.from(
  [...'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'].flatMap((c, at) => (c === 'x' ? [at] : [])),
);

/** Buffer for a UUID under construction: made into text once, not digit by digit. */
const WRITTEN = Buffer.alloc(36, '-');
const HEX_CODES = Buffer.from(HEX);

function nibble(uuid: string, digit: number): number {
  return HEX_VALUE[uuid.charCodeAt(DIGIT_AT[digit] as number)] ?? NOT_A_DIGIT;
}

/** Bytes of a UUID in binary. */
export const UUID_BYTES = 16;

/** Writes a canonical UUID as 16 bytes; returns the offset after them. Other text is a fault. */
export function writeUuid(uuid: string, into: Uint8Array, at: number): number {
  let bad = uuid.length === 36 ? 0 : NOT_A_DIGIT;
  let end = at;
  for (let digit = 0; digit < 32; digit += 2) {
    const high = nibble(uuid, digit);
    const low = nibble(uuid, digit + 1);
    bad |= high | low;
    into[end] = (high << 4) | low;
    end += 1;
  }
  if (bad > 15) throw new Error('a text is not a UUID');
  return end;
}

/**
 * `prefix_` and 26 base32 characters for a canonical UUID, as TypeID does: `acct_01h4...`. Other
 * text is a fault.
 */
export function wireId(prefix: WirePrefix, uuid: string): string {
  if (!isUuid(uuid)) throw new Error('a wire id was asked for something that is not a UUID');
  // The first pair is 2 zero bits and 8 bits; then 6 times 20 bits.
  let text = `${prefix}_${PAIRS[(nibble(uuid, 0) << 4) | nibble(uuid, 1)]}`;
  for (let at = 2; at < 32; at += 5) {
    const middle = nibble(uuid, at + 2);
    const high = (nibble(uuid, at) << 6) | (nibble(uuid, at + 1) << 2) | (middle >> 2);
    const low = ((middle & 3) << 8) | (nibble(uuid, at + 3) << 4) | nibble(uuid, at + 4);
    text += PAIRS[high]! + PAIRS[low]!;
  }
  return text;
}

/** The wire id of an account: `acct_` and 26 characters. */
export function accountId(uuid: string): string {
  return wireId('acct', uuid);
}

/**
 * The UUID of a wire id with this prefix, or null for any other text. Strict (lower case, exact
 * alphabet and length), so that a resource has one spelling.
 */
export function uuidOfWireId(prefix: WirePrefix, text: string): string | null {
  const start = prefix.length + 1;
  if (text.length !== start + SUFFIX_LENGTH) return null;
  if (!text.startsWith(prefix) || text[start - 1] !== '_') return null;
  const first = base32(text, start);
  // The first character holds 3 bits; more would exceed 128.
  if (first > 7) return null;
  let bad = base32(text, start + 1);
  const byte = (first << 5) | bad;
  put(0, byte >> 4);
  put(1, byte);
  let digit = 2;
  for (let at = start + 2; at < text.length; at += 4) {
    const a = base32(text, at);
    const b = base32(text, at + 1);
    const c = base32(text, at + 2);
    const d = base32(text, at + 3);
    bad |= a | b | c | d;
    const bits = (a << 15) | (b << 10) | (c << 5) | d;
    for (let shift = 16; shift >= 0; shift -= 4) put(digit++, bits >> shift);
  }
  return bad > 31 ? null : WRITTEN.toString('latin1');
}

function put(digit: number, bits: number): void {
  WRITTEN[DIGIT_AT[digit] as number] = HEX_CODES[bits & 15] as number;
}

function base32(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (BASE32_VALUE[code] as number) : NOT_A_DIGIT;
}
