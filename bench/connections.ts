// The table of the spread load by its number of connections: its speed beside the yardsticks', and
// where the CPU of an invoice goes. Figures are kept as `at.<connections>.<column>`.
import type { Figures } from './figures.ts';
import { Histogram } from './histogram.ts';
import type { Load } from './load.ts';
import { cpuOf } from './site.ts';

/** Heading, figure and decimals of a column. CPU in microseconds, latencies in milliseconds. */
const COLUMNS: readonly (readonly [heading: string, figure: string, digits: number])[] = [
  ['pgbench, tps', 'pgbench.tps', 0],
  ['invoices/s', 'rate', 0],
  ['ratio', 'pgbench.ratio', 3],
  ['ledger in the database, tps', 'peers.tps', 0],
  ['ratio to it', 'peers.ratio', 3],
  ['main thread, us', 'thread', 0],
  ["V8's threads", 'helpers', 0],
  ['other threads', 'others', 0],
  ['PostgreSQL', 'database', 0],
  ['generator', 'generator', 0],
  ['idle, %', 'idle', 1],
  ['p50, ms', 'p50', 1],
  ['p99', 'p99', 1],
];

/** What a row says of its loads: CPU of an invoice, what stayed idle, percentiles of both calls. */
export function rowFigures(loads: readonly Load[], cores: number): Record<string, number> {
  const calls = new Histogram();
  for (const { latency } of loads) {
    for (const buckets of Object.values(latency)) calls.add(buckets);
  }
  const idle = loads.reduce((sum, load) => sum + load.cores.idle, 0) / loads.length;
  const at = (share: number): number => calls.percentile(share) / 1000;
  return { ...cpuOf(loads), idle: (100 * idle) / cores, p50: at(0.5), p99: at(0.99) };
}

/** Heading and a row of medians for each number of connections; a column nobody has is left out. */
export function connectionRows(figures: Figures): string[][] {
  const counts = Object.keys(figures.all())
    .flatMap((key) => /^at\.(\d+)\.rate$/.exec(key)?.[1] ?? [])
    .toSorted((one, other) => Number(one) - Number(other));
  const columns = COLUMNS.filter(([, figure]) =>
    counts.some((count) => figures.median(`at.${count}.${figure}`) !== null),
  );
  const cell = (count: string, figure: string, digits: number): string =>
    figures.median(`at.${count}.${figure}`)?.toFixed(digits) ?? '';
  return [
    ['connections', ...columns.map(([heading]) => heading)],
    ...counts.map((count) => [
      count,
      ...columns.map(([, figure, digits]) => cell(count, figure, digits)),
    ]),
  ];
}
