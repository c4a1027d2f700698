// Answers for which methods an address has, when the router found none for the one that was asked.
// Refuses to know what the methods do.
import type { Operation } from '../kernel/operation.ts';

type Routed = Pick<Operation<never>, 'method' | 'path'>;

/** Methods of the operations whose pattern fits `path`, with HEAD and OPTIONS; none: empty. */
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

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, at) => {
    const segment = segments[at] as string;
    return part.startsWith('{') ? segment !== '' : part === segment;
  });
}
