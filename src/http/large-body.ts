// Large bodies: limits how many are in memory at once, sends them to the parser thread and puts the
// result together. [G-70] A body keeps its slot until its request is answered.
import { OffloadedText } from '../core/offloaded-text.ts';
import { refuse } from '../core/refusal.ts';
import { Slots } from '../concurrency/slots.ts';
import type { LiftBody, OffloadedBody, TakenText } from '../providers/files/port.ts';
import { receiveBody } from './body.ts';
import type { RequestContext } from './request-context.ts';
import { httpRefusals } from './refusals.ts';

/** Large bodies in memory at once, per process. */
const PLACES = 4;
/** Milliseconds a request waits for a slot before 503; its body is not read meanwhile. */
const WAIT_MS = 5_000;
const RETRY_AFTER_SECONDS = 5;
/** Bodies are collected in pieces of this size, which move to the thread without a copy. */
const SEGMENT_BYTES = 1_048_576;

/** The slots for large bodies of one process. */
export class LargeBodies {
  readonly #lift: LiftBody | undefined;
  /** One for each caller, or four slow requests with one token would take them all. */
  readonly #slots: Slots;

  constructor(lift: LiftBody | undefined, waitMs: number = WAIT_MS) {
    this.#lift = lift;
    this.#slots = new Slots({ most: PLACES, waitMs, full: overloaded });
  }

  /** Waits for a slot, receives the body and has it parsed. Refuses with 413 or 503. */
  async receive(x: RequestContext<unknown>, limit: number): Promise<void> {
    if (this.#lift === undefined) throw new Error('a heavy operation without a reader of bodies');
    const { caller } = x;
    const who = caller && JSON.stringify([caller.workspace, caller.clientId, caller.accountId]);
    x.release = await this.#slots.take(who);
    const segments = new Segments();
    const size = await receiveBody(x.raw, x.response, limit, (chunk) => segments.add(chunk));
    // An empty body counts as none.
    if (size === 0) return;
    x.offloaded = await this.#lift(segments.end());
    if (x.offloaded === null) throw overloaded();
  }
}

function overloaded() {
  return refuse(httpRefusals.OVERLOADED, {}, RETRY_AFTER_SECONDS);
}

/** Bytes in pieces that own their memory: a socket's buffers may be shared. */
class Segments {
  readonly #full: Buffer[] = [];
  #last: Buffer = Buffer.allocUnsafeSlow(SEGMENT_BYTES);
  #used = 0;

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(this.#last, this.#used, at);
      at += copied;
      this.#used += copied;
      if (this.#used < SEGMENT_BYTES) continue;
      this.#full.push(this.#last);
      this.#last = Buffer.allocUnsafeSlow(SEGMENT_BYTES);
      this.#used = 0;
    }
  }

  end(): Buffer[] {
    return [...this.#full, this.#last.subarray(0, this.#used)];
  }
}

type Taken = Omit<Extract<OffloadedBody, { ok: true }>, 'rest' | 'ok'>;

/** The value with each marker replaced by its offloaded field; changed in place. */
export function placeTexts(value: unknown, taken: Taken): unknown {
  if (typeof value === 'string') {
    if (!value.startsWith(taken.marker)) return value;
    const text = taken.texts[Number(value.slice(taken.marker.length))];
    const { bytes, length, digest } = text as TakenText;
    return new OffloadedText(bytes, length, digest);
  }
  if (typeof value !== 'object' || value === null) return value;
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) record[key] = placeTexts(record[key], taken);
  return value;
}
