// Liveness and readiness for a process supervisor, answered from memory. A blocked event loop
// answers neither, so a timeout counts as "not alive".
import { z } from 'zod';
import { defineOperation, type Operation } from '../core/operation.ts';

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
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
    cites: 'reliability',
    access: 'public',
    bare: true,
    highPriority: true,
  } as const;
  return [
    defineOperation<S>({
      ...shared,
      id: 'getHealth',
      route: 'GET internal /healthz',
      summary: 'Tells whether the process is alive.',
      answers: { 200: STATUS, 503: STATUS },
      run: async () =>
        alive()
          ? { status: 200, bare: { status: 'alive' } }
          : { status: 503, bare: { status: 'stuck' } },
    }),
    defineOperation<S>({
      ...shared,
      id: 'getReadiness',
      route: 'GET internal /readyz',
      summary: 'Tells whether the process is ready for requests.',
      answers: { 200: STATUS, 503: STATUS },
      run: async () =>
        ready()
          ? { status: 200, bare: { status: 'ready' } }
          : { status: 503, bare: { status: 'not ready' } },
    }),
  ];
}

/** `/metrics`: what Prometheus reads. It is no part of the OpenAPI document, which is JSON. */
export function metricsOperation<S>(metrics: () => Promise<string>): Operation<S> {
  return defineOperation<S>({
    id: 'getMetrics',
    route: 'GET internal /metrics',
    summary: 'Gives the figures of this process and of its queues to Prometheus.',
    cites: 'reliability',
    access: 'public',
    bare: true,
    highPriority: true,
    answers: { 200: z.string() },
    run: async () => ({ status: 200, bare: await metrics(), type: METRICS_TYPE }),
  });
}
