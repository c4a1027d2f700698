// Strict parser of `a=1&b=2`: query strings and form bodies. Which parameters are allowed is the
// schema's part.

/** Parameters by name. Without a prototype, so that no name has a special meaning. */
export type Parameters = Record<string, string>;

const MOST = 200;
/** Everything else must be escaped; a bare space is allowed because hand-written calls send it. */
const NOT_PRINTABLE = /[^\x20-\x7e]/;

/**
 * Parses `a=1&b=2`. Null for a percent sign that is no UTF-8 escape, an empty or duplicate name,
 * `__proto__`, or more than 200 parameters: nothing is repaired or dropped. [G-70]
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

/** Parameters of a form; one without a value counts as absent (RFC 6749, section 3.2). [G-10] */
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
