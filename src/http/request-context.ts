// The request context: what the pipeline knows about one request. Each step reads what earlier
// steps found and adds its own.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Observer } from '../concurrency/observer.ts';
import type { Answer, Caller, IdempotencyClaim, Operation, Shut } from '../core/operation.ts';
import type { OffloadedBody } from '../providers/files/port.ts';
import type { Limits } from './limits.ts';
import type { HttpLog } from './log.ts';
import type { Parameters } from './form.ts';

/**
 * Verifies a bearer token: its caller, or null if it is invalid here or expired. Synchronous for a
 * cached token, so that the hot path does not wait.
 */
export type Verify = (token: string) => Caller | null | Promise<Caller | null>;

/** What all requests of a process share. */
export interface Gate<S> {
  readonly services: S;
  readonly verify: Verify;
  readonly secret: string;
  /** Lineage of a workspace, for idempotency: a clone replays the answers its source had stored. */
  readonly lineageOf: (workspace: number) => number;
  readonly log: HttpLog;
  /** Records which calls named which ids; null in production. */
  readonly notes: { add(x: RequestContext<unknown>, ended: Ended): void } | null;
  /** Receives large bodies. */
  readonly heavy: { receive(x: RequestContext<unknown>, limit: number): Promise<void> };
  readonly limits: Limits;
  /** Whose writes are stopped, everybody's or the tenant's, or where the tenant is; else null. */
  readonly stopped: (caller: Caller) => Shut | null;
  /** True in tests: an undeclared answer is a fault. */
  readonly checkAnswers: boolean;
  /** Counts, and records traces. */
  readonly observer: Observer;
}

/** How a request ended. */
export interface Ended {
  readonly startedMs: number;
  /** What was thrown; undefined for nothing. */
  readonly failure: unknown;
  /** Reference of a fault, or null. */
  readonly reference: string | null;
}

/** The context of one request. */
export interface RequestContext<S> {
  readonly gate: Gate<S>;
  readonly operation: Operation<S>;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly rawParams: Readonly<Record<string, string>>;
  readonly rawQuery: string;
  caller: Caller | null;
  /** True while the request holds one of its tenant's concurrency slots. */
  placed: boolean;
  idempotencyKey: string | null;
  /** Decoded query string. */
  queryValues: Parameters;
  /** Bytes of the body; null if there is none. */
  bytes: Buffer | null;
  /** A large body as far as the worker thread has read it; null if there is none. */
  offloaded: OffloadedBody | null;
  /** Frees the large body's slot; null if it has none. */
  release: (() => void) | null;
  /** The parsed body, before validation. */
  bodyValue: unknown;
  params: unknown;
  query: unknown;
  body: unknown;
  claim: IdempotencyClaim | null;
  answer: Answer | null;
}
