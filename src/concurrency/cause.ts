// Which request the running work is for, so that what it writes, calls and logs can name it. Node
// carries it through every await, so that no port and no command needs a parameter for it.
import { AsyncLocalStorage } from 'node:async_hooks';
import { hash, randomBytes } from 'node:crypto';

/** A request that causes work, then and later. */
export interface Cause {
  /** A UUID: the caller's X-Request-Id, or our own. */
  readonly requestId: string;
  /** The caller's trace, as a UUID; null: the request begins one, named as it is. */
  readonly traceId: string | null;
  /** Whether the trace is recorded. */
  readonly sampled: boolean;
}

/** A piece of work for a request. `spanId`: 16 hexadecimal digits, its name in the trace. */
export interface Work {
  readonly cause: Cause;
  readonly spanId: string;
  /** The span that it is a part of; null: it begins its trace. */
  readonly parent: string | null;
}

const running = new AsyncLocalStorage<Work | undefined>();

/** The work that is running; undefined for what no request has caused. */
export function currentWork(): Work | undefined {
  return running.getStore();
}

/** Runs `act` as a piece of work; undefined: for nobody, whoever has woken it. */
export const asWork: <T>(work: Work | undefined, act: () => T) => T = running.run.bind(running);

/**
 * The span of a request, which follows from its id, so that what is done later for a stored id
 * knows its parent.
 */
export function spanOf(requestId: string): string {
  return hash('sha256', requestId).slice(0, 16);
}

/** A new piece of work for a request, as a part of it. */
export function workFor(cause: Cause): Work {
  return { cause, spanId: randomBytes(8).toString('hex'), parent: spanOf(cause.requestId) };
}

/** 32 hexadecimal digits. */
export function traceOf({ traceId, requestId }: Cause): string {
  return (traceId ?? requestId).replaceAll('-', '');
}

/** The headers of a call outside: the request that it is for, and its place in the trace. */
export function headersOfWork(work = currentWork()): Readonly<Record<string, string>> {
  if (work === undefined) return {};
  const { cause, spanId } = work;
  const flags = cause.sampled ? '01' : '00';
  return {
    'x-request-id': cause.requestId,
    traceparent: `00-${traceOf(cause)}-${spanId}-${flags}`,
  };
}

const UUID = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i;

/** A UUID with or without hyphens in its usual form; null for anything else. */
export function uuidIn(text: string | undefined): string | null {
  const parts = text === undefined ? null : UUID.exec(text);
  return parts === null ? null : parts.slice(1).join('-').toLowerCase();
}

/** What a `traceparent` header says. */
export interface Parent {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const PARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** Null for an absent or invalid header. (W3C Trace Context, 3.2) */
export function parentIn(header: string | undefined): Parent | null {
  const [, trace, spanId = '', flags = ''] = PARENT.exec(header ?? '') ?? [];
  if (trace === undefined || /^0+$/.test(trace) || /^0+$/.test(spanId)) return null;
  if (header?.startsWith('00') && header.length !== 55) return null;
  const traceId = uuidIn(trace) as string;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
