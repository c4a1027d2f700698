// Answers for noting which calls named which ids, beside the calls: a bounded queue that one timer
// empties, so that no call ever waits for it and a slow database costs notes, not answers. Refuses
// to know how notes are kept. Staging only.
import type { Queryable } from '../db/index.ts';
import { namedId, writeNotes, type RequestNote } from '../domain/explain/index.ts';
import { JsonText } from '../kernel/json-text.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ClientGone } from './body.ts';
import type { Exchange } from './exchange.ts';

const EVERY_MS = 250;
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
    // Who left before the whole request was here has asked for nothing.
    if (ended.failure instanceof ClientGone) return;
    if (x.operation.method === 'GET' && ended.failure === undefined) return;
    const named = idsOf(x, ended.reference);
    if (named.length === 0) return;
    const { caller, operation, response, claim } = x;
    const { startedMs, failure, reference } = ended;
    this.#waiting.push({
      world: caller.world,
      named,
      id: reference ?? x.gate.reference(),
      startedMs,
      tookMs: Math.max(0, Math.round(performance.now() - startedMs)),
      operation: operation.id,
      caller: caller.kind,
      clientId: caller.clientId,
      accountId: caller.accountId,
      // Who left before the answer has had its effect all the same.
      status: failure === undefined && x.answer ? x.answer.status : response.statusCode,
      refusal: failure instanceof Refusal ? failure.spec : null,
      scope: claim === null ? null : claim.scope,
    });
    this.#timer ??= setTimeout(() => void this.flush(), EVERY_MS).unref();
  }

  /** Resolves when every note taken so far is written or lost, however many follow meanwhile. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    return (this.#writing = this.#writing.then(() => this.#empty()));
  }

  async #empty(): Promise<void> {
    for (let left = this.#waiting.length; left > 0; left -= BATCH) {
      const batch = this.#waiting.splice(0, Math.min(BATCH, left));
      try {
        await writeNotes(this.#db, batch, performance.now());
      } catch (error) {
        this.#fault(error);
      }
    }
  }
}

/**
 * UUIDs that a call named: a fault's reference, the address, the answer's own, the body. Where a
 * finished record is answered its own id will do, since what the body named is its owner's.
 */
function idsOf(x: Exchange<unknown>, reference: string | null): readonly string[] {
  const ids: string[] = reference === null ? [] : [reference];
  for (const name in x.rawParams) take(ids, x.rawParams[name]);
  const payload = x.answer?.payload;
  if (payload instanceof JsonText) {
    take(ids, FIRST_ID.exec(payload.text)?.[1]);
    return ids;
  }
  takeFields(ids, payload);
  takeFields(ids, x.body ?? x.bodyValue);
  return ids;
}

function take(ids: string[], value: unknown): void {
  if (typeof value !== 'string' || ids.length >= MOST_IDS) return;
  const uuid = namedId(value)?.uuid;
  if (uuid !== undefined && !ids.includes(uuid)) ids.push(uuid);
}

/** Top-level fields that are called an id. */
function takeFields(ids: string[], value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const name in value) {
    if (name.endsWith('id')) take(ids, (value as Record<string, unknown>)[name]);
  }
}
