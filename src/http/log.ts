// The log: one JSON line per entry on stderr. What a line may say is a schema for each event, which
// is published: named fields only, never a URL, a header, a body or a message that could hold a
// value. [PD1]
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { maskCardNumbers } from '../core/card-number.ts';
import { Refusal } from '../core/refusal.ts';
import { isDisconnected } from '../db/index.ts';

/** Log level: nothing, faults, or also a line per request. */
export type LogLevel = 'silent' | 'error' | 'info';

const said = <T extends z.ZodType>(schema: T, description: string): T =>
  schema.meta({ description });

const host = said(z.string(), 'The host that was asked; `internal` for background work.');

/** Every event, with the fields that its lines have. */
export const LOG_EVENTS = {
  request: z.strictObject({
    event: z.literal('request'),
    host,
    method: z.string(),
    route: said(z.string(), 'The pattern of the path, without ids.'),
    operation: said(z.string(), 'The operation; `unknown` for a path that there is not.'),
    status: z.int(),
    ms: said(z.number(), 'Milliseconds to the answer.'),
    client_id: said(z.string().nullable(), 'The client of the token; null without one.'),
    request_id: said(z.string(), 'As in X-Request-Id of the answer.'),
    trace_id: said(z.string(), "The caller's trace, else the request's own."),
    reference: said(z.string().nullable(), 'The reference of a fault that the answer gave.'),
  }),
  fault: z.strictObject({
    event: z.literal('fault'),
    reference: said(z.string(), 'For a request: its id.'),
    host,
    operation: said(z.string(), 'The operation, command or background work.'),
    error: said(z.string(), 'The class of the error.'),
    code: z.string().nullable(),
    message: said(z.string().nullable(), 'A sentence of ours; null for what others threw.'),
    frames: said(z.array(z.string()), 'Where it was thrown.'),
  }),
  notice: z.strictObject({
    event: z.literal('notice'),
    text: said(z.string(), 'Something that operators should know, in words, ids and ages.'),
  }),
} as const;

type Events = typeof LOG_EVENTS;
export type RequestEntry = z.output<Events['request']>;
export type FaultEntry = z.output<Events['fault']>;
export type LogEntry = z.output<Events[keyof Events]>;

/** Where entries go. `requests`: whether an entry per request is wanted. */
export interface HttpLog {
  readonly requests: boolean;
  write(entry: LogEntry): void;
}

/** The fields of each event, in their order; no other is ever written. */
const FIELDS = Object.fromEntries(
  Object.entries(LOG_EVENTS).map(([event, schema]) => [event, Object.keys(schema.shape)]),
) as Record<string, readonly string[]>;

/**
 * A log of one level; `line` receives each line without its line end, `fault` the operation of each
 * fault.
 */
export function httpLog(
  level: LogLevel,
  line: (text: string) => void = (text) => void process.stderr.write(`${text}\n`),
  fault: (operation: string) => void = () => {},
): HttpLog {
  return {
    requests: level === 'info',
    write: (entry) => {
      if (entry.event === 'fault') fault(entry.operation);
      if (level === 'silent' || (level === 'error' && entry.event === 'request')) return;
      const given = entry as unknown as Readonly<Record<string, unknown>>;
      const named = (FIELDS[entry.event] ?? []).map((field) => [field, given[field]] as const);
      const at = new Date().toISOString();
      line(JSON.stringify({ at, ...Object.fromEntries(named) }, withoutCards));
    },
  };
}

/** No field should hold a card number; if one does, it is masked. [G-75] */
function withoutCards(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? maskCardNumbers(value) : value;
}

const MOST_FRAMES = 12;

/**
 * What may be logged about a thrown value. A message is quoted only from a plain Error without a
 * code: those are our own fixed sentences, while a driver's message may hold values.
 */
function describeFault(
  error: unknown,
): Pick<FaultEntry, 'error' | 'code' | 'message' | 'frames'> {
  if (error instanceof Refusal) {
    const { code, sentence } = error.spec;
    return { error: 'Refusal', code, message: sentence, frames: [] };
  }
  if (!(error instanceof Error)) {
    return { error: typeof error, code: null, message: null, frames: [] };
  }
  const code: unknown = (error as { code?: unknown }).code;
  const own = error.constructor === Error && code === undefined;
  const stack = typeof error.stack === 'string' ? error.stack : '';
  const frames = stack.split('\n').filter((text) => text.startsWith('    at '));
  return {
    error: error.name,
    code: typeof code === 'string' ? code : null,
    message: own ? error.message : null,
    frames: frames.slice(0, MOST_FRAMES).map((text) => text.trim().slice(3)),
  };
}

/** A database that is away breaks everything at once: it is told of once in so long. */
const TOLD_AGAIN_MS = 60_000;

/**
 * What becomes of an error of the engine or of background work. A lost connection to the database
 * is no fault: the next turn takes another one. `lost` counts it, and one line tells of it.
 */
export function workFaults(
  log: HttpLog,
  lost: (operation: string) => void,
): (error: unknown, operation?: string) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (error, operation = 'worker') => {
    if (!isDisconnected(error)) return logFault(log, error, operation);
    lost(operation);
    const now = performance.now();
    if (now - toldAt < TOLD_AGAIN_MS) return;
    toldAt = now;
    const text = `warning: the connection to the database was lost in ${operation}; `
      + 'such work is begun again';
    log.write({ event: 'notice', text });
  };
}

/** Logs a fault; outside of any request under a reference of its own. */
export function logFault(
  log: HttpLog,
  error: unknown,
  operation = 'worker',
  { reference, host } = { reference: randomUUID() as string, host: 'internal' },
): void {
  log.write({ event: 'fault', reference, host, operation, ...describeFault(error) });
}
