// `npm run bench -- --lists`: a tenant with `--stored` sales and all that hangs on them, and a
// second one. Every list is asked for each kind of page, by the API and as a page of the console,
// then searches of the console, then exports with their memory.
import { get as httpGet, Agent, type IncomingMessage } from 'node:http';
import { loadavg } from 'node:os';
import { lists } from '../src/catalogue.ts';
import type { List } from '../src/core/list.ts';
import { signedIn, type Access, type Browser } from '../test/console/kit.ts';
import { fill } from './fill.ts';
import { fillBeside } from './fill-beside.ts';
import { casesOf, type ListCase, type SeenRow } from './list-cases.ts';
import { Integrator, openMarket } from './market.ts';
import type { Platform } from './platform.ts';
import { cpuBetween, cpuSeconds, processTree, residentMegabytes } from './process-cost.ts';
import { closeSite, loadOnce, openSite, type Run, type Site } from './site.ts';
import { readInside } from './soak.ts';

/** Requests of each kind that are not counted. */
const BEFORE = 5;
/** Milliseconds that 95 of 100 pages may take. */
const BAR = 100;
/** Rows a second that an export writes at least. */
const EXPORT_BAR = 20_000;
/** Copied sales of the second tenant, and its buyers. */
const OTHERS = 20_000;
const PEOPLE = 20;
/** Seconds of sales that are copied. */
const SALES = 8;
const EXPORTED = ['invoices', 'ledger_entries'];
const DAY_MS = 86_400_000;

interface Timed {
  readonly p50: number;
  readonly p95: number;
  /** Milliseconds of CPU that server and database spent on one, which no other program changes. */
  readonly cpu: number;
}

/** The percentiles of so many milliseconds. */
export function timesOf(milliseconds: readonly number[]): Omit<Timed, 'cpu'> {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

async function timed({ pids, requests }: Askers, ask: () => Promise<unknown>): Promise<Timed> {
  const taken: number[] = [];
  for (let sent = 0; sent < BEFORE; sent += 1) await ask();
  const before = cpuSeconds(pids());
  for (let sent = 0; sent < requests; sent += 1) {
    const start = performance.now();
    await ask();
    taken.push(performance.now() - start);
  }
  const spent = cpuBetween(before, cpuSeconds(pids()));
  return { ...timesOf(taken), cpu: (spent * 1_000) / requests };
}

/** One line of what was measured. */
export function timeLine(what: string, { p50, p95, cpu }: Timed): string {
  const figures = [p50, p95, cpu].map((each) => each.toFixed(1).padStart(7)).join(' ');
  return `${figures}  ${what}${p95 > BAR ? `  MISSES ${BAR} ms` : ''}`;
}

/** Who asks: a program of the tenant, and a person at the console. */
interface Askers {
  readonly integrator: Integrator;
  readonly browser: Browser;
  readonly requests: number;
  /** The server's process. */
  readonly server: number;
  /** The server and all processes of the database. */
  readonly pids: () => readonly number[];
  /** Where the server's inspector listens. */
  readonly inspector: string;
}

/** Signs in; at the beginning, as what a server said first is forgotten. */
export async function openAskers({ postgres, options }: Run, platform: Platform): Promise<Askers> {
  const { ready, pid } = platform;
  const [, inspector = ''] = /(ws:\S+)/.exec(platform.log()) ?? [];
  const { console: access } = ready as unknown as { console: Access };
  const browser = await signedIn(ready.urls['console'] ?? '', access);
  const pids = () => [pid, ...processTree(postgres.pid)];
  const { requests } = options;
  return { integrator: new Integrator(ready), browser, requests, server: pid, pids, inspector };
}

async function pageOf(browser: Browser, path: string): Promise<string> {
  const { status, text } = await browser.get(path);
  if (status !== 200) throw new Error(`GET ${path}: HTTP ${status} ${text.slice(0, 600)}`);
  return text;
}

/** A cursor in the midst of a list; null for a short one. */
async function deepOf(run: Run, list: List): Promise<string | null> {
  const key = Object.keys(list.key);
  const order = key.map((name) => `t.${name}`).join(', ');
  const rows = `from ${list.from} t where t.workspace = 1`;
  const [count] = await run.postgres.sql('lists', `select count(*)::int as n ${rows}`);
  const half = Math.floor(Number(count?.['n']) / 2);
  if (half < 100) return null;
  const [row] = await run.postgres.sql(
    'lists',
    `select ${order} ${rows} order by ${order} offset ${half} limit 1`,
  );
  return key.map((name) => String(row?.[name])).join('~');
}

async function listLines(run: Run, askers: Askers, list: List): Promise<string[]> {
  const { integrator, browser } = askers;
  const path = `/v1/search/${list.name}`;
  const { rows } = (await integrator.call('invoicing', 'GET', path)) as { rows: SeenRow[] };
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const days = [0, 4 * DAY_MS].map((ago): readonly [string, string] => {
    return [dayOf(Date.now() - ago), dayOf(Date.now() - ago + DAY_MS)];
  });
  const lines: string[] = [];
  for (const { what, query } of casesOf(list, rows, await deepOf(run, list), days)) {
    const asked = new URLSearchParams(query);
    const api = await timed(askers, () => integrator.call('invoicing', 'GET', `${path}?${asked}`));
    lines.push(timeLine(`${list.name}, ${what}`, api));
    const shown = await timed(askers, () => pageOf(browser, `/lists/${list.name}?${asked}`));
    lines.push(timeLine(`${list.name}, ${what}, page of the console`, shown));
  }
  return lines;
}

/** What a person types into the search. */
async function searchesOf({ integrator }: Askers): Promise<readonly ListCase[]> {
  const first = async (list: string): Promise<SeenRow> => {
    const page = await integrator.call('invoicing', 'GET', `/v1/search/${list}?limit=1`);
    return (page as { rows: SeenRow[] }).rows[0] ?? {};
  };
  const typed: readonly (readonly [string, unknown])[] = [
    ...(await Promise.all(
      ['invoices', 'escrows', 'refunds', 'payouts', 'payment_attempts', 'accounts'].map(
        async (list) => [`id of ${list}`, (await first(list))['id']] as const,
      ),
    )),
    ['id of nothing', '0195a1c4-7a30-7c31-9f54-2b8f6d0e4a17'],
    ['reference', (await first('disputes'))['reference']],
    ['username', 'nobody-is-called-so'],
    ['e-mail', 'nobody@example.com'],
    ['amount and currency', '12.50 USD'],
    ['day', new Date().toISOString().slice(0, 10)],
  ];
  return typed.map(([what, q]) => ({ what: `search, ${what}`, query: { q: String(q) } }));
}

async function searchLines(askers: Askers): Promise<string[]> {
  const csrf = await askers.browser.csrf();
  const lines: string[] = [];
  for (const { what, query } of await searchesOf(askers)) {
    const body = new URLSearchParams({ csrf, ...query }).toString();
    const times = await timed(askers, async () => {
      const { status } = await askers.browser.raw('/find', body);
      if (status !== 200 && status !== 303) throw new Error(`${what}: HTTP ${status}`);
    });
    lines.push(timeLine(what, times));
  }
  return lines;
}

/** What one export took. */
export interface Exported {
  readonly rows: number;
  readonly seconds: number;
  /** Seconds of CPU of server and database. */
  readonly cpu: number;
  /** Highest resident memory of the server, and its objects in use at parts of the way. */
  readonly resident: number;
  readonly heap: readonly number[];
}

function openStream(browser: Browser, path: string): Promise<IncomingMessage> {
  const headers = { cookie: browser.cookie };
  const agent = new Agent({ keepAlive: false });
  return new Promise((resolve, reject) => {
    httpGet(browser.base + path, { headers, agent }, resolve).on('error', reject);
  });
}

async function exportOnce(
  { browser, inspector, server, pids }: Askers,
  path: string,
  parts: readonly number[],
): Promise<Exported> {
  let [rows, resident, reading] = [0, 0, 0];
  const watch = setInterval(() => {
    resident = Math.max(resident, residentMegabytes(server));
  }, 100);
  const before = cpuSeconds(pids());
  const start = performance.now();
  const answer = await openStream(browser, path);
  if (answer.statusCode !== 200) throw new Error(`GET ${path}: HTTP ${answer.statusCode}`);
  const heap: number[] = [];
  for await (const piece of answer as AsyncIterable<Buffer>) {
    for (const byte of piece) if (byte === 10) rows += 1;
    if (rows < (parts[heap.length] ?? Number.POSITIVE_INFINITY)) continue;
    const since = performance.now();
    heap.push((await readInside(inspector)).heap);
    reading += performance.now() - since;
  }
  clearInterval(watch);
  const seconds = (performance.now() - start - reading) / 1_000;
  const cpu = cpuBetween(before, cpuSeconds(pids()));
  heap.push((await readInside(inspector)).heap);
  return { rows, seconds, cpu, resident, heap };
}

/** Rows a second at which the database alone reads what an export shows. */
async function bareRate(run: Run, { columns, from, joined = '' }: List): Promise<number> {
  const shown = Object.entries(columns).map(([name, { sql = `t.${name}` }]) => `${sql} as ${name}`);
  const text = `select ${shown.join(', ')} from ${from} t ${joined} where t.workspace = $1`;
  const start = performance.now();
  const bare = text.replaceAll('$1', '1');
  await run.postgres.sql('lists', `copy (${bare}) to program 'cat > /dev/null'`);
  const seconds = (performance.now() - start) / 1_000;
  const counted = `select count(*)::int as n from ${from} t where t.workspace = 1`;
  const [count] = await run.postgres.sql('lists', counted);
  return Number(count?.['n']) / seconds;
}

async function exportLines(run: Run, askers: Askers): Promise<string[]> {
  const lines: string[] = [];
  for (const list of lists.filter(({ name }) => EXPORTED.includes(name))) {
    const bare = await bareRate(run, list);
    const stored = run.options.stored * (list.name === 'invoices' ? 1 : 2);
    const parts = [0.25, 0.5, 0.75].map((share) => share * stored);
    for (const format of ['csv', 'jsonl']) {
      const path = `/lists/${list.name}/export?format=${format}`;
      const made = await exportOnce(askers, path, parts);
      const { rows, cpu, resident, heap } = made;
      const rate = rows / made.seconds;
      lines.push(
        `export of ${list.name} as ${format}: ${rows} lines, ${rate.toFixed(0)} a second ` +
          `(${(rate / bare).toFixed(2)} of COPY by the database alone), ` +
          `${(rows / cpu).toFixed(0)} in a second of CPU, ` +
          `${resident.toFixed(0)} MB resident at most, heap in use at each quarter ` +
          `${heap.map((each) => each.toFixed(1)).join(', ')} MB` +
          `${rate < EXPORT_BAR ? `  MISSES ${EXPORT_BAR} rows a second` : ''}`,
      );
    }
  }
  return lines;
}

/** Prints as it goes, with how busy the machine is. */
function told(lines: readonly string[]): void {
  const busy = `load average ${loadavg()[0]?.toFixed(1)}`;
  process.stdout.write(`${[...lines, busy].join('\n')}\n`);
}

/** Asks for everything and prints what it took. */
export async function measureLists(
  run: Run,
  askers: Askers,
  chosen: readonly List[],
): Promise<void> {
  process.stdout.write('    p50     p95     CPU  milliseconds\n');
  for (const list of chosen) told(await listLines(run, askers, list));
  told(await searchLines(askers));
  told(await exportLines(run, askers));
}

/** A second tenant, without sales as yet. */
async function openOthers(site: Site): Promise<Site> {
  const call = ['invoicing', 'POST', '/sandbox/worlds', { name: 'others' }] as const;
  const client = (await site.subject.integrator.call(...call)) as Platform['ready']['client'];
  const platforms = site.platforms.map((one) => ({ ...one, ready: { ...one.ready, client } }));
  const [platform] = platforms;
  if (platform === undefined) throw new Error('a site without a platform');
  const market = await openMarket(new Integrator(platform.ready), PEOPLE);
  return { ...site, platforms, market };
}

/** Fills a database and measures every list, search and export. */
export async function listsPart(run: Run): Promise<void> {
  const site = await openSite(run, 'lists');
  const [platform] = site.platforms;
  if (platform === undefined) return;
  try {
    const askers = await openAskers(run, platform);
    const others = await openOthers(site);
    await loadOnce(run, site, { label: 'sales', seconds: SALES });
    await fill(run.postgres.url('lists'), run.options.stored);
    await loadOnce(run, others, { label: 'sales of others', seconds: SALES });
    await fill(run.postgres.url('lists'), OTHERS);
    await fillBeside(run.postgres.url('lists'));
    run.say('stored');
    await measureLists(run, askers, lists);
  } finally {
    await closeSite(run, site);
  }
}
