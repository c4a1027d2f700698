// Matches paths to operations where the router found none or could not decode the path.

/** A method at a path with ids in braces. */
export interface Routed {
  readonly method: string;
  readonly path: string;
}

/** Method and URL as Node gives them. */
interface Asked {
  readonly url?: string | undefined;
  readonly method?: string | undefined;
}

/** The path as sent, without the query. */
export function pathOf(asked: Asked): string {
  return (asked.url ?? '').split('?', 1)[0] as string;
}

/** Methods of the operations that match `path`, with HEAD and OPTIONS; empty if none does. */
export function allowedMethods(operations: readonly Routed[], path: string): string[] {
  const segments = path.split('/');
  const methods = new Set<string>();
  for (const operation of operations) {
    if (!fits(operation.path.split('/'), segments)) continue;
    methods.add(operation.method);
    if (operation.method === 'GET') methods.add('HEAD');
  }
  if (methods.size > 0) methods.add('OPTIONS');
  return [...methods].sort();
}

/**
 * A page's path as operations have theirs, once per method. Empty for a wildcard or a pattern with
 * conditions on a segment.
 */
export function routedPage(methods: readonly string[], url: string): Routed[] {
  if (url.includes('*') || url.includes('(')) return [];
  const path = url.replaceAll(/:(\w+)/g, '{$1}');
  return methods.map((method) => ({ method, path }));
}

/** An operation with the ids of its path. */
export interface Route<O> {
  readonly operation: O;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * The operation asked for with its ids as sent, for a path that cannot be decoded, whose ids are
 * therefore unknown ids. Null: none matches. [G-11]
 */
export function routeOf<O extends Routed>(operations: readonly O[], asked: Asked): Route<O> | null {
  const method = asked.method === 'HEAD' ? 'GET' : asked.method;
  const segments = pathOf(asked).split('/');
  const operation = operations.find(
    (one) => one.method === method && fits(one.path.split('/'), segments),
  );
  if (operation === undefined) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of operation.path.split('/').entries()) {
    if (part.startsWith('{')) params[part.slice(1, -1)] = segments[at] as string;
  }
  return { operation, params };
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, at) => {
    const segment = segments[at] as string;
    return part.startsWith('{') ? segment !== '' : part === segment;
  });
}
