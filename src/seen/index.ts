// What a process shows of itself: it counts what it is told of, records traces where that is
// wanted, and reads the rest when Prometheus asks.
import { createRequire } from 'node:module';
import { traceOf, type Work } from '../concurrency/cause.ts';
import type { Answered, Observer } from '../concurrency/observer.ts';
import type { Database, Queryable } from '../db/index.ts';
import type { Engine } from '../engine/index.ts';
import type { KeyVersions } from '../providers/keys/versions.ts';
import type { Span, Spans } from '../providers/spans/port.ts';
import { Figures } from './figures.ts';
import { RequestCounts } from './requests.ts';
import { Scrape } from './scrape.ts';

type Use = Pick<Database, 'use'>;

/** The pools of the process. `seen`: of its own, so that a scrape takes nobody's connection. */
interface Pools extends Readonly<Record<'engine' | 'reads' | 'work' | 'long', Use>> {
  readonly seen: Queryable;
  readonly heartbeat: { readonly well: boolean };
}

/** What the figures are read from. */
export interface SeenParts {
  /** Null: traces are not recorded. */
  readonly spans: Spans | null;
  readonly pools: Pools;
  readonly versions: Pick<KeyVersions, 'list'>;
  readonly environment: string;
}

type Counted = Pick<Engine, 'counters' | 'open' | 'running' | 'stillMs'>;

const require = createRequire(import.meta.url);
/** Of this package, in a checkout as in an installation. */
const RELEASE = (require('holdfast/package.json') as { readonly version: string }).version;

/** Outcomes of calls that are no trouble. */
const FINE: ReadonlySet<string> = new Set(['answered', 'pending', 'challenged', '2xx']);

export class Seen implements Observer {
  readonly records: boolean;
  readonly #parts: SeenParts;
  readonly #requests = new RequestCounts();
  readonly #figures = new Figures(this.#requests);
  readonly #scrape: Scrape;
  #engine: Counted | null = null;
  #anchoredMs = performance.now();

  constructor(parts: SeenParts) {
    this.#parts = parts;
    this.records = parts.spans !== null;
    this.#scrape = new Scrape(parts.pools.seen, this.#figures);
    const { environment } = parts;
    this.#figures.set('build', 1, { version: RELEASE, node: process.version, environment });
  }

  /** The engine runs from now on. */
  runs(engine: Counted): void {
    this.#engine = engine;
  }

  answered(
    { host, method, route, operation, status, startedMs }: Answered,
    work: Work,
  ): void {
    const endedMs = performance.now();
    this.#requests.add(host, operation, status, (endedMs - startedMs) / 1000);
    const { spans } = this.#parts;
    if (spans === null || !work.cause.sampled) return;
    spans.ended({
      ...placeOf(work),
      kind: 'server',
      name: operation,
      failed: status >= 500,
      ...{ startedMs, endedMs },
      facts: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'holdfast.host': host,
        'holdfast.request_id': work.cause.requestId,
      },
    });
  }

  called(kind: string, outcome: string, startedMs: number, work: Work | undefined): void {
    const endedMs = performance.now();
    this.#figures.observe('calls', { kind, outcome }, (endedMs - startedMs) / 1000);
    const { spans } = this.#parts;
    if (spans === null || work === undefined || !work.cause.sampled) return;
    const { requestId } = work.cause;
    spans.ended({
      ...placeOf(work),
      kind: 'client',
      name: kind,
      failed: !FINE.has(outcome),
      ...{ startedMs, endedMs },
      facts: { 'holdfast.outcome': outcome, 'holdfast.request_id': requestId },
    });
  }

  /** A fault was logged. */
  fault(operation: string): void {
    this.#figures.count('faults', { operation });
  }

  /** Work lost its connection to the database. */
  disconnected(operation: string): void {
    this.#figures.count('disconnections', { operation });
  }

  /** The heads of the audit are in the anchor. */
  anchored(): void {
    this.#anchoredMs = performance.now();
  }

  /** Everything, in the text format of Prometheus. `threadLag`: null without an HTTP thread. */
  readonly text = async (threadLag: (() => Promise<number>) | null): Promise<string> => {
    this.#readProcess();
    const lag = threadLag?.().then((seconds) => this.#figures.set('threadLag', seconds));
    await Promise.all([this.#scrape.read(), this.#readKeys(), lag]);
    return this.#figures.text();
  };

  #readProcess(): void {
    const figures = this.#figures;
    figures.set('anchorAge', (performance.now() - this.#anchoredMs) / 1000);
    const { engine: commands, reads, work, long, heartbeat } = this.#parts.pools;
    for (const [pool, { use }] of Object.entries({ engine: commands, reads, work, long })) {
      figures.set('poolConnections', use.busy, { pool, state: 'busy' });
      figures.set('poolConnections', use.idle, { pool, state: 'idle' });
      figures.set('poolWaiting', use.waiting, { pool });
    }
    figures.set('databaseUp', heartbeat.well ? 1 : 0);
    figures.setTotal('spans', { ...this.#parts.spans?.totals }, 'outcome');
    const engine = this.#engine;
    if (engine === null) return;
    figures.setTotal('engine', { ...engine.counters }, 'what');
    figures.set('engineOpen', engine.running, { state: 'running' });
    figures.set('engineOpen', engine.open - engine.running, { state: 'waiting' });
    figures.set('engineStill', engine.stillMs / 1000);
  }

  async #readKeys(): Promise<void> {
    this.#figures.clear('keyVersion');
    const { all, current } = await this.#parts.versions.list();
    for (const version of all) {
      this.#figures.set('keyVersion', version === current ? 1 : 0, { version });
    }
  }
}

function placeOf({ cause, spanId, parent }: Work): Pick<Span, 'traceId' | 'spanId' | 'parent'> {
  return { traceId: traceOf(cause), spanId, parent };
}
