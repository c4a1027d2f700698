// `npm run bench -- --soak <minutes>`: half of the promised load, minute after minute. After each
// the threads of the server collect their garbage, and its memory, handles, connections and dead
// rows are printed. What grows without end is a fault.
import { readdirSync } from 'node:fs';
import { prove, type Side } from './paired.ts';
import { residentMegabytes } from './process-cost.ts';
import { settledInvoices } from './proofs.ts';
import { closeSite, loadOnce, measure, openSite, type Run } from './site.ts';

/** Sales a second: half of 1,000 writes, and a sale is two. [G-06] */
const RATE = 250;
const MINUTE_MS = 60_000;
/** Loads at full speed before: what V8 compiles later looks like a leak. */
const WARM_UP = 24;
/** Quiet before a reading: connections close, and sessions hand in their counts. */
const QUIET_MS = 2_000;
/** Megabytes an hour that are no leak. */
const MOST = 1;
/** Tables that change most, whose dead rows are printed. */
const BUSIEST = 4;
const MEGABYTE = 2 ** 20;

/** A table that changes, as the statistics know it. */
export interface Churn {
  readonly table: string;
  readonly live: number;
  readonly dead: number;
  /** When autovacuum was there last; empty: never. */
  readonly vacuumed: string;
}

/** The end of one minute. */
export interface Minute {
  readonly resident: number;
  /** Objects on the heap, and the code that was compiled so far. */
  readonly heap: number;
  readonly code: number;
  /** What keeps the event loop of the server alive, and its open files. */
  readonly handles: number;
  readonly files: number;
  /** Sessions of the database. */
  readonly connections: number;
  readonly tables: readonly Churn[];
}

/** The slope of evenly spaced values by least squares, and its standard error. */
export function slopeOf(values: readonly number[]): { slope: number; error: number } {
  const count = values.length;
  const middle = (count - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  let [spread, both] = [0, 0];
  for (const [at, value] of values.entries()) {
    spread += (at - middle) ** 2;
    both += (at - middle) * (value - mean);
  }
  const slope = both / spread;
  const rest = values.reduce(
    (sum, value, at) => sum + (value - mean - slope * (at - middle)) ** 2,
    0,
  );
  return { slope, error: Math.sqrt(rest / (count - 2) / spread) };
}

/** The slope in words, and whether it is a leak: above the bar, and not by chance. */
export function growth(megabytes: readonly number[]): { leaks: boolean; text: string } {
  if (megabytes.length < 3) return { leaks: false, text: 'too few minutes to tell' };
  const { slope, error } = slopeOf(megabytes);
  const [hourly, doubt] = [60 * slope, 2 * 60 * error];
  const said = `${hourly.toFixed(2)} MB an hour (95 %: ${doubt.toFixed(2)} more or less)`;
  if (!(hourly > MOST)) return { leaks: false, text: `${said}: flat` };
  const leaks = hourly > doubt;
  return { leaks, text: `${said}: ${leaks ? 'grows' : 'not surely flat: more minutes tell more'}` };
}

/** Dead rows of a table only grow, beyond twice what calls autovacuum by its usual settings. */
export function pilesUp(readings: readonly Churn[]): boolean {
  const last = readings.at(-1);
  if (last === undefined || readings.length < 3) return false;
  const grows = readings.every(({ dead }, at) => dead > (readings[at - 1]?.dead ?? -1));
  return grows && last.dead > 2 * (50 + 0.2 * last.live);
}

/** What rose after the first third, as sentences, and which of them are faults. */
export function soakLines(minutes: readonly Minute[]): { lines: string[]; faults: string[] } {
  const later = minutes.slice(Math.floor(minutes.length / 3));
  const lines: string[] = [];
  const faults: string[] = [];
  for (const name of ['resident', 'heap'] as const) {
    const { leaks, text } = growth(later.map((minute) => minute[name]));
    const line = `${name} memory after the first third: ${text}`;
    (leaks ? faults : lines).push(line);
  }
  const names = new Set(later.flatMap(({ tables }) => tables.map(({ table }) => table)));
  for (const name of names) {
    const readings = later.flatMap(({ tables }) => tables.filter(({ table }) => table === name));
    if (pilesUp(readings)) faults.push(`dead rows of ${name} only grow`);
  }
  return { lines, faults };
}

type Call = (method: string, params?: object) => Promise<unknown>;

/** What an inspector says: an answer by its number, or something of a worker's. */
interface Said {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly params?: { readonly sessionId: string; readonly message: string };
}

/** Calls through what sends a text, each with a promise of the answer that is heard later. */
function caller(send: (text: string) => unknown): { call: Call; hear: (said: Said) => void } {
  const waiting = new Map<number | undefined, (result: unknown) => void>();
  let last = 0;
  const call: Call = (method, params = {}) => {
    last += 1;
    const id = last;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      send(JSON.stringify({ id, method, params }));
    });
  };
  return { call, hear: ({ id, result }) => waiting.get(id)?.(result) };
}

/** Work with calls to a process and each of its threads; closed, as an ending process waits. */
async function inspected<T>(url: string, work: (calls: Call[]) => Promise<T>): Promise<T> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  const main = caller((text) => socket.send(text));
  const threads = new Map<string, ReturnType<typeof caller>>();
  socket.addEventListener('message', ({ data }) => {
    const said = JSON.parse(String(data)) as Said;
    const { sessionId = '', message = '' } = said.params ?? {};
    if (said.method === 'NodeWorker.attachedToWorker') {
      const send = (text: string) =>
        main.call('NodeWorker.sendMessageToWorker', { sessionId, message: text });
      threads.set(sessionId, caller(send));
    } else if (said.method === 'NodeWorker.receivedMessageFromWorker') {
      threads.get(sessionId)?.hear(JSON.parse(message) as Said);
    } else main.hear(said);
  });
  try {
    await main.call('NodeWorker.enable', { waitForDebuggerOnStart: false });
    return await work([main, ...threads.values()].map(({ call }) => call));
  } finally {
    socket.close();
  }
}

const INSIDE = `(() => {
  const used = { heap: 0, code: 0, handles: process.getActiveResourcesInfo().length };
  for (const space of process.getBuiltinModule('v8').getHeapSpaceStatistics()) {
    used[/code|trusted/.test(space.space_name) ? 'code' : 'heap'] += space.space_used_size;
  }
  return used;
})()`;

/** What the threads of an inspector's process hold, after collecting their garbage. */
export async function readInside(url: string): Promise<Pick<Minute, 'heap' | 'code' | 'handles'>> {
  return inspected(url, async (calls) => {
    const sum = { heap: 0, code: 0, handles: 0 };
    for (const call of calls) {
      await call('HeapProfiler.collectGarbage');
      await call('HeapProfiler.collectGarbage');
      const told = await call('Runtime.evaluate', { expression: INSIDE, returnByValue: true });
      const { value } = (told as { result: { value: typeof sum } }).result;
      sum.heap += value.heap / MEGABYTE;
      sum.code += value.code / MEGABYTE;
      sum.handles += value.handles;
    }
    return sum;
  });
}

async function readMinute(run: Run, { site }: Side, inspector: string): Promise<Minute> {
  const pid = site.platforms[0]?.pid ?? 0;
  const inside = await readInside(inspector);
  const [sessions] = await run.postgres.sql(
    site.database,
    `select count(*)::int as n from pg_stat_activity where datname = current_database()
       and pid <> pg_backend_pid()`,
  );
  const tables = await run.postgres.sql(
    site.database,
    `select relname, n_live_tup::int as live, n_dead_tup::int as dead,
       coalesce(to_char(last_autovacuum, 'HH24:MI:SS'), '') as vacuumed
     from pg_stat_user_tables order by n_tup_upd + n_tup_del desc, relname limit ${BUSIEST}`,
  );
  return {
    ...inside,
    resident: residentMegabytes(pid),
    files: readdirSync(`/proc/${pid}/fd`).length,
    connections: Number(sessions?.['n']),
    tables: tables.map((row) => ({
      table: String(row['relname']),
      live: Number(row['live']),
      dead: Number(row['dead']),
      vacuumed: String(row['vacuumed']),
    })),
  };
}

function minuteLine(number: number, rate: number, minute: Minute): string {
  const tables = minute.tables.map(
    ({ table, dead, vacuumed }) => `${table} ${dead}${vacuumed === '' ? '' : ` (${vacuumed})`}`,
  );
  return (
    `minute ${number}: ${rate.toFixed(0)} sales/s; ${minute.resident.toFixed(1)} MB resident, ` +
    `${minute.heap.toFixed(2)} MB objects, ${minute.code.toFixed(2)} MB code, ` +
    `${minute.handles} handles, ${minute.files} files, ` +
    `${minute.connections} connections; dead rows (last autovacuum): ${tables.join(', ')}`
  );
}

/** The steady load, and a reading after each minute of it. */
async function soak(run: Run, side: Side, minutes: number): Promise<Minute[]> {
  const [, inspector = ''] = /(ws:\S+)/.exec(side.site.platforms[0]?.log() ?? '') ?? [];
  const readings: Minute[] = [];
  const seconds = (MINUTE_MS - QUIET_MS) / 1000 - run.options.warmupSeconds;
  for (let number = 1; number <= minutes; number += 1) {
    const choice = { label: 'soak', rate: RATE, seconds, checkpoint: false };
    const load = await loadOnce(run, side.site, choice);
    side.loads.push(load);
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const minute = await readMinute(run, side, inspector);
    readings.push(minute);
    run.say(minuteLine(number, (load.purchases * 1000) / load.elapsedMs, minute));
  }
  return readings;
}

/** Loads one platform for so many minutes and judges what grew. */
export async function soakPart(run: Run, minutes: number): Promise<void> {
  const site = await openSite(run, 'bench_soak');
  try {
    await measure(run, site, { label: 'warming up', seconds: WARM_UP * run.options.seconds });
    const settled = await settledInvoices(site.subject);
    const side: Side = { name: 'soak', site, settled, loads: [] };
    const { lines, faults } = soakLines(await soak(run, side, minutes));
    const sold = side.loads.reduce((sum, load) => sum + load.purchases, 0);
    const seconds = side.loads.reduce((sum, load) => sum + load.elapsedMs, 0) / 1000;
    const rate = `${(sold / seconds).toFixed(0)} of ${RATE} sales a second were kept up`;
    const told = [rate, ...lines, ...faults.map((fault) => `FAULT ${fault}`)];
    process.stdout.write(`${told.join('\n')}\n`);
    run.figures.add('faults', faults.length);
    await prove(run, side);
  } finally {
    await closeSite(run, site);
  }
}
