// Registers HTML pages beside a host's operations and limits how often they are opened.
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { asWork } from '../concurrency/cause.ts';
import type { HostName } from '../core/operation.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Limits } from './limits.ts';
import type { ClientAddressOf } from './client-address.ts';
import { logFault } from './log.ts';
import type { Gate } from './request-context.ts';
import { REQUEST_ID, workOf } from './request-work.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page opened by one-time links: counted by address. */
    readonly oneTimeLink?: true;
  }
}

/**
 * Registers pages beside the operations, in their own context; they may count by client address.
 */
export type Pages<S> = (
  app: FastifyInstance,
  services: S,
  clientAddressOf: ClientAddressOf,
) => void | Promise<void>;

/** Refuses a page request. */
type Refuse = (refusal: Refusal, request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Counts what pages are asked and answer, names each request in its answer, and refuses what is too
 * much. A file that breaks off on its way is logged: its answer has begun, and can tell nothing.
 */
export function guardPages(
  scope: FastifyInstance,
  host: HostName,
  { limits, observer, log }: Pick<Gate<never>, 'limits' | 'observer' | 'log'>,
  refuse: Refuse,
): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const work = workOf(request.raw, observer.records);
    const refusal = admitPage(limits, request, reply);
    void reply.header(REQUEST_ID, work.cause.requestId);
    if (refusal === null) return asWork(work, done);
    reply.hijack();
    refuse(refusal, request, reply);
  });
  scope.addHook('onSend', (request, _, payload, done) => {
    if (payload instanceof Readable) {
      payload.once('error', (error) => {
        const { requestId: reference } = workOf(request.raw).cause;
        logFault(log, error, 'page', { reference, host });
      });
    }
    done(null, payload);
  });
  scope.addHook('onResponse', (request, reply, done) => {
    const work = workOf(request.raw);
    const { method, routeOptions } = request;
    const { statusCode: status } = reply.raw;
    const startedMs = performance.now() - reply.elapsedTime;
    const answered = { host, method, route: routeOptions.url ?? 'unknown', operation: 'page' };
    observer.answered({ ...answered, status, startedMs }, work);
    done();
  });
}

/**
 * Counts a page request in, and out when its response ends in any way. Pages need no token, and
 * each may query the database. Null: it may proceed.
 */
function admitPage(
  limits: Limits,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal | null {
  limits.enter();
  reply.raw.once('close', () => limits.leave());
  try {
    limits.requirePlace(false);
    if (request.routeOptions.config.oneTimeLink) limits.takeOfAddress('links', request.raw);
    return null;
  } catch (error) {
    return error as Refusal;
  }
}
