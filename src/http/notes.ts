// Answers for noting which calls named which ids, beside the calls: a bounded queue that one timer
// empties, so that no call ever waits for it and a slow database costs notes, not answers. Refuses
// to know how notes are kept. Staging only.
import type { Queryable } from '../db/index.ts';
import { namedId, writeNotes, type RequestNote } from '../domain/explain/index.ts';
import { JsonText } from '../kernel/json-text.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Exchange } from './exchange.ts';

const EVERY_MS = 100;
const MOST_WAITING = 10_000;
const BATCH = 2_000;
/** Ids of one call that are noted. */
const MOST_IDS = 8;
/** A finished record opens with its own id. */
const FIRST_ID = /^\{"[a-z_]*id":"([^"\\]{1,40})"/;

/** How an exchange ended. */
export interface Ended {
  readonly startedMs: number;
  /** What was thrown; undefined for nothing. */
  readonly failure: unknown;
  /** Reference of a fault; null for none. */
  readonly reference: string | null;
}

/** The queue of one process. */
export class RequestNotes {
  readonly #db: Queryable;
  readonly #fault: (error: unknown) => void;
  #waiting: RequestNote[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Queryable, fault: (error: unknown) => void) {
    this.#db = db;
    this.#fault = fault;
  }

  /**
   * Notes a call that changed or tried to change something, or was refused. What only read is left
   * out: it explains nothing, and who polls would push everything else out.
   */
  add(x: Exchange<unknown>, ended: Ended): void {
    if (x.caller === null || this.#waiting.length >= MOST_WAITING) return;
    if (x.operation.method === 'GET' && ended.failure === undefined) return;
    const named = idsOf(x, ended.reference);
    if (named.length === 0) return;
    const { world, kind: caller, clientId, accountId } = x.caller;
    const { failure, startedMs } = ended;
    this.#waiting.push({
      ...{ world, named, caller, clientId, accountId, startedMs },
      id: ended.reference ?? x.gate.reference(),
      tookMs: Math.max(0, Math.round(performance.now() - startedMs)),
      operation: x.operation.id,
      status: x.response.statusCode,
      refusal: failure instanceof Refusal ? failure.spec : null,
      scope: x.claim?.scope ?? null,
    });
    this.#timer ??= setTimeout(() => void this.flush(), EVERY_MS).unref();
  }

  /** Resolves when every note taken so far is written or lost. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    return (this.#writing = this.#writing.then(() => this.#empty()));
  }

  async #empty(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        await writeNotes(this.#db, batch, performance.now());
      } catch (error) {
        this.#fault(error);
      }
    }
  }
}

/** UUIDs that a call named: a fault's reference, the address, the body, the answer's own. */
function idsOf(x: Exchange<unknown>, reference: string | null): readonly string[] {
  const ids = new Set<string>(reference === null ? [] : [reference]);
  const take = (value: unknown): void => {
    const id = typeof value === 'string' && ids.size < MOST_IDS ? namedId(value) : null;
    if (id !== null) ids.add(id.uuid);
  };
  for (const name in x.rawParams) take(x.rawParams[name]);
  takeFields(x.body ?? x.bodyValue, take);
  const payload = x.answer?.payload;
  if (payload instanceof JsonText) take(FIRST_ID.exec(payload.text)?.[1]);
  else takeFields(payload, take);
  return [...ids];
}

/** Top-level fields that are called an id. */
function takeFields(value: unknown, take: (value: unknown) => void): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const name in value) {
    if (name.endsWith('id')) take((value as Record<string, unknown>)[name]);
  }
}
