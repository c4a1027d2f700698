// An OpenAPI document with every reference replaced by what it refers to.

interface Referring {
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The document with every `$ref` replaced; equal references become one and the same object. */
export function inlined<T extends Referring>(document: T): T {
  const known = new Map<string, unknown>();
  const plain = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(plain);
    const { $ref } = part as { $ref?: unknown };
    if (typeof $ref !== 'string') {
      return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, plain(one)]));
    }
    const [, , kind = '', name = ''] = $ref.split('/');
    const found = document.components?.[kind]?.[name];
    if (found === undefined) throw new Error(`${$ref} refers to nothing`);
    if (!known.has($ref)) known.set($ref, plain(found));
    return known.get($ref);
  };
  return plain(document) as T;
}
