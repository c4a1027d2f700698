// The figures of one process, in the text format of Prometheus. prom-client keeps and writes them.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { RequestCounts } from './requests.ts';
import { BUCKETS, METRICS, type MetricKey } from './rows.ts';

/** What Node tells of itself belongs to the process, however many figures there are. */
let ofNode: Registry | null = null;

function nodeRegistry(): Registry {
  if (ofNode !== null) return ofNode;
  ofNode = new Registry();
  collectDefaultMetrics({ register: ofNode });
  return ofNode;
}

/** Kept by `RequestCounts`. */
const REQUESTS: ReadonlySet<string> = new Set(['requests', 'requestSeconds']);

type Labels = Readonly<Record<string, string>>;

/** Figures by the key of their row. */
export class Figures {
  readonly #registry = new Registry();
  readonly #counters = new Map<MetricKey, Counter>();
  readonly #gauges = new Map<MetricKey, Gauge>();
  readonly #histograms = new Map<MetricKey, Histogram>();

  constructor(requests: RequestCounts) {
    nodeRegistry();
    requests.register(this.#registry);
    for (const [key, { name, type, help, labels }] of Object.entries(METRICS)) {
      if (REQUESTS.has(key)) continue;
      const options = { name, help, labelNames: [...labels], registers: [this.#registry] };
      const at = key as MetricKey;
      if (type === 'counter') this.#counters.set(at, new Counter(options));
      else if (type === 'gauge') this.#gauges.set(at, new Gauge(options));
      else this.#histograms.set(at, new Histogram({ ...options, buckets: BUCKETS }));
    }
    this.clear(...this.#gauges.keys());
  }

  count(key: MetricKey, labels: Labels, by = 1): void {
    this.#counters.get(key)?.inc(labels, by);
  }

  observe(key: MetricKey, labels: Labels, seconds: number): void {
    this.#histograms.get(key)?.observe(labels, seconds);
  }

  set(key: MetricKey, value: number, labels: Labels = {}): void {
    this.#gauges.get(key)?.set(labels, value);
  }

  /** Sets a counter that is kept elsewhere. */
  setTotal(key: MetricKey, totals: Readonly<Record<string, number>>, label: string): void {
    const counter = this.#counters.get(key);
    counter?.reset();
    for (const [name, total] of Object.entries(totals)) counter?.inc({ [label]: name }, total);
  }

  /** Forgets the values of a gauge: what is not set again is not told. */
  clear(...keys: readonly MetricKey[]): void {
    for (const key of keys) {
      const gauge = this.#gauges.get(key);
      gauge?.reset();
      // The library gives it 0, which nobody has read.
      if (METRICS[key].labels.length === 0) gauge?.remove();
    }
  }

  async text(): Promise<string> {
    return `${await this.#registry.metrics()}\n${await nodeRegistry().metrics()}`;
  }
}
