// Records calls and the ids they named, for `explain` and the log of requests: a bounded queue that
// a timer empties, so that no call waits for it and a slow database loses records, not answers.
import type { Queryable } from '../db/index.ts';
import { namedId, writeNotes, type RequestNote } from '../product/tell/explain/index.ts';
import { JsonText } from '../core/json-text.ts';
import { Refusal } from '../core/refusal.ts';
import { ClientGone } from './body.ts';
import type { Ended, RequestContext } from './request-context.ts';
import { workOf } from './request-work.ts';

const EVERY_MS = 250;
const MOST_WAITING = 10_000;
const BATCH = 2_000;
/** Most refused calls of a tenant recorded in that time, where only those are kept. */
const MOST_REFUSED = 20;
/** Most ids recorded per call. */
const MOST_IDS = 8;
/** A rendered record starts with its own id. */
const FIRST_ID = /^\{"[a-z_]*id":"([^"\\]{1,40})"/;

/** The queue of one process. */
export class RequestNotes {
  readonly #db: Queryable;
  readonly #fault: (error: unknown) => void;
  /** Every call, or only those that were refused or failed. */
  readonly kept: 'on' | 'refused';
  /** Refused calls recorded since the last turn of the timer, by workspace. */
  readonly #refused = new Map<number, number>();
  #waiting: RequestNote[] = [];
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    db: Queryable,
    fault: (error: unknown) => void,
    kept: RequestNotes['kept'],
  ) {
    this.#db = db;
    this.#fault = fault;
    this.kept = kept;
  }

  /**
   * Records a call that changed something, tried to, or was refused. Plain reads are left out: they
   * explain nothing, and polling would push everything else out. So is each call that did its work
   * where only refused ones are recorded.
   */
  add(x: RequestContext<unknown>, ended: Ended): void {
    if (x.caller === null || this.#waiting.length >= MOST_WAITING) return;
    // A client that left before sending the whole request has asked for nothing.
    if (ended.failure instanceof ClientGone) return;
    if (x.operation.method === 'GET' && ended.failure === undefined) return;
    const { caller, operation, response, claim } = x;
    const { startedMs, failure } = ended;
    if (this.kept === 'refused' && !this.#counts(caller.workspace, failure)) return;
    const id = workOf(x.raw).cause.requestId;
    const ids = idsOf(x, ended.reference);
    this.#waiting.push({
      workspace: caller.workspace,
      // One that named nothing is found by its own id.
      named: ids.length === 0 ? [id] : ids,
      id,
      startedMs,
      tookMs: Math.max(0, Math.round(performance.now() - startedMs)),
      operation: operation.id,
      caller: caller.kind,
      clientId: caller.clientId,
      accountId: caller.accountId,
      // If the client left before the answer, the call still had its effect.
      status: failure === undefined && x.answer ? x.answer.status : response.statusCode,
      refusal: failure instanceof Refusal ? failure.spec : null,
      scope: claim === null ? null : claim.scope,
    });
    this.#timer ??= setTimeout(() => void this.flush(), EVERY_MS).unref();
  }

  #counts(workspace: number, failure: unknown): boolean {
    const before = this.#refused.get(workspace) ?? 0;
    if (failure === undefined || before >= MOST_REFUSED) return false;
    this.#refused.set(workspace, before + 1);
    return true;
  }

  /** Resolves when every record taken so far is written or lost, however many follow meanwhile. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#refused.clear();
    return (this.#writing = this.#writing.then(() => this.#empty()));
  }

  async #empty(): Promise<void> {
    for (let left = this.#waiting.length; left > 0; left -= BATCH) {
      const batch = this.#waiting.splice(0, Math.min(BATCH, left));
      try {
        await writeNotes(this.#db, batch, () => performance.now());
      } catch (error) {
        this.#fault(error);
      }
    }
  }
}

/** The queue of a server with that setting; null where none are kept. */
export function notesOf(
  db: Queryable,
  fault: (error: unknown) => void,
  kept: RequestNotes['kept'] | 'off',
): RequestNotes | null {
  return kept === 'off' ? null : new RequestNotes(db, fault, kept);
}

/**
 * UUIDs a call named: a fault's reference, those of the path, the answer's own, the body's. With a
 * rendered record in the answer its own id suffices, since the body names its owner.
 */
function idsOf(x: RequestContext<unknown>, reference: string | null): readonly string[] {
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

/** Top-level fields named as ids. */
function takeFields(ids: string[], value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const name in value) {
    if (name.endsWith('id')) take(ids, (value as Record<string, unknown>)[name]);
  }
}
