// The figures of a run, round by round, and the targets that some must meet. Measures and prints
// nothing itself.
import { MATCHING_FIGURES } from './matching-figures.ts';
import { SWEEP } from './options.ts';
import { OPERATIONS } from './plan.ts';
import type { OperationName } from './plan.ts';

/** A figure of the report. */
export interface FigureSpec {
  readonly key: string;
  readonly label: string;
  readonly unit: string;
  /** How rounds are combined; the median by default. */
  readonly tells?: 'median' | 'highest' | 'lowest' | 'sum';
  /** Decimals. */
  readonly digits: number;
  /** The target; absent if the figure only informs. */
  readonly bar?: Bar;
}

/** A target, and what is aimed at beyond it. */
export interface Bar {
  readonly sense: 'at least' | 'at most';
  readonly value: number;
  readonly aim?: number;
}

const atLeast = (value: number): Bar => ({ sense: 'at least', value });
const atMost = (value: number): Bar => ({ sense: 'at most', value });

/** Targets of the ratio to pgbench by the number of connections, and what is aimed at. */
const RATIO_BARS: Readonly<Record<number, Bar>> = {
  64: { ...atLeast(0.65), aim: 0.8 },
  256: { ...atLeast(0.8), aim: 1 },
};

/** Targets of p50 and p99 in milliseconds. */
const LATENCY_BARS: Readonly<Record<OperationName, readonly [number, number]>> = {
  create: [8, 60],
  pay: [8, 60],
  commit: [10, 80],
  get: [3, 25],
  token: [4, 40],
  methods: [3, 25],
};

function rate(key: string, label: string): FigureSpec {
  return { key, label, unit: 'invoices/s', digits: 0 };
}

function within(key: string, label: string, milliseconds: number): FigureSpec {
  return { key, label, unit: 'ms', digits: 0, bar: atMost(milliseconds) };
}

/** The steps of docs/ten-minutes.md. */
const STEPS = {
  ready: 'npm start to its last line',
  call: 'the pasted call',
  sale: 'a sale with its event',
  escrow: 'an escrow with its event',
  books: 'wallet and postings',
  timeout: 'an unknown outcome, to its end',
  link: 'a link that a day ends',
  payout: 'a payout that is refused',
  tests: 'the test file in its own project',
};

function barred(key: string, label: string, bar?: Bar): FigureSpec {
  const spec = { key, label, unit: '', digits: 3 };
  return bar === undefined ? spec : { ...spec, bar };
}

function share(key: string, label: string, least?: number): FigureSpec {
  return barred(key, label, least === undefined ? undefined : atLeast(least));
}

/** Every figure, in the order of the report. */
export const FIGURES: readonly FigureSpec[] = [
  {
    key: 'generator.cpu',
    label: 'load generator, own CPU for each request',
    unit: 'us',
    digits: 1,
    bar: atMost(25),
  },
  {
    key: 'generator.p99',
    label: 'load generator, own p99 at twice the open rate',
    unit: 'ms',
    digits: 2,
    bar: atMost(2),
  },
  rate('spread.rate', 'create + pay + settled, sellers spread'),
  ...SWEEP.flatMap((count): FigureSpec[] => {
    const [at, through] = [`at.${count}.`, `${count} connections`];
    return [
      barred(`${at}pgbench.ratio`, `ratio to pgbench, ${through}`, RATIO_BARS[count]),
      share(`${at}peers.ratio`, `ratio to a ledger in the database, ${through}`),
    ];
  }),
  rate('hot.rate', 'all sales to one seller wallet'),
  share('hot.share', 'share of the spread figure', 0.95),
  rate('fee.rate', 'with a user_to_integrator line and a fee, sellers spread'),
  share('fee.share', 'share of the figure without them'),
  rate('fee.hot.rate', 'with that line and fee, one seller wallet'),
  share('fee.hot.share', 'share of the spread figure with them', 0.95),
  rate('escrow.rate', 'escrow create + pay + commit, sellers spread'),
  { key: 'escrow.pgbench.tps', label: 'pgbench TPC-B beside escrows', unit: 'tps', digits: 0 },
  barred('escrow.pgbench.ratio', 'ratio of escrows to pgbench', { ...atLeast(0.4), aim: 0.5 }),
  { key: 'delay.pgbench.tps', label: 'pgbench, COMMIT 3 ms later', unit: 'tps', digits: 0 },
  rate('delay.spread.rate', 'sellers spread, COMMIT 3 ms later'),
  share('delay.pgbench.ratio', 'ratio of that to pgbench, COMMIT 3 ms later'),
  rate('delay.hot.rate', 'one seller wallet, COMMIT 3 ms later'),
  share('delay.hot.share', 'share of the spread figure, COMMIT 3 ms later', 0.95),
  rate('one.rate', 'one server process'),
  rate('two.rate', 'two server processes on one database'),
  share('two.share', 'share of one process', 1),
  rate('empty.rate', 'a fresh database'),
  rate('filled.rate', 'after the stored invoices of the fill'),
  share('filled.share', 'share of the fresh figure', 0.9),
  { key: 'latency.knee', label: 'open model, knee', unit: 'invoices/s', digits: 0 },
  { key: 'latency.rate', label: 'open model, half of the knee', unit: 'invoices/s', digits: 0 },
  ...OPERATIONS.flatMap((name): FigureSpec[] => [
    {
      key: `latency.${name}.p50`,
      label: `${name}, p50`,
      unit: 'ms',
      digits: 2,
      bar: atMost(LATENCY_BARS[name][0]),
    },
    {
      key: `latency.${name}.p99`,
      label: `${name}, p99`,
      unit: 'ms',
      digits: 2,
      bar: atMost(LATENCY_BARS[name][1]),
    },
  ]),
  {
    key: 'memory',
    label: 'resident memory of the server, highest seen under load',
    unit: 'MB',
    tells: 'highest',
    digits: 0,
    bar: atMost(300),
  },
  { key: 'start.first', label: 'first npm start on a new data folder', unit: 's', digits: 2 },
  {
    key: 'start.second',
    label: 'second npm start, to the ready line',
    unit: 's',
    digits: 2,
    bar: atMost(1.5),
  },
  {
    key: 'widget.loader',
    label: "the widget's script, compressed",
    unit: 'kB',
    digits: 1,
    bar: atMost(4),
  },
  {
    key: 'widget.checkout',
    label: 'all that a checkout loads, compressed',
    unit: 'kB',
    digits: 1,
    bar: atMost(40),
  },
  { key: 'widget.ready', label: 'from execute() to ready in a browser', unit: 'ms', digits: 0 },
  {
    key: 'testing.first',
    label: 'startPlatform() of the first test file',
    unit: 's',
    digits: 2,
    bar: atMost(3),
  },
  within('testing.second', 'startPlatform() of the next test file', 300),
  within('testing.world', 'newWorld() for a test, median of 20', 50),
  ...Object.entries(STEPS).map(([step, what]) => {
    return { key: `ten.${step}`, label: `first ten minutes, ${what}`, unit: 's', digits: 2 };
  }),
  ...MATCHING_FIGURES,
  within('sandbox.snapshot', 'sandbox, a snapshot of 10,000 objects', 1000),
  within('sandbox.clone', 'sandbox, a clone of it as it is now', 1000),
  within('sandbox.rollback', 'sandbox, a roll back to it', 1000),
  within('sandbox.reset', 'sandbox, a reset of 10,000 objects', 1000),
  within('sandbox.workspace', 'sandbox, a new workspace of a small snapshot', 50),
  {
    key: 'faults',
    label: 'loads with a failed request, an unsettled invoice or a wrong cent',
    unit: '',
    tells: 'sum',
    digits: 0,
    bar: atMost(0),
  },
];

/** The values of each figure, one per round. */
export class Figures {
  readonly #values = new Map<string, number[]>();

  /** Adds the value of one more round. */
  add(key: string, value: number): void {
    const values = this.#values.get(key);
    if (values === undefined) this.#values.set(key, [value]);
    else values.push(value);
  }

  /** All rounds of a figure, in the order measured. */
  rounds(key: string): readonly number[] {
    return this.#values.get(key) ?? [];
  }

  /** The median of the rounds; null if not measured. */
  median(key: string): number | null {
    const sorted = this.rounds(key).toSorted((a, b) => a - b);
    const middle = sorted.length / 2;
    const low = sorted[Math.ceil(middle) - 1];
    const high = sorted[Math.floor(middle)];
    return low === undefined || high === undefined ? null : (low + high) / 2;
  }

  /** The combined value of the rounds; null if not measured. */
  told(spec: FigureSpec): number | null {
    const rounds = this.rounds(spec.key);
    if (rounds.length === 0) return null;
    if (spec.tells === 'highest') return Math.max(...rounds);
    if (spec.tells === 'lowest') return Math.min(...rounds);
    if (spec.tells === 'sum') return rounds.reduce((sum, value) => sum + value, 0);
    return this.median(spec.key);
  }

  /** Everything measured, for the file of raw results. */
  all(): Readonly<Record<string, readonly number[]>> {
    return Object.fromEntries(this.#values);
  }
}

/** `hit` or `miss` for a figure with a target; `informs` without one; `not measured`. */
export type Verdict = 'hit' | 'miss' | 'informs' | 'not measured';

/** Compares a figure with its target. */
export function judge(spec: FigureSpec, figures: Figures): Verdict {
  const told = figures.told(spec);
  if (told === null) return 'not measured';
  if (spec.bar === undefined) return 'informs';
  const hit = spec.bar.sense === 'at least' ? told >= spec.bar.value : told <= spec.bar.value;
  return hit ? 'hit' : 'miss';
}
