// Who is told of finished work. What does the work knows this alone; what is counted, and whether
// traces are recorded, is decided where a process is put together.
import { asWork, workFor, type Work } from './cause.ts';

/** An answered request. */
export interface Answered {
  readonly host: string;
  readonly method: string;
  readonly route: string;
  readonly operation: string;
  readonly status: number;
  /** As `performance.now()`. */
  readonly startedMs: number;
}

export interface Observer {
  /** True where traces are recorded, also of requests whose callers have none. */
  readonly records: boolean;
  answered(answered: Answered, work: Work): void;
  /** A call outside has ended; `work` is undefined where no request caused it. */
  called(kind: string, outcome: string, startedMs: number, work: Work | undefined): void;
}

/** Tells nobody. */
export const NO_OBSERVER: Observer = { records: false, answered() {}, called() {} };

/** What a stored row says of the request behind it. */
export interface StoredCause {
  readonly request_id: string | null;
  readonly trace_id: string | null;
}

/**
 * Makes a call outside as work for the request behind a stored row, and tells the observer how it
 * ended: as `outcomeOf` says, or `fault` where it threw.
 */
export async function observedCall<T>(
  observer: Observer,
  kind: string,
  { request_id, trace_id }: StoredCause,
  call: () => Promise<T>,
  outcomeOf: (result: T) => string,
): Promise<T> {
  const sampled = trace_id !== null || observer.records;
  const work =
    request_id === null
      ? undefined
      : workFor({ requestId: request_id, traceId: trace_id, sampled });
  const startedMs = performance.now();
  let outcome = 'fault';
  try {
    const result = await asWork(work, call);
    outcome = outcomeOf(result);
    return result;
  } finally {
    observer.called(kind, outcome, startedMs, work);
  }
}
