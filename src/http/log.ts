// The request log: one JSON line per entry on stderr, named fields only, never a URL, a header, a
// body or a message that could hold a value. [PD1]
import { maskCardNumbers } from '../core/card-number.ts';

import { randomUUID } from 'node:crypto';

/** Log level: nothing, faults, or also a line per request. */
export type LogLevel = 'silent' | 'error' | 'info';

/** One answered request. The route is its pattern, so it holds no ids. */
export interface RequestEntry {
  readonly event: 'request';
  readonly host: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  readonly client_id: string | null;
  readonly reference: string | null;
}

/** One fault: its class and code, and where it was thrown. */
export interface FaultEntry {
  readonly event: 'fault';
  readonly reference: string;
  readonly host: string;
  readonly operation: string;
  readonly error: string;
  readonly code: string | null;
  readonly message: string | null;
  readonly frames: readonly string[];
}

/** Something operators should know, such as a taken port. */
export interface NoticeEntry {
  readonly event: 'notice';
  readonly text: string;
}

/** Where entries go. `requests`: whether an entry per request is wanted. */
export interface HttpLog {
  readonly requests: boolean;
  write(entry: RequestEntry | FaultEntry | NoticeEntry): void;
}

/** A log of one level; `line` receives each line without its line end. */
export function httpLog(
  level: LogLevel,
  line: (text: string) => void = (text) => void process.stderr.write(`${text}\n`),
): HttpLog {
  return {
    requests: level === 'info',
    write: (entry) => {
      if (level === 'silent' || (level === 'error' && entry.event === 'request')) return;
      line(JSON.stringify({ at: new Date().toISOString(), ...entry }, withoutCards));
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
export function describeFault(
  error: unknown,
): Pick<FaultEntry, 'error' | 'code' | 'message' | 'frames'> {
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

/** Logs a fault outside any request. */
export function logFault(log: HttpLog, error: unknown, operation = 'worker'): void {
  const reference = randomUUID();
  log.write({ event: 'fault', reference, host: 'internal', operation, ...describeFault(error) });
}
