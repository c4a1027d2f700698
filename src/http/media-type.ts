// Parses a Content-Type header: JSON, a form, or unsupported. Which endpoint takes which is the
// operation's part.

/** `charset` means a known type in an unsupported charset. */
export type MediaType = 'json' | 'form' | 'charset' | 'other';

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const SHAPE = new RegExp(
  `^(${TOKEN}/${TOKEN})((?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[^"\\\\]*"))*)[ \\t]*$`,
);
const PARAMETER = new RegExp(`;[ \\t]*(${TOKEN})=(${TOKEN}|"[^"\\\\]*")`, 'g');
const LONGEST = 200;
const REMEMBERED = 64;

const known = new Map<string, MediaType>();

/**
 * Parses a Content-Type header. UTF-8 is the only charset [G-70]; a repeated charset is refused,
 * other parameters are ignored (RFC 8259, section 11).
 */
export function mediaTypeOf(header: string): MediaType {
  const seen = known.get(header);
  if (seen !== undefined) return seen;
  const type = readMediaType(header);
  // Bounded, because callers choose the header; past the limit it is parsed each time.
  if (known.size < REMEMBERED) known.set(header, type);
  return type;
}

function readMediaType(header: string): MediaType {
  if (header.length > LONGEST) return 'other';
  const match = SHAPE.exec(header);
  if (match === null) return 'other';
  const name = (match[1] as string).toLowerCase();
  const type = formOrJson(name);
  if (type === 'other') return type;
  let charsets = 0;
  for (const [, key, value] of (match[2] as string).matchAll(PARAMETER)) {
    if ((key as string).toLowerCase() !== 'charset') continue;
    charsets += 1;
    const bare = (value as string).replaceAll('"', '').toLowerCase();
    if (bare !== 'utf-8' || charsets > 1) return 'charset';
  }
  return type;
}

function formOrJson(name: string): MediaType {
  if (name === 'application/json') return 'json';
  return name === 'application/x-www-form-urlencoded' ? 'form' : 'other';
}
