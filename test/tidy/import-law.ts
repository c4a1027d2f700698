// The import law as rows, each with its reason, and the reading of imports. The test checks every
// file of src against it, and the generated page prints it.
import { posix } from 'node:path';
import { filesOf, isTest, type SourceFile } from './tree.ts';

/** Layers, highest first; each file belongs to one by the start of its path below src. */
export const LAYERS: readonly { readonly parts: readonly string[]; readonly why: string }[] = [
  { parts: ['main.ts'], why: 'joins the command line to the composition root' },
  { parts: ['system.ts'], why: 'the composition root; the only file that imports adapters' },
  { parts: ['seeding.ts'], why: 'what a first start of the sandbox makes' },
  { parts: ['demo-shop.ts'], why: 'the demo shop behind its host' },
  { parts: ['installation.ts'], why: 'what the database knows of the installation' },
  { parts: ['engines.ts'], why: 'the engines of a process' },
  { parts: ['pools.ts'], why: 'the connections of a process' },
  {
    parts: ['http', 'worker', 'pages', 'console', 'cli', 'adapters', 'config.ts'],
    why: 'the ways in and out; none knows another',
  },
  { parts: ['catalogue.ts'], why: 'the table of contents' },
  { parts: ['domain'], why: 'the modules of the product; among them the second table holds' },
  {
    parts: ['engine', 'ledger', 'outbox', 'ports'],
    why: 'how commands become rows; among them the second table holds',
  },
  { parts: ['db'], why: 'the only place that knows the driver' },
  { parts: ['kernel'], why: 'the language of the house; imports nothing of ours' },
  { parts: ['shop'], why: 'the demo shop, outside of src: it knows the public client alone' },
];

/** Who may import whom inside one layer. A part that is absent imports none of its layer. */
export const PEERS: Readonly<Record<string, readonly string[]>> = {
  // What reads forms, writes envelopes and escapes is written once.
  console: ['http', 'pages'],
  engine: ['ledger', 'outbox'],
  'domain/account': ['domain/context', 'domain/events'],
  'domain/audit': ['domain/context'],
  'domain/accrual': ['domain/context', 'domain/wallet'],
  'domain/business': [
    'domain/context',
    'domain/events',
    'domain/account',
    'domain/identity',
    'domain/oauth',
    'domain/once',
    'domain/registration',
  ],
  'domain/checkout': [
    'domain/context',
    'domain/escrow',
    'domain/invoice',
    'domain/oauth',
    'domain/once',
  ],
  'domain/clock': [
    'domain/context',
    'domain/once',
    'domain/reconciliation',
    'domain/wallet',
    'domain/webhook',
  ],
  'domain/consent': [
    'domain/context',
    'domain/account',
    'domain/audit',
    'domain/once',
  ],
  'domain/counterparty': [
    'domain/context',
    'domain/events',
    'domain/once',
    'domain/sandbox',
    'domain/wallet',
    'domain/webhook',
  ],
  'domain/dispute': [
    'domain/context',
    'domain/events',
    'domain/escrow',
    'domain/invoice',
    'domain/refund',
    'domain/wallet',
  ],
  'domain/escrow': [
    'domain/context',
    'domain/events',
    'domain/invoice',
    'domain/terms',
    'domain/wallet',
  ],
  'domain/explain': ['domain/context', 'domain/audit', 'domain/escrow'],
  'domain/handoff': [
    'domain/context',
    'domain/account',
    'domain/audit',
    'domain/checkout',
    'domain/consent',
    'domain/invoice',
    'domain/oauth',
    'domain/settings',
    'domain/terms',
  ],
  'domain/history': [
    'domain/context',
    'domain/account',
    'domain/escrow',
    'domain/invoice',
    'domain/payout',
  ],
  'domain/identity': [
    'domain/context',
    'domain/events',
    'domain/account',
    'domain/accrual',
    'domain/audit',
    'domain/matching',
    'domain/oauth',
    'domain/wallet',
  ],
  'domain/matching': ['domain/account'],
  'domain/merging': [
    'domain/context',
    'domain/account',
    'domain/identity',
    'domain/vault',
    'domain/wallet',
  ],
  'domain/invoice': [
    'domain/context',
    'domain/events',
    'domain/wallet',
    'domain/account',
    'domain/terms',
  ],
  'domain/oauth': [
    'domain/context',
    'domain/account',
    'domain/audit',
    'domain/consent',
    'domain/once',
    'domain/tenant',
  ],
  'domain/operator': ['domain/context', 'domain/audit'],
  'domain/payout': [
    'domain/context',
    'domain/events',
    'domain/account',
    'domain/identity',
    'domain/terms',
    'domain/wallet',
  ],
  'domain/reconciliation': [
    'domain/context',
    'domain/dispute',
    'domain/escrow',
    'domain/invoice',
    'domain/payout',
    'domain/refund',
    'domain/wallet',
  ],
  'domain/refund': [
    'domain/context',
    'domain/events',
    'domain/account',
    'domain/escrow',
    'domain/invoice',
    'domain/wallet',
  ],
  'domain/registration': [
    'domain/context',
    'domain/events',
    'domain/account',
    'domain/identity',
    'domain/wallet',
  ],
  'domain/review': [
    'domain/context',
    'domain/account',
    'domain/audit',
    'domain/business',
    'domain/identity',
    'domain/matching',
    'domain/wallet',
  ],
  'domain/sandbox': [
    'domain/context',
    'domain/account',
    'domain/accrual',
    'domain/escrow',
    'domain/identity',
    'domain/invoice',
    'domain/once',
    'domain/registration',
    'domain/tenant',
    'domain/wallet',
  ],
  'domain/settings': ['domain/context', 'domain/audit', 'domain/once'],
  'domain/tenant': ['domain/context', 'domain/audit', 'domain/wallet'],
  'domain/terms': ['domain/context', 'domain/account', 'domain/audit', 'domain/once'],
  'domain/vault': [
    'domain/account',
    'domain/audit',
    'domain/business',
    'domain/identity',
    'domain/matching',
    'domain/oauth',
    'domain/refund',
    'domain/review',
    'domain/wallet',
  ],
  'domain/wallet': [
    'domain/context',
    'domain/events',
    'domain/account',
    'domain/audit',
    'domain/once',
    'domain/settings',
    'domain/terms',
  ],
  'domain/webhook': [
    'domain/context',
    'domain/events',
    'domain/account',
    'domain/audit',
    'domain/once',
  ],
  'domain/world': [
    'domain/context',
    'domain/audit',
    'domain/oauth',
    'domain/once',
    'domain/operator',
    'domain/tenant',
  ],
};

/** Doors besides a part's index.ts; the core and ports are lists of files, each its own door. */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  cli: ['program.ts', 'ending.ts'],
  db: ['index.ts', 'migrate.ts', 'embedded/index.ts'],
  // What reviewers cause and open, apart from what everybody may.
  'domain/business': ['index.ts', 'case.ts'],
  'domain/identity': ['index.ts', 'case.ts'],
  http: [
    ...['hosts.ts', 'log.ts', 'notes.ts', 'envelope.ts', 'form.ts', 'refusals.ts', 'send.ts'],
    'sender.ts',
  ],
  ledger: ['index.ts', 'tables.ts'],
  outbox: ['index.ts', 'tables.ts'],
  pages: ['index.ts', 'mount.ts', 'html.ts', 'send-file.ts'],
};

/** One import from a file of src to another. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

const IMPORT =
  /\n\s*(?:import|export)\s+(?:type\s+)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|import\(\s*'(\.[^']+)'/g;

/** All relative imports of files, in order. Tests are not held to the law and are left out. */
export function importsOf(files: readonly SourceFile[]): Import[] {
  return files.flatMap(({ path, text }) =>
    [...`\n${text}`.matchAll(IMPORT)].map((found) => ({
      from: path,
      to: posix.normalize(posix.join(posix.dirname(path), found[1] ?? found[2] ?? '')),
    })),
  );
}

/** The files that the law is about. */
export function lawfulFiles(): SourceFile[] {
  return filesOf('src/**/*.ts').filter(({ path }) => !isTest(path));
}

/** The part that a file belongs to: `kernel`, `domain/wallet`, `config.ts`. */
export function partOf(path: string): string {
  const [first = '', second = ''] = path.replace(/^src\//, '').split('/');
  return first === 'domain' ? `domain/${second.replace(/\.ts$/, '')}` : first;
}

function rankOf(part: string): number {
  const name = part.startsWith('domain/') ? 'domain' : part;
  return LAYERS.findIndex(({ parts }) => parts.includes(name));
}

/** What an import breaks, as a sentence; null for a lawful one. */
export function breachOf({ from, to }: Import): string | null {
  const [mine, theirs] = [partOf(from), partOf(to)];
  if (mine === theirs) return null;
  const [high, low] = [rankOf(mine), rankOf(theirs)];
  if (high < 0 || low < 0) return `${from}: ${high < 0 ? mine : theirs} is in no layer`;
  if (theirs === 'adapters' && mine !== 'system.ts')
    return `${from} -> ${to}: only system.ts imports adapters`;
  if (low < high) return `${from} -> ${to}: upwards`;
  if (low === high && !(PEERS[mine] ?? []).includes(theirs)) {
    return `${from} -> ${to}: ${mine} may not know ${theirs}`;
  }
  return isDoor(theirs, to) ? null : `${from} -> ${to}: past the door of ${theirs}`;
}

function isDoor(part: string, file: string): boolean {
  const inside = file.replace(/^src\//, '').slice(part.length + 1);
  if (inside === '' || file === `src/${part}.ts`) return true;
  if (['kernel', 'ports'].includes(part)) return true;
  // Each adapter is a part of its own behind one name.
  if (part === 'adapters') return !inside.includes('/') || inside.endsWith('/index.ts');
  return (DOORS[part] ?? ['index.ts']).includes(inside);
}

/** Cycles of files that know each other, be it by a type alone; empty for a tree. */
export function cyclesOf(imports: readonly Import[]): string[] {
  const needs = new Map<string, string[]>();
  for (const { from, to } of imports) needs.set(from, [...(needs.get(from) ?? []), to]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) cycles.push([...path.slice(at), file].join(' -> '));
    if (at >= 0 || done.has(file)) return;
    for (const next of needs.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of needs.keys()) visit(file, []);
  return cycles;
}
