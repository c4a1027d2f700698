// The import law as rows, each with its reason, and the reading of imports. The test checks every
// file of src against it, and the generated page prints it.
import { posix } from 'node:path';
import { filesOf, isTest, type SourceFile } from './tree.ts';

/** Layers, highest first; each file belongs to one by the start of its path below src. */
export const LAYERS: readonly { readonly parts: readonly string[]; readonly why: string }[] = [
  { parts: ['main.ts'], why: 'joins the command line to the composition root' },
  { parts: ['system.ts'], why: 'the composition root; the only file that chooses providers' },
  { parts: ['sandbox'], why: 'what only a staging process has; system.ts alone opens its door' },
  { parts: ['installation.ts'], why: 'what the database knows of the installation' },
  { parts: ['schema.ts'], why: 'the schema, brought to this release by its owner' },
  { parts: ['engines.ts'], why: 'the engines of a process' },
  { parts: ['pools.ts'], why: 'the connections of a process' },
  {
    parts: ['http', 'worker', 'pages', 'console', 'cli', 'seen', 'config.ts'],
    why: 'the ways in and out; none knows another',
  },
  { parts: ['settings'], why: 'how one setting is read, or a group of them' },
  { parts: ['catalogue.ts'], why: 'the table of contents' },
  { parts: ['product'], why: 'the modules of the product; among them the second table holds' },
  {
    parts: ['engine', 'ledger', 'outbox', 'providers', 'sandbox/ports', 'sandbox/simulators'],
    why: 'how commands become rows, and who is outside; among them the second table holds',
  },
  { parts: ['db'], why: 'the only place that knows the driver' },
  { parts: ['markup'], why: 'the one way to make a page, and its policy' },
  { parts: ['texts'], why: 'what people are told, in their languages; the widget has them too' },
  { parts: ['concurrency'], why: 'how much a process does at once, and how often' },
  { parts: ['core'], why: 'money, ids, time, schemas: pure, and imports nothing of ours' },
  { parts: ['shop'], why: 'the demo shop, outside of src: it knows the public client alone' },
];

/** Who may import whom inside one layer. A part that is absent imports none of its layer. */
export const PEERS: Readonly<Record<string, readonly string[]>> = {
  // What reads forms, writes envelopes and makes markup is written once.
  console: ['http', 'pages'],
  engine: ['ledger', 'outbox'],
  'sandbox/ports': ['providers'],
  'sandbox/simulators': ['providers', 'sandbox/ports'],
  context: ['events'],
  idempotent: ['context'],
  'people/account': ['context', 'events'],
  'tell/audit': ['context'],
  'people/credit-eligibility': ['context', 'money/reserve', 'money/wallet'],
  'people/business': [
    'context',
    'events',
    'people/account',
    'people/identity',
    'access/oauth',
    'idempotent',
    'people/registration',
    'people/screening',
  ],
  'money/act': [
    ...['context', 'access/operator', 'people/review', 'tenant/stop', 'money/bank', 'money/escrow'],
    ...['money/disagreement', 'money/invoice', 'money/payout', 'money/reconciliation'],
    'money/refund',
  ],
  'money/bank': ['context', 'people/account', 'tell/audit', 'money/treasury', 'money/wallet'],
  'money/checkout': [
    ...['context', 'money/escrow', 'money/history', 'money/invoice', 'money/wallet'],
    ...['access/oauth', 'idempotent', 'people/account'],
  ],
  'people/email-check': ['context', 'idempotent', 'people/account', 'tell/mail'],
  'people/consent': ['context', 'people/account', 'tell/audit', 'idempotent'],
  'money/evidence': ['context', 'people/account', 'people/identity'],
  'money/disagreement': [
    ...['context', 'events', 'people/account', 'tenant/settings', 'money/escrow'],
    ...['money/evidence', 'money/invoice', 'tell/audit'],
  ],
  'money/dispute': [
    ...['context', 'events', 'people/account', 'money/disagreement', 'money/evidence'],
    ...['tell/audit', 'tenant/settings', 'money/escrow', 'money/invoice', 'money/refund'],
    ...['money/reserve', 'money/wallet'],
  ],
  'money/escrow': [
    'context',
    'events',
    'money/invoice',
    'people/terms',
    'money/wallet',
  ],
  'tell/explain': [
    ...['context', 'tell/audit', 'money/disagreement', 'money/escrow', 'money/payout-file'],
    'tell/webhook',
  ],
  'tell/list': ['context', 'tell/explain'],
  'access/session-exchange': [
    'context',
    'people/account',
    'tell/audit',
    'money/checkout',
    'people/consent',
    'money/invoice',
    'access/oauth',
    'tenant/settings',
    'people/terms',
  ],
  'tell/mail': [
    ...['context', 'events', 'idempotent', 'money/disagreement', 'money/history'],
    ...['people/account', 'people/business', 'tell/audit', 'tenant/settings'],
  ],
  'money/history': [
    ...['context', 'people/account', 'people/business', 'money/disagreement', 'money/escrow'],
    ...['money/invoice', 'money/payout', 'tenant/settings'],
  ],
  'people/identity': [
    'tenant/stop',
    'context',
    'events',
    'people/account',
    'people/credit-eligibility',
    'tell/audit',
    'people/matching',
    'people/screening',
    'access/oauth',
    'money/wallet',
  ],
  'people/matching': ['context', 'people/account', 'tell/audit'],
  'people/screening': ['context', 'people/matching', 'tell/audit'],
  'people/account-merge': [
    'context',
    'people/account',
    'people/identity',
    'people/retention',
    'money/wallet',
  ],
  'money/invoice': [
    'context',
    'events',
    'idempotent',
    'money/reserve',
    'money/wallet',
    'people/account',
    'people/terms',
  ],
  'access/oauth': [
    'context',
    'people/account',
    'tell/audit',
    'people/consent',
    'idempotent',
    'tenant/tenant',
  ],
  'access/operator': ['context', 'tell/audit'],
  'money/payout': [
    'context',
    'events',
    'people/account',
    'people/business',
    'people/identity',
    'money/bank',
    'people/terms',
    'money/reserve',
    'money/treasury',
    'money/wallet',
  ],
  'money/reserve': ['context'],
  'money/treasury': ['context'],
  'money/books': ['context', 'people/account', 'tenant/settings', 'tenant/tenant'],
  'money/payout-schedule': [
    ...['context', 'people/account', 'tell/audit', 'idempotent', 'money/payout'],
  ],
  'money/payee': [
    'context',
    'people/account',
    'people/identity',
    'people/terms',
    'idempotent',
    'tenant/settings',
    'money/wallet',
  ],
  'money/payout-file': [
    'tenant/stop',
    ...['context', 'people/account', 'money/bank', 'money/payout', 'money/wallet'],
  ],
  'money/reconciliation': [
    'context',
    'tenant/settings',
    'money/dispute',
    'money/escrow',
    'money/invoice',
    'money/payee',
    'money/payout',
    'money/refund',
    'money/treasury',
    'money/wallet',
  ],
  'money/refund': [
    'context',
    'events',
    'people/account',
    'money/escrow',
    'money/invoice',
    'money/wallet',
  ],
  'people/registration': [
    'context',
    'events',
    'people/account',
    'people/identity',
    'money/wallet',
  ],
  'people/review': [
    'context',
    'people/account',
    'access/operator',
    'tell/audit',
    'people/business',
    'people/identity',
    'people/matching',
    'people/screening',
    'money/wallet',
  ],
  'sandbox/clock': ['sandbox/services.ts'],
  'sandbox/control': ['sandbox/services.ts'],
  'sandbox/mail': ['sandbox/services.ts'],
  'sandbox/counterparty': ['sandbox/control', 'sandbox/services.ts'],
  'sandbox/workspace': ['sandbox/services.ts'],
  'sandbox/news.ts': ['sandbox/clock'],
  'sandbox/seeding.ts': ['sandbox/control', 'sandbox/workspace'],
  'sandbox/start.ts': [
    ...['sandbox/demo-shop.ts', 'sandbox/mail', 'sandbox/news.ts', 'sandbox/seeding.ts'],
    'sandbox/services.ts',
  ],
  'sandbox/index.ts': [
    ...['sandbox/clock', 'sandbox/control', 'sandbox/counterparty', 'sandbox/workspace'],
    ...['sandbox/mail', 'sandbox/start.ts'],
  ],
  'tenant/provider': ['context', 'tell/audit'],
  'tenant/imports': [
    'context',
    'money/treasury',
    'people/account',
    'people/registration',
    'access/operator',
    'tell/audit',
    'money/wallet',
  ],
  'tell/reference': ['context', 'money/wallet'],
  'tenant/settings': ['context', 'tell/audit', 'idempotent'],
  'tenant/export': ['tell/audit'],
  'tenant/reporting': ['tell/audit'],
  'tenant/stop': ['context', 'access/operator', 'tell/audit'],
  'tenant/move': ['context', 'tell/audit'],
  'tenant/tenant': ['context', 'tell/audit', 'money/wallet'],
  'people/terms': ['context', 'people/account', 'tell/audit', 'idempotent'],
  'people/retention': [
    'people/account',
    'tenant/imports',
    'tell/audit',
    'tell/webhook',
    'people/business',
    'people/identity',
    'people/matching',
    'access/oauth',
    'money/evidence',
    'money/refund',
    'people/review',
    'money/wallet',
  ],
  'money/wallet': [
    'tenant/stop',
    'context',
    'events',
    'people/account',
    'tell/audit',
    'idempotent',
    'tenant/settings',
    'people/terms',
  ],
  'tell/webhook': [
    'context',
    'events',
    'people/account',
    'tell/audit',
    'idempotent',
  ],
};

/** Doors besides a part's index.ts; a part that is a list of files has each as a door. */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  cli: ['program.ts', 'shutdown.ts'],
  db: ['index.ts', 'migrate.ts', 'embedded/index.ts'],
  // What reviewers cause and open, apart from what everybody may.
  'people/business': ['index.ts', 'case.ts'],
  'people/identity': ['index.ts', 'case.ts'],
  http: [
    ...['hosts.ts', 'log.ts', 'notes.ts', 'envelope.ts', 'form.ts', 'refusals.ts', 'send.ts'],
    ...['client-address.ts', 'openapi-examples.ts', 'openapi-schema.ts'],
  ],
  ledger: ['index.ts', 'tables.ts'],
  outbox: ['index.ts', 'tables.ts'],
  settings: ['mail.ts', 'read.ts', 'sign-on.ts'],
  pages: ['index.ts', 'mount.ts', 'send-file.ts'],
};

/** One import from a file of src to another. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** It loads no code when the importing file loads: an `import()`, or of types alone. */
  readonly isLazy?: boolean;
}

const IMPORT =
  /\n\s*(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'|import\(\s*'(\.[^']+)'/g;

/** All relative imports of files, in order. Tests are not held to the law and are left out. */
export function importsOf(files: readonly SourceFile[]): Import[] {
  return files.flatMap(({ path, text }) =>
    [...`\n${text}`.matchAll(IMPORT)].map(([, type, eager, called]) => ({
      from: path,
      to: posix.normalize(posix.join(posix.dirname(path), eager ?? called ?? '')),
      isLazy: type !== undefined || called !== undefined,
    })),
  );
}

/** The files that the law is about. */
export function lawfulFiles(): SourceFile[] {
  return filesOf('src/**/*.ts').filter(({ path }) => !isTest(path));
}

const CONTEXTS = ['money', 'people', 'access', 'tell', 'tenant'];

/** The part that a file belongs to: `core`, `money/wallet`, `sandbox/clock`, `config.ts`. */
export function partOf(path: string): string {
  const [first = '', second = '', third = ''] = path.replace(/^src\//, '').split('/');
  if (first === 'sandbox') return `sandbox/${second}`;
  if (first !== 'product') return first;
  return CONTEXTS.includes(second) ? `${second}/${third}` : second.replace(/\.ts$/, '');
}

function rankOf(part: string): number {
  const [first = part] = part.split('/');
  const isProduct = CONTEXTS.includes(first) || ['idempotent', 'context', 'events'].includes(part);
  const name = isProduct ? 'product' : first;
  const own = LAYERS.findIndex(({ parts }) => parts.includes(part));
  return own < 0 ? LAYERS.findIndex(({ parts }) => parts.includes(name)) : own;
}

/** The only file of the sandbox that system.ts may load, once it knows its environment. */
const SANDBOX_DOOR = 'src/sandbox/index.ts';

/** What an import breaks, as a sentence; null for a lawful one. */
export function breachOf({ from, to, isLazy }: Import): string | null {
  const [mine, theirs] = [partOf(from), partOf(to)];
  if (mine === theirs) return null;
  const isInside = mine.startsWith('sandbox/');
  if (theirs.startsWith('sandbox/') && !isInside) {
    if (mine !== 'system.ts') return `${from} -> ${to}: only system.ts enters the sandbox`;
    if (to !== SANDBOX_DOOR) return `${from} -> ${to}: past the door of the sandbox`;
    return isLazy === true ? null : `${from} -> ${to}: production would load the sandbox`;
  }
  const [high, low] = [rankOf(mine), rankOf(theirs)];
  if (high < 0 || low < 0) return `${from}: ${high < 0 ? mine : theirs} is in no layer`;
  const isPort = /\/(?:port|versions)\.ts$/.test(to) || theirs !== 'providers';
  if (!isPort && mine !== 'system.ts') {
    return `${from} -> ${to}: only system.ts chooses providers`;
  }
  if (low < high) return `${from} -> ${to}: upwards`;
  if (to.endsWith('/module.ts')) {
    if (mine === 'catalogue.ts' || isInside) return null;
    return `${from} -> ${to}: only a catalogue lists modules`;
  }
  if (low === high && !(PEERS[mine] ?? []).includes(theirs)) {
    return `${from} -> ${to}: ${mine} may not know ${theirs}`;
  }
  return isDoor(theirs, to) ? null : `${from} -> ${to}: past the door of ${theirs}`;
}

function isDoor(part: string, file: string): boolean {
  const inside = file.replace(/^src\/(?:product\/)?/, '').slice(part.length + 1);
  if ([`src/${part}`, `src/product/${part}.ts`].includes(file)) return true;
  const open = ['core', 'markup', 'texts', 'concurrency', 'providers', 'sandbox/ports'];
  if (open.includes(part)) return true;
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
