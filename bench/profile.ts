// Reads V8's .cpuprofile and PostgreSQL's pg_stat_statements and lists what takes the most time.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Postgres } from './postgres.ts';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: {
    readonly functionName: string;
    readonly url: string;
    readonly lineNumber: number;
  };
}

/** The part of V8's file format that is read. Times in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Time spent in one place itself, without what it calls. */
export interface Weight {
  readonly place: string;
  readonly share: number;
}

function shortUrl(url: string): string {
  const inModules = url.lastIndexOf('node_modules/');
  if (inModules >= 0) return url.slice(inModules + 'node_modules/'.length);
  const inSource = url.lastIndexOf('/src/');
  return inSource >= 0 ? url.slice(inSource + 1) : url.replace('file://', '');
}

/** The part of the system a place belongs to: a package, a folder of src, or Node itself. */
function groupOf(node: ProfileNode): string {
  const { url, functionName } = node.callFrame;
  if (url === '') return functionName.startsWith('(') ? functionName : 'V8 and native code';
  if (url.startsWith('node:')) return 'node itself';
  const short = shortUrl(url);
  const parts = short.split('/');
  if (url.includes('node_modules/')) {
    return `package ${parts.slice(0, short.startsWith('@') ? 2 : 1).join('/')}`;
  }
  return parts.slice(0, -1).join('/');
}

function placeOf(node: ProfileNode): string {
  const { functionName, url, lineNumber } = node.callFrame;
  const name = functionName === '' ? '(anonymous)' : functionName;
  return url === '' ? name : `${name}  ${shortUrl(url)}:${lineNumber + 1}`;
}

/** Self time by place and by group, heaviest first, of samples within `window`. */
export function selfTimes(
  profile: CpuProfile,
  window: readonly [number, number],
): { readonly places: Weight[]; readonly groups: Weight[] } {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const places = new Map<string, number>();
  const groups = new Map<string, number>();
  let at = profile.startTime;
  let total = 0;
  for (const [i, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[i] ?? 0;
    at += delta;
    const node = nodes.get(id);
    if (node === undefined || at < window[0] || at > window[1]) continue;
    total += delta;
    places.set(placeOf(node), (places.get(placeOf(node)) ?? 0) + delta);
    groups.set(groupOf(node), (groups.get(groupOf(node)) ?? 0) + delta);
  }
  const sorted = (weights: Map<string, number>): Weight[] =>
    [...weights]
      .map(([place, micros]) => ({ place, share: micros / Math.max(total, 1) }))
      .toSorted((a, b) => b.share - a.share);
  return { places: sorted(places), groups: sorted(groups) };
}

/** The heaviest places of the profile that a stopped server left in `folder`, as lines of text. */
export function profileLines(
  folder: string,
  window: readonly [number, number],
  count = 25,
): string[] {
  const lines: string[] = [];
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'))) {
    const path = join(folder, name);
    const { places, groups } = selfTimes(JSON.parse(readFileSync(path, 'utf8')), window);
    const line = ({ place, share }: Weight): string =>
      `${(share * 100).toFixed(1).padStart(6)} %  ${place}`;
    if (places.length === 0) continue;
    lines.push(`profile ${path}`, '', `self time, the ${count} heaviest functions`);
    lines.push(...places.slice(0, count).map(line), '', 'self time by part');
    lines.push(...groups.slice(0, count).map(line), '');
  }
  return lines.length === 0 ? [`no profile with samples of the load in ${folder}`] : lines;
}

/** Resets pg_stat_statements; creates the extension if missing. */
export async function resetStatements(postgres: Postgres, database: string): Promise<void> {
  await postgres.sql(
    database,
    'create extension if not exists pg_stat_statements',
    'select pg_stat_statements_reset()',
  );
}

/** The statements that took most of the database's time, as lines of text. */
export async function statementLines(postgres: Postgres, database: string): Promise<string[]> {
  const rows = await postgres.sql(
    database,
    `select calls::text, rows::text, round(total_exec_time)::text as total,
       round(mean_exec_time::numeric, 3)::text as mean,
       round((100 * total_exec_time / sum(total_exec_time) over ())::numeric, 1)::text as share,
       (wal_bytes / greatest(calls, 1))::bigint::text as wal,
       left(regexp_replace(query, '\\s+', ' ', 'g'), 160) as query
     from pg_stat_statements s join pg_database d on d.oid = s.dbid
     where d.datname = current_database()
     order by total_exec_time desc limit 20`,
  );
  const cells = rows.map((row) =>
    ['share', 'total', 'calls', 'mean', 'rows', 'wal'].map((name) => String(row[name])),
  );
  const head = ['%', 'ms', 'calls', 'ms each', 'rows', 'WAL each'];
  const text = (row: readonly string[]): string => row.map((cell) => cell.padStart(9)).join(' ');
  return [
    'statements by total time',
    `${text(head)}  statement`,
    ...cells.map((row, i) => `${text(row)}  ${String(rows[i]?.['query'])}`),
  ];
}
