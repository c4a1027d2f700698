// Answers for what the pipeline knows about one request while it passes through: each step reads
// what earlier ones found and adds its own. Refuses to know the steps.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, Caller, HostName, IdempotencyClaim, Operation } from '../kernel/operation.ts';
import type { LiftedBody } from '../ports/files.ts';
import type { HeavyBodies } from './heavy.ts';
import type { Limits } from './limits.ts';
import type { HttpLog } from './log.ts';
import type { RequestNotes } from './notes.ts';
import type { Parameters } from './form.ts';

/**
 * Checks a bearer token: the caller it speaks for, or null when it is not valid here or no longer.
 * At once for a token seen before, so that the hot path does not wait.
 */
export type Verify = (token: string) => Caller | null | Promise<Caller | null>;

/** What all requests of one process share. */
export interface Gate<S> {
  readonly services: S;
  readonly verify: Verify;
  readonly secret: string;
  /** What stands for a world in the names of requests: a copy gives the answers that it kept. */
  readonly lineOf: (world: number) => number;
  readonly log: HttpLog;
  /** Which calls named which ids; null in production. */
  readonly notes: RequestNotes | null;
  readonly heavy: HeavyBodies;
  readonly limits: Limits;
  /** True in tests: an answer that its operation does not declare is a fault. */
  readonly checkAnswers: boolean;
  /** Gives the reference of a fault. */
  readonly reference: () => string;
}

/** One request on its way. */
export interface Exchange<S> {
  readonly gate: Gate<S>;
  readonly operation: Operation<S>;
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly rawParams: Readonly<Record<string, string>>;
  readonly rawQuery: string;
  caller: Caller | null;
  /** True while the caller's tenant has a place among its requests at once. */
  placed: boolean;
  idempotencyKey: string | null;
  /** Decoded query string. */
  queryValues: Parameters;
  /** Bytes of the body; null when there is none. */
  bytes: Buffer | null;
  /** A heavy body as far as it was read elsewhere; null when there is none. */
  lifted: LiftedBody | null;
  /** Gives back the place of a heavy body; null when it has none. */
  release: (() => void) | null;
  /** The body as a value, before its schema. */
  bodyValue: unknown;
  params: unknown;
  query: unknown;
  body: unknown;
  claim: IdempotencyClaim | null;
  answer: Answer | null;
}

/** Where an exchange stands, for the log. */
export interface Place {
  readonly host: HostName;
  readonly route: string;
  readonly operation: string;
}
