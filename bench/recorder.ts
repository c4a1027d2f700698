// Records a load's counts, latencies and failures within a window that opens after the warm-up.
// Times are milliseconds of the process's own clock.
import { Histogram } from './histogram.ts';
import { OPERATIONS } from './plan.ts';
import type { LoadResult, OperationName } from './plan.ts';

const KEPT_TEXTS = 5;
const KEPT_TEXT_LENGTH = 700;
const KEPT_INVOICES = 32;

/** Counts of one load; `openAt` and `closeAt` bound the measured window. */
export class Recorder {
  readonly openAt: number;
  readonly closeAt: number;
  readonly #latency: Record<OperationName, Histogram> = {
    create: new Histogram(),
    pay: new Histogram(),
    commit: new Histogram(),
    get: new Histogram(),
    token: new Histogram(),
    methods: new Histogram(),
  };
  readonly #perSecond: number[] = [];
  readonly #failures = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #invoices: string[] = [];
  #requests = 0;
  #purchases = 0;
  #paidInAll = 0;

  constructor(openAt: number, closeAt: number) {
    this.openAt = openAt;
    this.closeAt = closeAt;
  }

  /** Records an answer at `now` to a request due at `due`; true for a 2XX. */
  answer(name: OperationName, status: number, text: string, due: number, now: number): boolean {
    const inWindow = now >= this.openAt && now < this.closeAt;
    if (inWindow) {
      this.#requests += 1;
      this.#latency[name].record((now - due) * 1000);
    }
    if (status >= 200 && status < 300) return true;
    this.fail(`${name} ${status === 0 ? 'lost' : status}`, text);
    return false;
  }

  /** Records a failure; `text` is kept for the first few. */
  fail(what: string, text: string): void {
    this.#failures.set(what, (this.#failures.get(what) ?? 0) + 1);
    if (this.#texts.length < KEPT_TEXTS) {
      this.#texts.push(`${what}: ${text.slice(0, KEPT_TEXT_LENGTH)}`);
    }
  }

  /** A purchase was paid, as answered at `now`. */
  paid(invoiceId: string, now: number): void {
    this.#invoices[this.#paidInAll % KEPT_INVOICES] = invoiceId;
    this.#paidInAll += 1;
    if (now < this.openAt || now >= this.closeAt) return;
    this.#purchases += 1;
    const second = Math.floor((now - this.openAt) / 1000);
    this.#perSecond[second] = (this.#perSecond[second] ?? 0) + 1;
  }

  /** The result, with the CPU microseconds the generator used in the window. */
  result(cpuMicros: number): LoadResult {
    const latency: LoadResult['latency'] = Object.fromEntries(
      OPERATIONS.filter((name) => this.#latency[name].total > 0).map((name) => [
        name,
        this.#latency[name].buckets(),
      ]),
    );
    return {
      elapsedMs: this.closeAt - this.openAt,
      requests: this.#requests,
      purchases: this.#purchases,
      paidInAll: this.#paidInAll,
      perSecond: Array.from(this.#perSecond, (count) => count ?? 0),
      latency,
      failures: Object.fromEntries(this.#failures),
      failureTexts: this.#texts,
      lastInvoices: this.#invoices,
      cpuMicros,
    };
  }
}

/** The text of a field in an answer, found without parsing; empty if absent. */
export function fieldIn(text: string, name: string): string {
  const mark = `"${name}":"`;
  const at = text.indexOf(mark);
  if (at < 0) return '';
  const start = at + mark.length;
  return text.slice(start, text.indexOf('"', start));
}

/** Cheap repeatable choice: numbers from 0 to `below` - 1, evenly enough. */
export class Choice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  next(below: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * below);
  }
}
