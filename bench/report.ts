// The report of a run (a table for the terminal, the generated block of docs/performance.md, the
// file of raw results), always with machine, versions and settings.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { connectionRows } from './connections.ts';
import { FIGURES, judge } from './figures.ts';
import type { FigureSpec, Figures } from './figures.ts';
import { PEERS, YARDSTICK } from './pgbench.ts';
import { SETTINGS } from './postgres.ts';

/** Where and how a run was made. */
export interface Conditions {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly kernel: string;
  readonly postgres: string;
  /** Median milliseconds the disk takes to flush 8 kB. */
  readonly flushMs: number;
  readonly node: string;
  /** Short hash of the commit; with `+` if tracked files differ from it. */
  readonly commit: string;
  readonly date: string;
  readonly connections: number;
  /** Whether the second yardstick was asked too. */
  readonly peers: boolean;
  readonly rounds: number;
  readonly seconds: number;
  readonly stored: number;
}

function git(root: string, ...args: string[]): string {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/** The conditions given by machine and checkout. */
export type MachineConditions = Omit<
  Conditions,
  'postgres' | 'flushMs' | 'connections' | 'peers' | 'rounds' | 'seconds' | 'stored'
>;

export function machineConditions(root: string): MachineConditions {
  const changed = git(root, 'status', '--porcelain', '--untracked-files=no') === '' ? '' : '+';
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    kernel: readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim(),
    node: process.version,
    commit: `${git(root, 'rev-parse', '--short', 'HEAD')}${changed}`,
    date: new Date().toISOString().slice(0, 10),
  };
}

function figureText(value: number, digits: number): string {
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

function rangeText(spec: FigureSpec, figures: Figures): string {
  const rounds = figures.rounds(spec.key);
  if (rounds.length < 2 || (spec.tells ?? 'median') !== 'median') return '';
  const low = figureText(Math.min(...rounds), spec.digits);
  return `${low} to ${figureText(Math.max(...rounds), spec.digits)}`;
}

/** Matching is measured by a run of its own, and has its own page. */
const isElsewhere = ({ key }: FigureSpec): boolean => key.startsWith('matching.');

/**
 * Rows of the table: label, value, range of the rounds, target, verdict. Unmeasured figures without
 * a target are left out.
 */
export function tableRows(figures: Figures): string[][] {
  const rows: string[][] = [];
  for (const spec of FIGURES) {
    const verdict = judge(spec, figures);
    const isLeft = spec.bar === undefined || isElsewhere(spec);
    if (verdict === 'not measured' && isLeft) continue;
    const told = figures.told(spec);
    const value = told === null ? '' : `${figureText(told, spec.digits)} ${spec.unit}`.trim();
    const { sense = '', value: least = '', aim } = spec.bar ?? {};
    const bar = `${sense} ${least}${aim === undefined ? '' : ` (aim ${aim})`}`.trim();
    const shown = verdict === 'informs' ? '' : verdict;
    rows.push([spec.label, value, rangeText(spec, figures), bar, shown]);
  }
  return rows;
}

const HEAD = ['figure', 'median of the rounds', 'range', 'target', ''];

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  return rows.map((row) =>
    row.map((cell, i) => cell.padEnd(widths?.[i] ?? 0)).join('  ').trimEnd(),
  );
}

/** The tables for a terminal. */
export function terminalTable(figures: Figures): string {
  const sweep = connectionRows(figures);
  const lines = aligned([HEAD, ...tableRows(figures)]);
  if (sweep.length > 1) lines.push('', ...aligned(sweep));
  return lines.join('\n');
}

/** The conditions as sentences. */
export function conditionLines(conditions: Conditions): string[] {
  const settings = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}`);
  const c = conditions;
  return [
    `Machine: ${c.processor}, ${c.cores} cores, ${c.memoryGigabytes} GB, Linux ${c.kernel}; ` +
      'server, database and load generator share the cores. ' +
      `The disk flushes 8 kB in ${c.flushMs.toFixed(2)} ms.`,
    `PostgreSQL ${c.postgres} (${settings.join(' ')}, data checksums), Node ${c.node}, ` +
      `commit ${c.commit}, ${c.date}.`,
    `${c.connections} connections where nothing else is said, ${c.rounds} round(s) of ` +
      `${c.seconds} s; yardstick: ${YARDSTICK}, on the same server over TCP, run before and ` +
      'after the loads compared with it.',
    ...(c.peers ? [`A ledger in the database, run by pgbench in the same way: ${PEERS}.`] : []),
    `Stored invoices of the fill: ${c.stored.toLocaleString('en-US')}. COMMIT 3 ms later: ` +
      'commit_delay=3000, commit_siblings=0, for both.',
    'After every load sampled invoices are read back, paid ones are counted, the proofs run.',
  ];
}

const BEGIN = '<!-- generated by npm run bench: begin -->';
const END = '<!-- generated by npm run bench: end -->';

/** The text of docs/performance.md with its generated block replaced. */
export function withBlock(page: string, figures: Figures, conditions: Conditions): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const table = [row(HEAD), row([':--', '--:', '--:', '--:', ':--'])];
  table.push(...tableRows(figures).map(row));
  const [head, ...sweep] = connectionRows(figures);
  if (head !== undefined && sweep.length > 0) {
    table.push('', row(head), row(head.map(() => '--:')), ...sweep.map(row));
  }
  const lines = conditionLines(conditions).map((line) => `- ${line}`);
  const block = [BEGIN, ...lines, '', ...table, END].join('\n');
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${block}\n`;
  return page.slice(0, from) + block + page.slice(to + END.length);
}

const PAGE = `# Performance

Figures are ratios to a yardstick measured in the same run, so that another machine can repeat them:
\`npm run bench\` prints the table below and replaces it. Percentiles come from an open model with a
constant arrival rate and count from the moment a request was due.
`;

/** Writes the generated block of docs/performance.md; creates the page if missing. */
export function writePage(root: string, figures: Figures, conditions: Conditions): void {
  const path = join(root, 'docs', 'performance.md');
  const page = existsSync(path) ? readFileSync(path, 'utf8') : PAGE;
  writeFileSync(path, withBlock(page, figures, conditions));
}

/** Stores everything measured in a file; returns its path. */
export function writeRaw(root: string, results: Readonly<Record<string, unknown>>): string {
  const name = `${new Date().toISOString().replaceAll(':', '-')}.json`;
  const path = join(root, '.holdfast', 'bench', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(results));
  return path;
}
