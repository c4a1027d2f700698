// Mounts the operations that sessions may call a second time under the pages' own origin, so that
// pages call no other origin and no host needs CORS. Both paths serve the same operation value.
// [G-12]
import { z } from 'zod';
import { typedForm } from '../../texts/typed.ts';
import type { HostName, Operation } from '../core/operation.ts';

const PAGE_HOSTS = ['widget', 'hosted'] as const satisfies readonly HostName[];

/** Path of an operation on the pages' host: `/ui/api/invoicing/v2/invoice`. */
export function pagePath({ host, path }: Pick<Operation<never>, 'host' | 'path'>): string {
  return `/ui/api/${host}${path}`;
}

/**
 * The operations for sessions, and the public ones that serve people, at the pages' paths. Other
 * tokens are refused there: pages hold a session token only. Numbers and codes are taken there as
 * people type them; programs write them as the interface says.
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
      body: operation.body === null ? null : z.preprocess(typedForm, operation.body),
    }));
  });
}

/** Public operations that pages call, beside what sessions may do. */
const PUBLIC = new Set(['listKYCCountries', 'getTerms']);

function accessOf({ id, access }: Pick<Operation<never>, 'id' | 'access'>) {
  if (access === 'public') return PUBLIC.has(id) ? access : null;
  return access.session === undefined ? null : { session: access.session };
}
