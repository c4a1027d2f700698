// Every statement that a server's role sends to a database, and those that triggers and foreign
// keys add, with the plan that it was run by, from the server's own log; and which accesses of a
// plan are bound to no tenant.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from '../../src/db/index.ts';
import type { TestDatabase } from './database.ts';

/** A node of a plan, as PostgreSQL's JSON says it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Alias?: string;
  readonly Plans?: readonly PlanNode[];
  readonly [more: string]: unknown;
}

/** A statement and its plan. */
export interface Planned {
  readonly text: string;
  readonly plan: PlanNode;
}

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
};

/** From the next connection of the server's role on, its statements are logged. */
export async function logPlans({ db, served }: TestDatabase): Promise<void> {
  const { username, pathname } = new URL(served);
  for (const [name, value] of Object.entries(SETTINGS)) {
    const of = `role ${username} in database ${pathname.slice(1)}`;
    await db.execute(`alter ${of} set ${name} = '${value}'`);
  }
}

/** What was logged, each text with each of its plans once. */
export async function loggedPlans(db: Database): Promise<Planned[]> {
  const text = `select current_setting('data_directory') as folder,
    current_setting('server_version_num')::int / 10000 as major`;
  const [server] = await db.query<{ folder: string; major: number }>(text);
  const file = join(dirname(server?.folder ?? ''), `postgres-${server?.major}.log`);
  const found = new Map<string, Planned>();
  for (const [, json = ''] of readFileSync(file, 'utf8').matchAll(/ plan:\n((?:\t.*\n)+)/g)) {
    // Estimates alone make no other plan.
    const key = json.replaceAll(/\d+/g, '');
    if (found.has(key)) continue;
    const read = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode };
    found.set(key, { text: read['Query Text'].replaceAll(/\s+/g, ' ').trim(), plan: read.Plan });
  }
  return [...found.values()];
}

const CONDITIONS = [
  ...['Index Cond', 'Recheck Cond', 'Filter', 'Join Filter', 'Hash Cond', 'Merge Cond'],
];
const SIDE = String.raw`(?:(\w+)\.)?workspace\b`;
const EQUAL = new RegExp(String.raw`${SIDE}\)? = (?:ANY )?\(*(?:${SIDE}|)`, 'g');

/**
 * The accesses to one of the tables that no condition binds to a tenant: neither to a parameter nor
 * to a row of another table that names one, nor to what the statement made itself, which is looked
 * at where it is made.
 */
export function unboundIn({ plan }: Planned, tables: ReadonlySet<string>): string[] {
  const nodes = nodesOf(plan);
  // A recursion skips from each tenant that has work to the next one.
  const skips = new Set(nodes.filter(isRecursion).flatMap(nodesOf));
  const accesses = nodes.filter((node) => tables.has(relationOf(node)) && !skips.has(node));
  const unbound = new Set(accesses.map(aliasOf));
  const pairs: (readonly [string, string])[] = [];
  for (const node of nodes) {
    const own = aliasOf(node);
    const conditions = CONDITIONS.map((name) => String(node[name] ?? '')).join(' ');
    for (const [all, left = own, right = own] of conditions.matchAll(EQUAL)) {
      if (all.endsWith('workspace')) pairs.push([left, right]);
      else unbound.delete(left);
    }
  }
  for (let size = -1; size !== unbound.size; ) {
    size = unbound.size;
    for (const [left, right] of pairs) {
      if (!unbound.has(left)) unbound.delete(right);
      if (!unbound.has(right)) unbound.delete(left);
    }
  }
  const open = accesses.filter((node) => unbound.has(aliasOf(node)));
  return open.map((node) => `${relationOf(node)} by ${node['Index Name'] ?? 'all its rows'}`);
}

/**
 * The accesses that look for an account's entries or invoices and pass their index by, because the
 * statement names no hash of the account.
 */
export function unhashedIn({ plan }: Planned): string[] {
  const found = nodesOf(plan).filter((node) => {
    if (!['posting', 'invoice'].includes(relationOf(node))) return false;
    const [led, filter] = ['Index Cond', 'Filter'].map((name) => String(node[name] ?? ''));
    const keyed = /\b(?:resource_)?id = |uuid_hash/.test(led ?? '');
    return !keyed && /\baccount_id = /.test(filter ?? '');
  });
  return found.map((node) => `${relationOf(node)} by ${node['Index Name'] ?? 'all its rows'}`);
}

/** The accesses that read every step of a tenant, where a join cannot reach into `history`. */
export function wholeHistoryIn({ plan }: Planned): string[] {
  const found = nodesOf(plan).filter((node) => {
    const led = ['Index Cond', 'Recheck Cond'].map((name) => String(node[name] ?? '')).join(' ');
    return relationOf(node) === 'step' && !/\b(?:resource_id|request_id|at)\b/.test(led);
  });
  return found.map((node) => `step by ${node['Index Name'] ?? 'all its rows'}`);
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

function isRecursion(node: PlanNode): boolean {
  return node['Node Type'] === 'Recursive Union';
}

/** What is changed is accessed below. */
function relationOf(node: PlanNode): string {
  return node['Node Type'] === 'ModifyTable' ? '' : (node['Relation Name'] ?? '');
}

function aliasOf(node: PlanNode): string {
  return node.Alias ?? '';
}
