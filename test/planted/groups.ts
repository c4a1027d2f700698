// What is planted where, and which tests should notice: each group's files, and the test files of
// their folders. The only place of this battery that names folders.
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = dirname(dirname(import.meta.dirname));

export const GROUPS = ['core', 'engine', 'ledger', 'machines', 'commands'] as const;
export type GroupName = (typeof GROUPS)[number];

/** Lifecycles, and the declaration of a command. */
const MACHINE = /machine[^/]*\.ts$/;
const COMMAND = /: Command<| = command\(|decide[^/]*\.ts$/;

/** The laws on the pure core, and the histories that are written by hand. */
const LAWS = [
  'test/prove/money-laws.test.ts',
  'test/laws/by-hand.pg.test.ts',
  'test/laws/by-hand-out.pg.test.ts',
  'test/laws/machines.pg.test.ts',
  'test/laws/moves.test.ts',
];

/** Where the engine and the ledger are tested with real commands, beside their own folders. */
const WITH_COMMANDS = [
  'src/ledger/proofs.pg.test.ts',
  'test/prove/money-laws.test.ts',
  'test/laws/keyed.pg.test.ts',
  'test/laws/by-hand.pg.test.ts',
  'test/laws/laws.pg.test.ts',
];

/** Where accounts behind wallets are opened: with a workspace, and with a currency. */
const WITH_WORKSPACES = ['src/product/tenant/tenant/tenant.test.ts'];

/** The written pages show every lifecycle, operation and refusal. */
const PAGES = ['test/tidy/docs.test.ts'];

/** Tests of a folder of the product over HTTP, by their folder and the start of their names. */
const OVER_HTTP: Readonly<Record<string, readonly string[]>> = {
  account: ['api/accounts', 'prove/wallet-alert'],
  bank: ['prove/bank-api'],
  business: ['prove/kyb-api', 'api/kyb-form'],
  control: ['api/sandbox', 'prove/counterparty-api', 'prove/bank-api'],
  disagreement: ['prove/disagreement', 'prove/escrow-course'],
  dispute: ['prove/dispute', 'prove/dispute-deadline', 'prove/seller-debt'],
  escrow: [
    ...['api/escrow', 'prove/escrow-clock', 'api/checkout', 'prove/dispute'],
    ...['prove/escrow-course', 'prove/escrow-parts', 'prove/escrow-party'],
  ],
  identity: [
    ...['api/kyc', 'prove/kyc-form'],
    ...['prove/matching-api', 'prove/document-expiry', 'prove/no-vendor'],
  ],
  invoice: ['api/invoice', 'api/invoice-payment', 'api/invoice-refusals', 'api/checkout'],
  'account-merge': ['prove/merge'],
  payout: ['api/payout'],
  reconciliation: ['api/reconciliation'],
  refund: ['prove/refund-funds', 'prove/refund'],
  registration: ['api/accounts', 'prove/matching-api'],
  reserve: ['prove/seller-reserve'],
  review: ['prove/no-vendor'],
  wallet: ['api/payment-method', 'api/saved-cards', 'prove/seller-debt'],
};

/** Tests of a folder that stand elsewhere: at the console, as a command, or beside another. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  account: ['src/product/people/retention/erase.test.ts'],
  act: ['test/prove/console-money.test.ts'],
  bank: [
    'test/prove/cli-bank.test.ts',
    'test/console/bank.test.ts',
    'test/console/statements.test.ts',
  ],
  disagreement: ['test/laws/by-hand-escrow.pg.test.ts'],
  dispute: [
    'src/product/money/reconciliation/reconciliation.test.ts',
    'test/console/disputes.test.ts',
    'test/prove/dispute-evidence.test.ts',
    'test/prove/dispute-races.test.ts',
  ],
  escrow: ['test/laws/by-hand-escrow.pg.test.ts'],
  imports: ['test/console/openings.test.ts'],
  payee: ['test/prove/connect.test.ts'],
  'payout-file': ['test/cli/payout-file.test.ts', 'test/prove/payout-files.test.ts'],
  reconciliation: ['test/prove/statement.test.ts'],
  registration: ['src/product/people/retention/erase.test.ts'],
  retention: [
    'src/product/people/business/business.test.ts',
    'src/product/people/review/review.test.ts',
  ],
  review: [
    'test/prove/hits.test.ts',
    'test/prove/console-review.test.ts',
    'test/prove/second-look.test.ts',
  ],
  screening: [
    'src/product/people/review/hit.test.ts',
    'src/product/people/screening/import.test.ts',
    'test/prove/hits.test.ts',
  ],
};

/** The folders that are named above. */
export const NAMED_FOLDERS: readonly string[] = [OVER_HTTP, ELSEWHERE].flatMap(Object.keys);

function sources(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.(?:test|contract)\.ts$/.test(file))
    .toSorted();
}

function tests(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();
}

/** The files of a group. */
export function filesOf(group: GroupName): string[] {
  if (group === 'core') return sources('src/core/*.ts');
  if (group === 'engine') return sources('src/engine/*.ts');
  if (group === 'ledger') return sources('src/ledger/*.ts');
  const all = sources('src/{product/*,sandbox}/*/*.ts');
  const machines = all.filter((file) => MACHINE.test(file));
  if (group === 'machines') return machines;
  const holds = (file: string): boolean =>
    COMMAND.test(file) || COMMAND.test(readFileSync(join(ROOT, file), 'utf8'));
  return all.filter((file) => !machines.includes(file) && holds(file));
}

/** The tests that should notice a change of the file. */
export function testsOf(group: GroupName, file: string): string[] {
  const beside = tests(`${dirname(file)}/*.test.ts`);
  if (group === 'core') return beside;
  if (group === 'engine') return [...beside, ...WITH_COMMANDS];
  if (group === 'ledger') {
    return [...new Set([...beside, ...WITH_COMMANDS, ...WITH_WORKSPACES])];
  }
  const folder = basename(dirname(file));
  const over = OVER_HTTP[folder] ?? [];
  beside.push(...(ELSEWHERE[folder] ?? []));
  return [...beside, ...LAWS, ...PAGES, ...over.map((name) => `test/${name}.test.ts`)];
}
