// The parts of a run: which loads, in which order, for which figures. What is compared is measured
// in turns, so that the machine's noise affects both.
import { cpus } from 'node:os';
import { calibrate } from './calibrate.ts';
import { rowFigures } from './connections.ts';
import { fill } from './fill.ts';
import { Histogram } from './histogram.ts';
import { runYardstick, type Yardstick } from './pgbench.ts';
import type { Load } from './load.ts';
import { REQUESTS_OF_PURCHASE } from './open.ts';
import { OPERATIONS } from './plan.ts';
import { addPlatform, closeSite, measure, openSite, rateOf } from './site.ts';
import type { Desk, LoadChoice, Run, Site } from './site.ts';
import { timeStart } from './start-time.ts';

/** Runs one closed load, records its rate and returns it. */
async function rated(run: Run, site: Site, key: string, choice: LoadChoice): Promise<number> {
  const rate = rateOf(await measure(run, site, choice));
  run.figures.add(key, rate);
  return rate;
}

/** Calibrates the load generator at the usual knee, which is twice the open rate. */
export async function calibratePart(run: Desk): Promise<void> {
  const { connections, knee } = run.options;
  const own = await calibrate(connections, knee ?? 2000);
  run.figures.add('generator.cpu', own.cpuMicros);
  run.figures.add('generator.p99', own.p99);
  run.say(
    `generator alone: ${own.requestsPerSecond.toFixed(0)} requests/s, ` +
      `${own.cpuMicros.toFixed(1)} us CPU each, p50 ${own.p50.toFixed(2)} ms and ` +
      `p99 ${own.p99.toFixed(2)} ms at ${own.rate} invoices/s of the open model`,
  );
}

/** A load between two runs of each yardstick, and its ratio to them; returns its rate. */
async function ratioOf(
  run: Run,
  prefix: string,
  load: () => Promise<number>,
  clients = run.options.connections,
  yardsticks: readonly Yardstick[] = ['pgbench'],
): Promise<number> {
  const reached = new Map<Yardstick, number>();
  const ask = async (order: readonly Yardstick[]): Promise<void> => {
    for (const which of order) {
      const tps = await runYardstick(run.postgres, which, clients, run.options.yardstickSeconds);
      run.say(`${prefix}${which}: ${tps.toFixed(0)}`);
      reached.set(which, (reached.get(which) ?? 0) + tps / 2);
    }
  };
  await ask(yardsticks);
  const rate = await load();
  await ask(yardsticks.toReversed());
  for (const [which, tps] of reached) {
    run.figures.add(`${prefix}${which}.tps`, tps);
    run.figures.add(`${prefix}${which}.ratio`, rate / tps);
  }
  return rate;
}

/** Spread sales through so many connections: a row of the table; returns their rate. */
async function rowOf(run: Run, site: Site, connections: number): Promise<number> {
  const prefix = `at.${connections}.`;
  const label = `spread, ${connections} connections`;
  const loads: Load[] = [];
  const twice = async (): Promise<number> => {
    for (let turn = 0; turn < 2; turn += 1) {
      loads.push(await measure(run, site, { label, connections }));
    }
    return loads.reduce((sum, load) => sum + rateOf(load) / loads.length, 0);
  };
  const yardsticks: Yardstick[] = run.options.peers ? ['pgbench', 'peers'] : ['pgbench'];
  const rate = await ratioOf(run, prefix, twice, connections, yardsticks);
  for (const [name, value] of Object.entries({ rate, ...rowFigures(loads, cpus().length) })) {
    run.figures.add(prefix + name, value);
  }
  return rate;
}

/** Escrows: three calls and three commits of money each. */
export async function escrowPart(run: Run, site: Site): Promise<void> {
  const choice = { label: 'escrow', sale: 'escrow' } as const;
  for (let round = 0; round < run.options.rounds; round += 1) {
    await ratioOf(run, 'escrow.', () => rated(run, site, 'escrow.rate', choice));
  }
}

/** Spread, hot and with a fee; every other round in reverse order. */
export async function throughputPart(run: Run, site: Site): Promise<void> {
  const { parts, rounds, connections, sweep } = run.options;
  // The usual number comes last, beside the loads that are compared with it.
  const others = parts.has('spread') ? sweep.filter((count) => count !== connections) : [];
  for (let round = 0; round < rounds; round += 1) {
    const rates = new Map<string, number>();
    const steps: (() => Promise<unknown>)[] = others.map((count) => () => rowOf(run, site, count));
    steps.push(async () => {
      const rate = await rowOf(run, site, connections);
      run.figures.add('spread.rate', rate);
      rates.set('spread', rate);
    });
    if (parts.has('hot')) {
      steps.push(async () => {
        rates.set('hot', await rated(run, site, 'hot.rate', { label: 'hot', hot: true }));
      });
    }
    if (parts.has('fee')) {
      const fee = { label: 'fee', sale: 'fee' } as const;
      steps.push(async () => {
        rates.set('fee', await rated(run, site, 'fee.rate', fee));
        const hot = { ...fee, label: 'fee, hot', hot: true };
        rates.set('fee.hot', await rated(run, site, 'fee.hot.rate', hot));
      });
    }
    for (const step of round % 2 === 0 ? steps : steps.toReversed()) await step();
    recordShare(run, rates, 'hot.share', 'hot', 'spread');
    recordShare(run, rates, 'fee.share', 'fee', 'spread');
    recordShare(run, rates, 'fee.hot.share', 'fee.hot', 'fee');
  }
}

function recordShare(
  run: Run,
  rates: ReadonlyMap<string, number>,
  key: string,
  part: string,
  whole: string,
): void {
  const numerator = rates.get(part);
  const denominator = rates.get(whole);
  if (numerator === undefined || denominator === undefined) return;
  run.figures.add(key, numerator / denominator);
}

/** Everything again with each COMMIT taking 3 ms longer, as on a usual cloud disk. */
export async function delayPart(run: Run, site: Site): Promise<void> {
  // Without commit_siblings=0 a lone commit is not delayed, and a batch in flight is often lone.
  await run.postgres.alter({ commit_delay: '3000', commit_siblings: '0' });
  try {
    for (let round = 0; round < run.options.rounds; round += 1) {
      const hotFirst = round % 2 === 1;
      const hotLoad = async (): Promise<number> =>
        rated(run, site, 'delay.hot.rate', { label: 'delay, hot', hot: true });
      let hot = hotFirst ? await hotLoad() : 0;
      const spread = await ratioOf(run, 'delay.', () =>
        rated(run, site, 'delay.spread.rate', { label: 'delay, spread' }),
      );
      if (!hotFirst) hot = await hotLoad();
      run.figures.add('delay.hot.share', hot / spread);
    }
  } finally {
    await run.postgres.alter({ commit_delay: null, commit_siblings: null });
  }
}

/** One server process and two on the same database, in turns. */
export async function twoPart(run: Run, site: Site): Promise<void> {
  site.platforms.push(await addPlatform(run, site.database));
  // The new process has not compiled its hot code yet: its warm-up must not be measured.
  await measure(run, site, { label: 'warming up two', processes: 2, seconds: 2 });
  for (let round = 0; round < run.options.rounds; round += 1) {
    const one = await rated(run, site, 'one.rate', { label: 'one process' });
    const two = await rated(run, site, 'two.rate', { label: 'two processes', processes: 2 });
    run.figures.add('two.share', two / one);
  }
  const second = site.platforms.pop();
  const how = await second?.stop();
  if (how !== 0) run.say(`the second process ended with ${how}: ${second?.log()}`);
}

/** A new database and one that stores many invoices, in turns. */
export async function filledPart(run: Run): Promise<void> {
  const empty = await openSite(run, 'bench_empty');
  try {
    const filled = await openSite(run, 'bench_filled');
    try {
      await compareFilled(run, empty, filled);
    } finally {
      await closeSite(run, filled);
    }
  } finally {
    await closeSite(run, empty);
  }
}

async function compareFilled(run: Run, empty: Site, filled: Site): Promise<void> {
  const { stored, rounds } = run.options;
  await measure(run, empty, { label: 'warming up the fresh one', seconds: 2 });
  await measure(run, filled, { label: 'invoices to be copied', seconds: 2 });
  const start = performance.now();
  await fill(run.postgres.url('bench_filled'), stored);
  await run.postgres.sql('bench_filled', 'vacuum analyze');
  const [row] = await run.postgres.sql(
    'bench_filled',
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  );
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  run.say(`${stored} invoices stored in ${seconds} s; the database has ${String(row?.['size'])}`);
  for (let round = 0; round < rounds; round += 1) {
    const fresh = await rated(run, empty, 'empty.rate', { label: 'fresh database' });
    const full = await rated(run, filled, 'filled.rate', { label: 'filled database' });
    run.figures.add('filled.share', full / fresh);
  }
}

/**
 * Purchases per second that the platform can do, reads and tokens among them: what it answers when
 * as many are due as a closed loop makes of sales alone, which is more than it can do.
 */
async function findKnee(run: Run, site: Site): Promise<number> {
  const spread = run.figures.median('spread.rate');
  const rate = spread ?? rateOf(await measure(run, site, { label: 'sales alone' }));
  const load = await measure(run, site, { label: 'finding the knee', rate: Math.round(rate) });
  return (load.requests * 1000) / load.elapsedMs / REQUESTS_OF_PURCHASE;
}

/** Percentiles of each operation at half of the knee, open loop. */
export async function latencyPart(run: Run, site: Site): Promise<void> {
  const knee = run.options.knee ?? (await findKnee(run, site));
  run.figures.add('latency.knee', knee);
  const rate = Math.round(knee / 2);
  for (let round = 0; round < run.options.rounds; round += 1) {
    const load = await measure(run, site, { label: `open model, ${rate} due`, rate });
    run.figures.add('latency.rate', rateOf(load));
    for (const name of OPERATIONS) {
      const histogram = new Histogram();
      histogram.add(load.latency[name] ?? []);
      if (histogram.total === 0) continue;
      const at = (share: number): number => histogram.percentile(share) / 1000;
      run.figures.add(`latency.${name}.p50`, at(0.5));
      run.figures.add(`latency.${name}.p99`, at(0.99));
      run.say(
        `  ${name}: p50 ${at(0.5).toFixed(2)}, p99 ${at(0.99).toFixed(2)}, ` +
          `p99.9 ${at(0.999).toFixed(2)} ms of ${histogram.total}`,
      );
    }
  }
}

/** Times of the first and second `npm start`. */
export async function startPart(run: Desk, root: string): Promise<void> {
  const portBase = run.options.portBase + 1000;
  const times = await timeStart(root, run.folder, portBase, run.options.rounds);
  run.figures.add('start.first', times.first);
  for (const second of times.later) run.figures.add('start.second', second);
  run.say(`npm start: ${times.first.toFixed(2)} s, then ${times.later.join(' s, ')} s`);
}
