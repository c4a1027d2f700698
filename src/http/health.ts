// Liveness and readiness for a process supervisor, answered from memory. A blocked event loop
// answers neither, so a timeout counts as "not alive".
import { z } from 'zod';
import type { Operation } from '../core/operation.ts';
import { strictObject } from '../core/schema.ts';

const NOTHING = strictObject({});
const STATUS = z.strictObject({ status: z.string() });

/** Both answers come from memory. */
export interface Condition {
  /** False only where a restart helps; an unreachable database is no reason. */
  alive(): boolean;
  ready(): boolean;
}

/** `/healthz` and `/readyz`. [reliability: graceful stop] */
export function healthOperations<S>({ alive, ready }: Condition): Operation<S>[] {
  const shared = {
    host: 'internal',
    method: 'GET',
    access: 'public',
    params: NOTHING,
    query: NOTHING,
    body: null,
    bare: true,
    highPriority: true,
    refusals: [],
  } as const;
  return [
    {
      ...shared,
      id: 'getHealth',
      path: '/healthz',
      summary: 'Tells whether the process is alive.',
      cites: 'reliability',
      answers: { 200: STATUS, 503: STATUS },
      run: async () =>
        alive()
          ? { status: 200, bare: { status: 'alive' } }
          : { status: 503, bare: { status: 'stuck' } },
    },
    {
      ...shared,
      id: 'getReadiness',
      path: '/readyz',
      summary: 'Tells whether the process is ready for requests.',
      cites: 'reliability',
      answers: { 200: STATUS, 503: STATUS },
      run: async () =>
        ready()
          ? { status: 200, bare: { status: 'ready' } }
          : { status: 503, bare: { status: 'not ready' } },
    },
  ];
}
