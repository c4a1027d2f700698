// A request as a piece of work: its id, taken from X-Request-Id or made, and its place in the
// trace of its caller.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parentIn, spanOf, uuidIn, type Cause, type Work } from '../concurrency/cause.ts';

/** The work of one request. */
export class RequestWork implements Work {
  readonly cause: Cause;
  /** The caller's span; null: none was named. */
  readonly parent: string | null;
  #spanId: string | null = null;

  constructor({ headers }: IncomingMessage, records: boolean) {
    const { 'x-request-id': id, traceparent } = headers;
    // Only a UUID is taken: any other text could say something about a person.
    const requestId = (typeof id === 'string' ? uuidIn(id) : null) ?? randomUUID();
    const parent = typeof traceparent === 'string' ? parentIn(traceparent) : null;
    const { traceId = null, sampled = records } = parent ?? {};
    this.cause = { requestId, traceId, sampled };
    this.parent = parent?.spanId ?? null;
  }

  get spanId(): string {
    return (this.#spanId ??= spanOf(this.cause.requestId));
  }
}

const WORK = Symbol('work');

/** The work of a request, the same whoever asks. `records`: it is traced if nobody says not to. */
export function workOf(request: IncomingMessage, records = false): RequestWork {
  const known = request as IncomingMessage & { [WORK]?: RequestWork };
  return (known[WORK] ??= new RequestWork(request, records));
}

/** Set in every answer. */
export const REQUEST_ID = 'X-Request-Id';
