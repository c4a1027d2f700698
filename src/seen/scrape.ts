// What is read from the database when Prometheus asks: part by part, each with a time limit and a
// bound, so that a part that fails takes nothing with it and is told.
import { modules } from '../catalogue.ts';
import type { Queue } from '../core/queue.ts';
import { archiveOf, isFinished, isSynchronous, type Queryable } from '../db/index.ts';
import { streamQueues } from '../outbox/index.ts';
import { ITEM_KINDS, openItems } from '../product/money/reconciliation/index.ts';
import { STOPPABLE, stopsNow } from '../product/tenant/stop/index.ts';
import { endpointLags } from '../product/tell/webhook/index.ts';
import type { Figures } from './figures.ts';
import type { MetricKey } from './rows.ts';

/** Some gauges, and how they are read. */
export interface Part {
  readonly name: string;
  /** Read at most so often; absent: each time. */
  readonly everySeconds?: number;
  readonly gauges: readonly MetricKey[];
  read(db: Queryable, figures: Figures): Promise<void>;
}

/** Entries counted of one tenant, and in all. */
const OF_TENANT = 1_000;
const IN_ALL = 10_000;
const ENDPOINTS = 20;
/** Milliseconds for all parts; Prometheus waits ten seconds. */
const LIMIT_MS = 5_000;

/** SQL of one row: how many wait, and how long the oldest has. */
function waiting({ name, rows, real, tenantless }: Queue): string {
  const now = real === true ? '' : ' + w.clock_offset';
  const ages = tenantless === true
    ? `select clock_timestamp() - q.at as age from (${rows}) q`
    : `select clock_timestamp()${now} - q.at as age from workspace w
        cross join lateral (${rows} limit ${OF_TENANT}) q where w.ended is null`;
  return `select '${name}' as queue, count(*)::int4 as entries,
      greatest(0, coalesce(extract(epoch from max(age)), 0))::float8 as oldest
    from (${ages} limit ${IN_ALL}) waiting`;
}

/** The queues of one module, in one query. */
function queuesPart(name: string, queues: readonly Queue[]): Part {
  const text = queues.map((queue) => `(${waiting(queue)})`).join(' union all ');
  const workers = new Map(queues.map((queue) => [queue.name, queue.by]));
  return {
    name,
    gauges: [],
    async read(db, figures) {
      const rows = await db.query<{ queue: string; entries: number; oldest: number }>(text);
      for (const { queue, entries, oldest } of rows) {
        const labels = { queue, by: workers.get(queue) ?? '' };
        figures.set('queueEntries', entries, labels);
        figures.set('queueOldest', oldest, labels);
      }
    },
  };
}

const LAG: Part = {
  name: 'event_lag',
  gauges: ['eventLag'],
  async read(db, figures) {
    for (const { endpoint, seconds } of await endpointLags(db, ENDPOINTS)) {
      figures.set('eventLag', seconds, { endpoint });
    }
  },
};

const SCHEMA: Part = {
  name: 'schema',
  gauges: ['schema', 'unfinished'],
  async read(db, figures) {
    const [newest] = await db.query<{ name: string }>('select max(name) as name from migration');
    figures.set('schema', Number.parseInt(newest?.name ?? '0', 10));
    figures.set('unfinished', (await isFinished(db)) ? 0 : 1);
  },
};

/** Whether what is committed outlives the database's host. */
const SAFETY: Part = {
  name: 'database_safety',
  gauges: ['synchronous', 'archiveFails', 'archiveAge'],
  async read(db, figures) {
    figures.set('synchronous', (await isSynchronous(db)) ? 1 : 0);
    const archive = await archiveOf(db);
    if (archive === null) return;
    figures.set('archiveFails', archive.fails ? 1 : 0);
    figures.set('archiveAge', archive.ageSeconds);
  },
};

const STOPS: Part = {
  name: 'stops',
  gauges: ['stops'],
  async read(db, figures) {
    const counts = new Map<string, number>(Object.keys(STOPPABLE).map((what) => [what, 0]));
    for (const { what } of await stopsNow(db)) counts.set(what, (counts.get(what) ?? 0) + 1);
    for (const [what, count] of counts) figures.set('stops', count, { what });
  },
};

const RECONCILIATION: Part = {
  name: 'reconciliation',
  everySeconds: 60,
  gauges: ['items', 'itemsOldest'],
  async read(db, figures) {
    const oldest = new Map<string, number>();
    const counts = new Map<string, number>();
    for (const { kind, age_seconds } of await openItems(db, null, OF_TENANT)) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      oldest.set(kind, Math.max(oldest.get(kind) ?? 0, age_seconds));
    }
    for (const kind of ITEM_KINDS) {
      figures.set('items', counts.get(kind) ?? 0, { kind });
      figures.set('itemsOldest', oldest.get(kind) ?? 0, { kind });
    }
  },
};

/** Everything that is read, in its order. */
export const PARTS: readonly Part[] = [
  SCHEMA,
  SAFETY,
  STOPS,
  ...modules.flatMap(({ name, queues = [] }) => {
    return queues.length === 0 ? [] : [queuesPart(name.replace('/', '_'), queues)];
  }),
  queuesPart('outbox', streamQueues),
  LAG,
  RECONCILIATION,
];

/** Reads parts, one scrape at a time: who asks meanwhile gets the same one. */
export class Scrape {
  readonly #db: Queryable;
  readonly #figures: Figures;
  readonly #parts: readonly Part[];
  readonly #limitMs: number;
  /** When each part that is not read each time was last read. */
  readonly #readAt = new Map<Part, number>();
  #running: Promise<void> | null = null;

  constructor(db: Queryable, figures: Figures, parts = PARTS, limitMs = LIMIT_MS) {
    this.#db = db;
    this.#figures = figures;
    this.#parts = parts;
    this.#limitMs = limitMs;
  }

  /** Resolves when each part was read, has failed or is out of time; never rejects. */
  read(): Promise<void> {
    return (this.#running ??= this.#all().finally(() => (this.#running = null)));
  }

  async #all(): Promise<void> {
    const startedMs = performance.now();
    this.#figures.clear('queueEntries', 'queueOldest');
    for (const part of this.#parts) {
      const leftMs = this.#limitMs - (performance.now() - startedMs);
      const ok = this.#isFresh(part) || (await this.#part(part, leftMs));
      this.#figures.set('scrapeOk', ok ? 1 : 0, { part: part.name });
    }
    this.#figures.set('scrapeSeconds', (performance.now() - startedMs) / 1000);
  }

  #isFresh(part: Part): boolean {
    const readAt = this.#readAt.get(part) ?? Number.NEGATIVE_INFINITY;
    return performance.now() - readAt < (part.everySeconds ?? 0) * 1000;
  }

  async #part(part: Part, leftMs: number): Promise<boolean> {
    this.#figures.clear(...part.gauges);
    this.#readAt.delete(part);
    // A timer may be a millisecond early.
    if (leftMs < 2) return false;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), Math.ceil(leftMs));
    });
    const read = part.read(this.#db, this.#figures).then(
      () => true,
      () => false,
    );
    const ok = await Promise.race([read, over]);
    clearTimeout(timer);
    if (ok && part.everySeconds !== undefined) this.#readAt.set(part, performance.now());
    return ok;
  }
}
