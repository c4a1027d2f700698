// Answers for texts of the form `a=1&b=2`: query strings and form bodies, read strictly. Refuses to
// know which parameters are due; a schema does.

/** Parameters by name. Without a prototype, so that no name means anything but itself. */
export type Parameters = Record<string, string>;

const MOST = 200;
/** All else stands escaped; a bare space is what many hand-written calls send. */
const NOT_PRINTABLE = /[^\x20-\x7e]/;

/**
 * Reads `a=1&b=2`. Null when a percent sign is not an escape of UTF-8, a name is empty, stands
 * twice or is `__proto__`, or there are more than 200: nothing is repaired, nothing is dropped.
 * [G-70]
 */
export function readParameters(text: string): Parameters | null {
  const parameters = Object.create(null) as Parameters;
  if (text === '') return parameters;
  if (NOT_PRINTABLE.test(text)) return null;
  const parts = text.split('&');
  if (parts.length > MOST) return null;
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const value = equals === -1 ? '' : decode(part.slice(equals + 1));
    if (name === null || value === null || name === '' || name === '__proto__') return null;
    if (name in parameters) return null;
    parameters[name] = value;
  }
  return parameters;
}

/** A form's parameters: one without a value counts as left out (RFC 6749, section 3.2). [G-10] */
export function readForm(text: string): Parameters | null {
  const parameters = readParameters(text);
  for (const name in parameters) if (parameters[name] === '') delete parameters[name];
  return parameters;
}

/** One name or value; null for a broken escape, a NUL, or half a surrogate pair. */
function decode(text: string): string | null {
  let value = text;
  if (text.includes('+')) value = value.replaceAll('+', ' ');
  if (text.includes('%')) {
    try {
      value = decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  return value.includes('\u0000') || !value.isWellFormed() ? null : value;
}
