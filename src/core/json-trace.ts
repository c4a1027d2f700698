// Finds the path of an error in a JSON document. This slower second pass runs only after json-scan
// or json has refused; the document must be well formed up to the given byte.
import { fieldPath } from './field-path.ts';

interface Frame {
  /** Keys seen so far, or null for an array. */
  readonly keys: Set<string> | null;
  /** The key or position being read. */
  now: string | number;
  awaitsKey: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Walks `bytes` up to `until` and gives the path there. Stops earlier, with `why`, at the first key
 * that is a duplicate or `__proto__`.
 */
export function traceJson(
  bytes: Buffer,
  until: number,
): { path: string; why: 'duplicate' | 'proto' | null } {
  const frames: Frame[] = [];
  const place = (): string => fieldPath(frames.filter((f) => f.now !== '').map((f) => f.now));
  for (let at = 0; at < until; at += 1) {
    const c = bytes[at];
    const top = frames.at(-1);
    if (c === QUOTE) {
      const end = stringEnd(bytes, at);
      if (top?.keys && top.awaitsKey) {
        const key = JSON.parse(bytes.toString('utf8', at, end)) as string;
        top.now = key;
        top.awaitsKey = false;
        if (key === '__proto__') return { path: place(), why: 'proto' };
        if (top.keys.has(key)) return { path: place(), why: 'duplicate' };
        top.keys.add(key);
      }
      at = end - 1;
    } else if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      const isObject = c === OPEN_OBJECT;
      const keys = isObject ? new Set<string>() : null;
      frames.push({ keys, now: isObject ? '' : 0, awaitsKey: isObject });
    } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
      frames.pop();
    } else if (c === COMMA && top !== undefined) {
      if (typeof top.now === 'number') top.now += 1;
      else top.awaitsKey = true;
    }
  }
  return { path: place(), why: null };
}

/** The offset after the closing quote of the string at `at`. */
function stringEnd(bytes: Buffer, at: number): number {
  let end = at + 1;
  while (end < bytes.length && bytes[end] !== QUOTE) end += bytes[end] === BACKSLASH ? 2 : 1;
  return end + 1;
}
