// Counts answered requests by operation: plain additions, because this runs for each of them
// (prom-client's own counters cost two microseconds); they become its figures when they are read.
import type { Registry } from 'prom-client';
import { BUCKETS, METRICS } from './rows.ts';

const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** What is kept of one operation of one host. */
interface Counted {
  readonly host: string;
  readonly operation: string;
  /** By class of status. */
  readonly classes: number[];
  /** Answers by the bucket of their time; the last one is above all bounds. */
  readonly buckets: number[];
  seconds: number;
}

type Values = { labels: Record<string, string | number>; value: number; metricName?: string }[];

export class RequestCounts {
  /** By host, then by operation. */
  readonly #counted = new Map<string, Map<string, Counted>>();

  /** Adds an answer. `operation`: an id of the catalogue, or `page` or `unknown`. */
  add(host: string, operation: string, status: number, seconds: number): void {
    const counted = this.#of(host, operation);
    const at = Math.min(Math.max(Math.trunc(status / 100) - 1, 0), CLASSES.length - 1);
    counted.classes[at] = (counted.classes[at] ?? 0) + 1;
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] as number)) bucket += 1;
    counted.buckets[bucket] = (counted.buckets[bucket] ?? 0) + 1;
    counted.seconds += seconds;
  }

  #of(host: string, operation: string): Counted {
    let hosted = this.#counted.get(host);
    if (hosted === undefined) this.#counted.set(host, (hosted = new Map()));
    let counted = hosted.get(operation);
    if (counted === undefined) {
      const [classes, buckets] = [CLASSES.map(() => 0), [...BUCKETS, 0].map(() => 0)];
      hosted.set(operation, (counted = { host, operation, classes, buckets, seconds: 0 }));
    }
    return counted;
  }

  get #all(): readonly Counted[] {
    return [...this.#counted.values()].flatMap((hosted) => [...hosted.values()]);
  }

  /** Shows the counts in a registry. */
  register(registry: Registry): void {
    const show = ({ name, help, type }: typeof METRICS.requests, values: () => Values): void => {
      const get = async () => ({ name, help, type, values: values(), aggregator: 'sum' });
      registry.registerMetric({ name, get } as unknown as Parameters<
        Registry['registerMetric']
      >[0]);
    };
    show(METRICS.requests, () => this.#totals());
    show(METRICS.requestSeconds, () => this.#times());
  }

  #totals(): Values {
    return this.#all.flatMap(({ host, operation, classes }) =>
      classes.flatMap((value, at) => {
        const status = CLASSES[at] as string;
        return value === 0 ? [] : [{ labels: { host, operation, status }, value }];
      }),
    );
  }

  #times(): Values {
    const { name } = METRICS.requestSeconds;
    return this.#all.flatMap(({ host, operation, buckets, seconds }) => {
      let count = 0;
      const labels = { host, operation };
      const times: Values = buckets.map((some, at) => {
        count += some;
        const le = BUCKETS[at] ?? '+Inf';
        return { labels: { ...labels, le }, value: count, metricName: `${name}_bucket` };
      });
      times.push({ labels, value: seconds, metricName: `${name}_sum` });
      times.push({ labels, value: count, metricName: `${name}_count` });
      return times;
    });
  }
}
