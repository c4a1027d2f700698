// `npm run bench -- --paired <checkout>`: loads that checkout's platform (before) and this one's
// (after) in turns, each on its own database of one server, with sales or with escrows. Only ratios
// of neighbouring windows count, because the machine's noise affects both.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Figures } from './figures.ts';
import type { Cores, Load } from './load.ts';
import { proveLoad, settledInvoices } from './proofs.ts';
import { closeSite, cpuOf, cpuText, loadOnce, measure, openSite } from './site.ts';
import type { LoadChoice, Run, Site } from './site.ts';

/** Seconds of warm-up load per server, in which its hot code is compiled. */
const WARM_UP = 8;
/** How much slower or more expensive the platform may become. */
const MARGIN = 0.03;
/** Probability that the true median lies outside the interval. */
const OUTSIDE = 0.05;

/** A ratio of two sides and its bar: the least where it is below one, else the most. */
export interface Measure {
  readonly key: string;
  readonly label: string;
  readonly bar: number;
}

/** What is compared; the ratio is after to before. */
const MEASURES: readonly Measure[] = [
  { key: 'paired.rate', label: 'create + pay + settled, invoices/s', bar: 1 - MARGIN },
  { key: 'paired.cpu', label: 'CPU of an invoice, server and database', bar: 1 + MARGIN },
  { key: 'paired.thread', label: "of that the server's main thread", bar: 1 + MARGIN },
  { key: 'paired.helpers', label: "of that V8's helper threads", bar: 1 + MARGIN },
  { key: 'paired.database', label: 'of that the database', bar: 1 + MARGIN },
];

/**
 * The 95 % confidence interval of the median, whatever the distribution: each draw lies above or
 * below the median like a coin toss. Null for fewer than six draws.
 */
export function medianInterval(values: readonly number[]): readonly [number, number] | null {
  const count = values.length;
  let ways = 1;
  let outside = 0;
  let at = -1;
  // `ways` of `count` coins show `at + 1` heads; that many draws can be dropped at either end.
  for (; ; at += 1) {
    outside += ways / 2 ** count;
    if (2 * outside > OUTSIDE) break;
    ways = (ways * (count - at - 1)) / (at + 2);
  }
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[at], sorted[count - 1 - at]];
  return low === undefined || high === undefined ? null : [low, high];
}

/** Hit or miss by the median, and whether the interval leaves it open. */
export function verdict(
  { bar }: Pick<Measure, 'bar'>,
  median: number,
  interval: readonly [number, number] | null,
): string {
  const isWithin = (ratio: number): boolean => (bar < 1 ? ratio >= bar : ratio <= bar);
  const said = isWithin(median) ? 'hit' : 'miss';
  const isSure = interval !== null && interval.every((end) => isWithin(end) === isWithin(median));
  return isSure ? said : `${said}, but not surely: more rounds tell more`;
}

/** One of two platforms, and its loads so far. */
export interface Side {
  readonly name: string;
  readonly site: Site;
  /** Invoices settled before the first load. */
  readonly settled: number;
  readonly loads: Load[];
}

/** Starts a platform on its own database and warms it up. */
export async function openSide(run: Run, name: string): Promise<Side> {
  const site = await openSite(run, `bench_${name}`);
  await measure(run, site, { label: `warming up ${name}`, seconds: WARM_UP });
  return { name, site, settled: await settledInvoices(site.subject), loads: [] };
}

/** One side's round: purchases per second, CPU milliseconds for each, and where they went. */
export interface Turn {
  readonly rate: number;
  readonly cpu: number;
  readonly parts: Cores;
}

function turnOf(loads: readonly Load[]): Turn {
  const sum = (of: (load: Load) => number): number => loads.reduce((all, one) => all + of(one), 0);
  const purchases = sum((load) => load.purchases);
  const parts = cpuOf(loads);
  const cpu = (parts.thread + parts.helpers + parts.others + parts.database) / 1000;
  return { rate: (purchases * 1000) / sum((load) => load.elapsedMs), cpu, parts };
}

/** Each round has two windows of each side, in mirrored order: a steady drift cancels out. */
export async function compare(
  run: Run,
  [before, after]: readonly [Side, Side],
  record: (old: Turn, now: Turn) => void,
  choice: LoadChoice = { label: 'paired' },
): Promise<void> {
  for (let round = 1; round <= run.options.rounds; round += 1) {
    const [one, other] = round % 2 === 1 ? [before, after] : [after, before];
    for (const { site, loads } of [one, other, other, one]) {
      loads.push(await loadOnce(run, site, choice));
    }
    const [old, now] = [turnOf(before.loads.slice(-2)), turnOf(after.loads.slice(-2))];
    record(old, now);
    run.say(
      `round ${round}: ${old.rate.toFixed(0)} and ${now.rate.toFixed(0)} invoices/s, ` +
        `${old.cpu.toFixed(3)} and ${now.cpu.toFixed(3)} ms of CPU each ` +
        `(${cpuText(old.parts)}; ${cpuText(now.parts)})`,
    );
  }
}

/** The faults of all loads of a side: a fast server with one wrong cent has not won. */
export async function prove(run: Run, { name, site, settled, loads }: Side): Promise<void> {
  const last = loads.at(-1);
  if (last === undefined) return;
  const paidInAll = loads.reduce((sum, load) => sum + load.paidInAll, 0);
  const failures = Object.assign({}, ...loads.map((load) => load.failures));
  // The one that it has ends after an hour; a soak may have lasted longer.
  await site.subject.integrator.token();
  const faults = await proveLoad(site.subject, { ...last, paidInAll, failures }, settled);
  for (const fault of faults) run.say(`FAULT ${name}: ${fault}`);
  run.figures.add('faults', faults.length > 0 ? 1 : 0);
}

/** One line for each measure: median, interval and verdict. */
export function ratioLines(
  figures: Figures,
  measures: readonly Measure[],
  sides: string,
): string[] {
  return measures.map((measure) => {
    const ratios = figures.rounds(measure.key);
    const interval = medianInterval(ratios);
    const median = figures.median(measure.key) ?? Number.NaN;
    const ends = interval?.map((end) => end.toFixed(3)).join(' to ');
    const between = ends === undefined ? 'six rounds give an interval' : `95 %: ${ends}`;
    const bar = `${measure.bar < 1 ? 'at least' : 'at most'} ${measure.bar}`;
    return (
      `${measure.label}, ${sides}: median ${median.toFixed(3)} of ${ratios.length} rounds ` +
      `(${between}), ${bar}: ${verdict(measure, median, interval)}`
    );
  });
}

/** The lines that compare the two checkouts. */
export function pairedLines(figures: Figures): string[] {
  return ratioLines(figures, MEASURES, 'after to before');
}

/** Compares this checkout's platform with that of `other`. */
export async function pairedPart(run: Run, other: string): Promise<void> {
  const program = join(resolve(other), 'src', 'main.ts');
  if (!existsSync(program)) throw new Error(`--paired: there is no checkout at ${other}`);
  const old = { ...run, options: { ...run.options, program } };
  const before = await openSide(old, 'before');
  try {
    const after = await openSide(run, 'after');
    try {
      const sale = run.options.pairedSale;
      const record = (old: Turn, now: Turn): void => {
        run.figures.add('paired.rate', now.rate / old.rate);
        run.figures.add('paired.cpu', now.cpu / old.cpu);
        for (const part of ['thread', 'helpers', 'database'] as const) {
          run.figures.add(`paired.${part}`, now.parts[part] / old.parts[part]);
        }
      };
      await compare(run, [before, after], record, { label: 'paired', sale });
      for (const side of [before, after]) await prove(run, side);
    } finally {
      await closeSite(run, after.site);
    }
  } finally {
    await closeSite(run, before.site);
  }
}
