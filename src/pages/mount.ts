// Operations that a session may call, once more under the address of the pages: so a page asks its
// own origin only, and no host opens itself to other origins. Answers for the second address; an
// operation is the same value in both. [G-12]
import type { HostName, Operation } from '../kernel/operation.ts';

const PAGE_HOSTS = ['widget', 'hosted'] as const satisfies readonly HostName[];

/** Where a page finds an operation: `/ui/api/invoicing/v2/invoice`. */
export function pagePath({ host, path }: Pick<Operation<never>, 'host' | 'path'>): string {
  return `/ui/api/${host}${path}`;
}

/**
 * The operations that sessions may call and those that ask for no token and serve people, at the
 * pages' addresses. Answers to other tokens are refused there: pages hold a session's only.
 */
export function pageOperations<S>(operations: readonly Operation<S>[]): Operation<S>[] {
  return operations.flatMap((operation) => {
    const access = accessOf(operation);
    if (access === null) return [];
    return PAGE_HOSTS.map((host) => ({
      ...operation,
      id: `${operation.id}On${host === 'widget' ? 'Widget' : 'Hosted'}`,
      host,
      path: pagePath(operation),
      mirror: true as const,
      access,
    }));
  });
}

/** Public questions that pages ask, beside what sessions may do. */
const PUBLIC = new Set(['listKYCCountries', 'getTerms']);

function accessOf({ id, access }: Pick<Operation<never>, 'id' | 'access'>) {
  if (access === 'public') return PUBLIC.has(id) ? access : null;
  return access.session === undefined ? null : { session: access.session };
}
