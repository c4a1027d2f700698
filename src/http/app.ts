// The routes of one host. Fastify only finds the route; everything after that is the pipeline's,
// and fastify's own parsers, validators and error pages are removed or never reached.
import { performance } from 'node:perf_hooks';
import fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asWork, traceOf } from '../concurrency/cause.ts';
import { isDisabled, isUnreachable, sqlState } from '../db/index.ts';
import { engineRefusals } from '../engine/index.ts';
import type { Answer, Caller, HostName, Operation } from '../core/operation.ts';
import { Refusal, refuse, type RefusalSpec } from '../core/refusal.ts';
import { ClientGone } from './body.ts';
import { failureBody, oauthErrorOf, speaksOauth, successBody } from './envelope.ts';
import type { RequestContext, Gate } from './request-context.ts';
import type { Parameters } from './form.ts';
import { logFault } from './log.ts';
import { guardPages, type Pages } from './pages.ts';
import { pass } from './pipeline.ts';
import { httpRefusals } from './refusals.ts';
import { routedPage, routeOf, type Routed } from './route-table.ts';
import { workOf } from './request-work.ts';
import { send, sendRefusal, sendTrouble } from './send.ts';
import type { RefusalStyle } from './send.ts';
import { wantsPage } from './trouble.ts';
import { answerUnknown } from './unknown.ts';

/** Routes of one host. */
export interface HostApp {
  handle(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

const NO_PARAMETERS: Parameters = Object.freeze(Object.create(null) as Parameters);
/** Fastify would load its own compilers of schemas, half a megabyte that no route uses. */
const noCompiler = (): never => {
  throw new Error('no route has a schema of its own');
};
const NO_COMPILERS = { buildValidator: () => noCompiler, buildSerializer: () => noCompiler };
/** Longer than any path the header limit allows, so that a long id is just an unknown id. */
const LONGEST_PARAM = 16_384;

/**
 * Builds the routes of `host` from its operations. `front`: where a browser is led from `/` and
 * `/docs`.
 */
export async function buildApp<S>(
  host: HostName,
  operations: readonly Operation<S>[],
  gate: Gate<S>,
  pages: Pages<S> | undefined,
  front?: string,
): Promise<HostApp> {
  const known = operations as readonly Operation<unknown>[];
  const addresses: Routed[] = [...known];
  // Hosts with pages answer people with pages; programs get the envelope. [G-72]
  const styleFor = (raw: IncomingMessage): RefusalStyle =>
    pages !== undefined && wantsPage(raw) ? { oauth: false, page: true } : { oauth: false };
  const unknown = (request: FastifyRequest, reply: FastifyReply): void => {
    answerUnknown(addresses, request.raw, reply.raw, styleFor(request.raw), front);
    logUnknown(host, gate, request.raw, reply.raw);
  };
  const app = fastify({
    logger: false,
    exposeHeadRoutes: true,
    return503OnClosing: false,
    schemaController: { compilersFactory: NO_COMPILERS },
    routerOptions: { maxParamLength: LONGEST_PARAM, querystringParser: () => ({}) },
    // Called for a path that cannot be decoded.
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      const found = routeOf(known, request.raw);
      if (found === null) unknown(request, reply);
      else void answerOperation(found.operation, gate, found.params, request.raw, reply.raw);
    },
  });
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    reply.hijack();
    unknown(request, reply);
  });
  app.setErrorHandler((error, request, reply) => {
    reply.hijack();
    const place = { host, operation: 'page' };
    answerFailure(gate, error, place, request.raw, reply.raw, styleFor(request.raw));
  });
  for (const operation of operations) addRoute(app, operation as Operation<unknown>, gate);
  if (pages !== undefined) {
    await app.register(async (scope) => {
      scope.addHook('onRoute', ({ method, url }) => {
        addresses.push(...routedPage([method].flat(), url));
      });
      guardPages(scope, host, gate, (refusal, { raw }, reply) => {
        sendRefusal(raw, reply.raw, refusal, styleFor(raw));
      });
      await pages(scope, gate.services, gate.limits.clientAddressOf);
    });
  }
  await app.ready();
  return {
    handle: (request, response) => void app.routing(request, response),
    close: () => app.close(),
  };
}

/** `/v1/{id}` in fastify's syntax. */
function fastifyPath(path: string): string {
  return path.replaceAll('::', ':').replaceAll(/\{([a-z_]+)\}/g, ':$1');
}

function addRoute(app: FastifyInstance, operation: Operation<unknown>, gate: Gate<unknown>): void {
  // The whole operation runs before fastify would read the body, so that only the pipeline decides
  // the order of refusals.
  const begin = (request: FastifyRequest, reply: FastifyReply): void => {
    reply.hijack();
    const params = request.params as Record<string, string>;
    void answerOperation(operation, gate, params, request.raw, reply.raw);
  };
  app.route({
    method: operation.method as HTTPMethods,
    url: fastifyPath(operation.path),
    onRequest: begin,
    handler: () => {
      throw new Error('a request came past the pipeline');
    },
  });
}

async function answerOperation(
  operation: Operation<unknown>,
  gate: Gate<unknown>,
  rawParams: Readonly<Record<string, string>>,
  raw: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedMs = performance.now();
  const work = workOf(raw, gate.observer.records);
  const url = raw.url as string;
  const mark = url.indexOf('?');
  const context: RequestContext<unknown> = {
    gate,
    operation,
    raw,
    response,
    rawParams,
    rawQuery: mark === -1 ? '' : url.slice(mark + 1),
    caller: null,
    placed: false,
    idempotencyKey: null,
    queryValues: NO_PARAMETERS,
    bytes: null,
    offloaded: null,
    release: null,
    bodyValue: undefined,
    params: undefined,
    query: undefined,
    body: undefined,
    claim: null,
    answer: null,
  };
  let reference: string | null = null;
  let failure: unknown;
  gate.limits.enter();
  try {
    await asWork(work, () => pass(context));
    sendAnswer(raw, response, context.answer as Answer);
  } catch (error) {
    failure = error;
    const place = { host: operation.host, operation: operation.id };
    const style = styleOf(context, error);
    reference = answerFailure(gate, error, place, raw, response, style);
  } finally {
    gate.limits.leave();
    if (context.placed) gate.limits.leaveTenant((context.caller as Caller).integrator);
    context.release?.();
  }
  gate.notes?.add(context, { startedMs, failure, reference });
  report(context, startedMs, reference);
}

function report(
  { gate, raw, caller, operation, response }: RequestContext<unknown>,
  startedMs: number,
  reference: string | null,
): void {
  const { host, method, path: route, id } = operation;
  const answered = { host, method, route, operation: id, status: response.statusCode };
  gate.observer.answered({ ...answered, startedMs }, workOf(raw));
  if (!gate.log.requests) return;
  gate.log.write({
    event: 'request',
    ...answered,
    ms: Math.round((performance.now() - startedMs) * 100) / 100,
    client_id: caller?.clientId ?? null,
    ...namesOf(raw),
    reference,
  });
}

/** What the lines about a request call it. */
function namesOf(raw: IncomingMessage): { request_id: string; trace_id: string } {
  const { cause } = workOf(raw);
  return { request_id: cause.requestId, trace_id: traceOf(cause) };
}

function styleOf({ operation, caller }: RequestContext<unknown>, error: unknown): RefusalStyle {
  const oauth = speaksOauth(operation);
  if (!(error instanceof Refusal) || error.spec.code !== 'INSUFFICIENT_SCOPE') return { oauth };
  const { access } = operation;
  const scope = access === 'public' || caller === null ? undefined : access[caller.kind];
  return scope === undefined || scope === null ? { oauth } : { oauth, scope };
}

function sendAnswer(raw: IncomingMessage, response: ServerResponse, answer: Answer): void {
  let body: string | null = null;
  const { bare, type } = answer;
  if (bare !== undefined) body = type === undefined ? JSON.stringify(bare) : String(bare);
  else if (answer.payload !== undefined) body = successBody(answer.payload);
  send(raw, response, answer.status, body, answer.headers, type);
}

interface Where {
  readonly host: string;
  readonly operation: string;
}

/** SQLSTATEs of a database that ran out of time or is shutting down; nothing was changed. */
const BUSY: ReadonlySet<string> = new Set(['55P03', '57014', '53300', '57P03', '40001', '40P01']);

/** True if nothing was changed because the database was busy or unreachable. */
function isBusy(error: unknown): boolean {
  if ((error as { code?: unknown } | null)?.code === 'ECONNREFUSED') return true;
  return BUSY.has(sqlState(error) ?? '');
}

/**
 * The refusal for database trouble; null for a fault. A connection lost during a change leaves open
 * whether it was made; a read can simply be repeated.
 */
function databaseTrouble(error: unknown, method: string | undefined): RefusalSpec | null {
  if (isBusy(error)) return httpRefusals.OVERLOADED;
  if (isDisabled(sqlState(error))) return engineRefusals.DATABASE_UNAVAILABLE;
  if (!isUnreachable(error)) return null;
  return method === 'GET' ? httpRefusals.OVERLOADED : engineRefusals.OUTCOME_UNKNOWN;
}

/** Answers a refusal in full and a fault with a reference, which it returns. [G-72] */
function answerFailure<S>(
  gate: Gate<S>,
  error: unknown,
  where: Where,
  raw: IncomingMessage,
  response: ServerResponse,
  style: RefusalStyle,
): string | null {
  if (error instanceof ClientGone) return null;
  if (error instanceof Refusal) {
    sendRefusal(raw, response, error, style);
    return null;
  }
  const { requestId: reference } = workOf(raw).cause;
  logFault(gate.log, error, where.operation, { reference, host: where.host });
  const trouble = databaseTrouble(error, raw.method);
  if (trouble !== null) {
    sendRefusal(raw, response, refuse(trouble, {}, 1), style);
    return reference;
  }
  const { sentence, code, status } = httpRefusals.SERVER_ERROR;
  if (style.page === true) {
    sendTrouble(raw, response, status, code, { reference });
    return reference;
  }
  const failure = { sentence, codes: [code], reference };
  const oauthError = style.oauth ? oauthErrorOf(code, status) : null;
  send(raw, response, status, failureBody(failure, oauthError));
  return reference;
}

function logUnknown<S>(
  host: HostName,
  gate: Gate<S>,
  raw: IncomingMessage,
  response: ServerResponse,
): void {
  const [unknown, method] = ['unknown', raw.method ?? ''];
  const { statusCode: status } = response;
  const answered = { host, method, route: unknown, operation: unknown, status };
  const startedMs = performance.now();
  gate.observer.answered({ ...answered, startedMs }, workOf(raw, gate.observer.records));
  if (!gate.log.requests) return;
  const none = { ms: 0, client_id: null, reference: null };
  gate.log.write({ event: 'request', ...answered, ...none, ...namesOf(raw) });
}
