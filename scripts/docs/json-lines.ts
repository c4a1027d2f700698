// Readable JSON: what fits on a line is one line.

const WIDTH = 100;

/** The value as text; `column` is where it begins. */
export function jsonLines(value: unknown, indent = '', column = 0): string {
  const short = inline(value);
  if (column + short.length < WIDTH || typeof value !== 'object' || value === null) return short;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((one) => inner + jsonLines(one, inner, inner.length));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(([name, one]) => {
    const head = `${inner}${JSON.stringify(name)}: `;
    return head + jsonLines(one, inner, head.length);
  });
  return `{\n${members.join(',\n')}\n${indent}}`;
}

function inline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${inline(one)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
