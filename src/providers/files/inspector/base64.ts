// Strict decoding of base64 and data URIs: each file has exactly one accepted text.
import { RejectedFile } from './rejected-file.ts';

const OTHER = /[^A-Za-z0-9+/]/;
/** Longer than the head of any accepted data URI. */
const HEAD_MAX = 128;
const HEAD = /^data:([a-z0-9.+-]+\/[a-z0-9.+-]+);base64,/i;

/** The media type of a data URI, and where its base64 begins. Parameters are refused. */
export function headOf(text: Buffer): { readonly mime: string; readonly length: number } {
  const head = HEAD.exec(text.toString('latin1', 0, HEAD_MAX));
  if (head === null) throw new RejectedFile('FILE_NOT_BASE64');
  return { mime: head[1] as string, length: head[0].length };
}

/**
 * Decodes base64: padded, no white space, no other alphabet, no spare bits set. More than
 * `maxBytes` are refused before decoding.
 */
export function decode(text: Buffer, maxBytes: number): Buffer {
  const string = text.toString('latin1');
  const padding = string.endsWith('==') ? 2 : string.endsWith('=') ? 1 : 0;
  const digits = padding === 0 ? string : string.slice(0, -padding);
  if (string.length % 4 !== 0 || OTHER.test(digits)) throw new RejectedFile('FILE_NOT_BASE64');
  if ((string.length / 4) * 3 - padding > maxBytes) throw new RejectedFile('FILE_TOO_LARGE');
  const bytes = Buffer.from(string, 'base64');
  const last = bytes.subarray(bytes.length - (bytes.length % 3 || 3));
  if (!string.endsWith(last.toString('base64'))) throw new RejectedFile('FILE_NOT_BASE64');
  return bytes;
}
