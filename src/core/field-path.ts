// Names a place in a body for the caller: `line_items[0].amount`. Keys come from the caller, so
// they are shortened and cleaned here before they reach an answer or a log.

const KEY_MAX = 64;
const PATH_MAX = 512;
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** A run of digits this long in a key name may be a card or account number. [G-75] */
const LONG_DIGITS = /\d(?:[_-]?\d){7,}/g;

/** A key made harmless: at most 64 of `A-Z a-z 0-9 _ -`; the rest becomes `_`, long digits `#`. */
export function safeKey(key: string): string {
  // Cut first, so that a key of a megabyte costs no more than a short one.
  const short = key.length > KEY_MAX ? key.slice(0, KEY_MAX) : key;
  const plain = PLAIN_KEY.test(short) ? short : short.replace(/[^A-Za-z0-9_-]/g, '_');
  return plain.replace(LONG_DIGITS, '#') || '_';
}

/** The path as callers write it: names joined by dots, positions in brackets. */
export function fieldPath(parts: readonly PropertyKey[]): string {
  let path = '';
  for (const part of parts) {
    if (typeof part === 'number') path += `[${part}]`;
    else path += (path === '' ? '' : '.') + safeKey(String(part));
    if (path.length > PATH_MAX) return `${path.slice(0, PATH_MAX)}...`;
  }
  return path;
}
