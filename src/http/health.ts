// Answers for the two questions that a supervisor asks: is the process alive, and should it be sent
// requests. Refuses to know what readiness depends on.
import { z } from 'zod';
import type { Operation } from '../kernel/operation.ts';
import { strictObject } from '../kernel/schema.ts';

const NOTHING = strictObject({});
const STATUS = z.strictObject({ status: z.string() });

/** `/healthz` never touches the database; `/readyz` asks `ready`. [reliability: graceful stop] */
export function healthOperations<S>(ready: () => Promise<boolean>): Operation<S>[] {
  const shared = {
    host: 'internal',
    method: 'GET',
    access: 'public',
    params: NOTHING,
    query: NOTHING,
    body: null,
    bare: true,
    critical: true,
    refusals: [],
  } as const;
  return [
    {
      ...shared,
      id: 'getHealth',
      path: '/healthz',
      summary: 'Tells whether the process is alive.',
      cites: 'reliability',
      answers: { 200: STATUS },
      run: async () => ({ status: 200, bare: { status: 'alive' } }),
    },
    {
      ...shared,
      id: 'getReadiness',
      path: '/readyz',
      summary: 'Tells whether the process should be sent requests.',
      cites: 'reliability',
      answers: { 200: STATUS, 503: STATUS },
      run: async () => {
        const isReady = await ready().catch(() => false);
        return isReady
          ? { status: 200, bare: { status: 'ready' } }
          : { status: 503, bare: { status: 'not ready' } };
      },
    },
  ];
}
