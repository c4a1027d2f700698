// `holdfast bank`: a tenant's bank accounts, and the statement files that their bank sends. [G-91]
import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { Refusal } from '../core/refusal.ts';
import {
  activeBankAccount,
  bankAccounts,
  bankBalances,
  csvColumns,
  decideBankRow,
  faultOf,
  importStatement,
  incomingTransfers,
  OWN_KINDS,
  setBankAccount,
  statementOf,
  undecidedRows,
  type BankAccount,
  type BankAccountFacts,
  type CsvColumns,
  type RowKind,
} from '../product/money/bank/index.ts';
import { workspaceDirectory } from '../product/tenant/tenant/index.ts';
import { ToldFailure, type CommandContext, type Installation } from './context.ts';
import {
  addVerb,
  amountsAsText,
  printRecord,
  unreadable,
  withInstallation,
  workspaceNamed,
  type VerbArguments,
} from './installation.ts';
import {
  provenOperator,
  provenPair,
  type OperatorArguments,
  type PairArguments,
} from './proven-operator.ts';
import { moneyText } from './terminal.ts';

interface TenantArguments extends VerbArguments {
  readonly integrator: string;
}

interface SetArguments extends TenantArguments, PairArguments {
  readonly currency: string;
  readonly account: string;
  readonly holder: string;
  readonly bank: string;
  readonly bic?: string;
  readonly csvColumns?: string;
}

interface ImportArguments extends TenantArguments {
  readonly currency?: string;
}

interface DecideArguments extends TenantArguments, OperatorArguments {
  readonly as: RowKind;
  readonly transfer?: string;
}

const ACTOR = 'operator';
const MOST = 1_000;
const INTEGRATOR = ['--integrator <id>', "the tenant's id, as printed by tenant create"] as const;

/** Adds the commands below `bank`. */
export function addBank(program: Command, context: CommandContext): void {
  const bank = program
    .command('bank')
    .description("manage a tenant's bank accounts and import statements");
  addVerb(bank, 'set', 'set the bank account that deposit instructions name in a currency')
    .requiredOption(...INTEGRATOR)
    .requiredOption('--currency <code>', 'an enabled currency, such as EUR')
    .requiredOption('--account <number>', 'the IBAN, or the account number without one')
    .requiredOption('--holder <name>', 'who the account belongs to')
    .requiredOption('--bank <name>', 'the name of the bank')
    .option('--bic <code>', 'BIC or routing number')
    .option('--csv-columns <file>', 'JSON that says which column of a CSV statement says what')
    .option('--operator <username>', 'who changes an account that is in use')
    .option('--code <code>', "the operator's code of now")
    .option('--second <username>', 'the supervisor who confirms the change')
    .option('--second-code <code>', "the supervisor's code of now")
    .action((given: SetArguments) => set(given, context));
  addVerb(bank, 'list', 'list the bank accounts of a tenant')
    .requiredOption(...INTEGRATOR)
    .action((given: TenantArguments) => list(given, context));
  addVerb(bank, 'import', 'import a statement; the same file again changes nothing')
    .argument('<file>', 'camt.053, or CSV where the bank account has --csv-columns')
    .requiredOption(...INTEGRATOR)
    .option('--currency <code>', 'of the bank account; required for CSV')
    .action((file: string, given: ImportArguments) => read(file, given, context));
  addVerb(bank, 'transfers', 'list incoming transfers that wait for a person, oldest first')
    .requiredOption(...INTEGRATOR)
    .action((given: TenantArguments) => transfers(given, context));
  addVerb(bank, 'rows', 'list debits of statements that settle nothing, oldest first')
    .requiredOption(...INTEGRATOR)
    .action((given: TenantArguments) => undecided(given, context));
  addVerb(bank, 'decide', 'say what a row of a statement is; a large one waits for a second person')
    .argument('<row>', 'its id, as printed by bank rows')
    .requiredOption(...INTEGRATOR)
    .addOption(new Option('--as <kind>', 'what it is').choices(OWN_KINDS).makeOptionMandatory())
    .option('--transfer <id>', 'the credit that a reversal takes back')
    .requiredOption('--operator <username>', 'who decides')
    .requiredOption('--code <code>', "the operator's code of now")
    .action((row: string, given: DecideArguments) => decide(row, given, context));
  addVerb(bank, 'balance', 'compare what the bank says with what the books say')
    .requiredOption(...INTEGRATOR)
    .action((given: TenantArguments) => balance(given, context));
}

async function set(given: SetArguments, context: CommandContext): Promise<void> {
  const facts: BankAccountFacts = {
    currency: given.currency,
    number: given.account.replaceAll(' ', '').toUpperCase(),
    bic: (given.bic ?? '').toUpperCase(),
    ...{ holder: given.holder, bankName: given.bank },
    columns: given.csvColumns === undefined ? null : await columnsIn(given.csvColumns),
  };
  const fault = faultOf(facts);
  if (fault !== null) throw new Error(fault);
  const known = await withInstallation(given.env, context, true, async (installation) => {
    const workspace = await workspaceNamed(installation.db, given.integrator);
    const actor = await actorOf(installation, context, given, { workspace, facts });
    return setBankAccount(installation, workspace, facts, actor);
  });
  if (!known) throw new Error('--currency must be a currency that the tenant has enabled.');
  const { currency, number: account } = facts;
  printRecord(context, { integrator: given.integrator, currency, account }, given.json);
}

/** Who sets an account. Sending buyers' money elsewhere than before takes two operators. */
async function actorOf(
  installation: Installation,
  context: CommandContext,
  given: SetArguments,
  { workspace, facts }: { readonly workspace: number; readonly facts: BankAccountFacts },
): Promise<string> {
  const now = await activeBankAccount(installation.db, workspace, facts.currency);
  const isSame = now?.number === facts.number && now.holder === facts.holder.trim();
  if (now === null || isSame) return ACTOR;
  return `operator:${await provenPair(installation, context, given, workspace)}`;
}

async function columnsIn(file: string): Promise<CsvColumns> {
  const text = await readFile(file, 'utf8').catch(unreadable);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('--csv-columns must be a JSON file.');
  }
  const read = csvColumns.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Error(`--csv-columns: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

async function list(given: TenantArguments, context: CommandContext): Promise<void> {
  const accounts = await withInstallation(given.env, context, false, async ({ db }) =>
    bankAccounts(db, await workspaceNamed(db, given.integrator)),
  );
  const shown = accounts.map(({ currency, number: account, bic, holder, bankName, ...more }) => ({
    ...{ currency, account, bic, holder, bank: bankName },
    ...{ format: formatOf(more), state: more.active ? 'active' : 'replaced' },
  }));
  print(context, shown, given.json, 'No bank accounts.', (one) =>
    [one.currency, one.account, one.holder, one.bank, one.format, one.state].join('  '),
  );
}

function formatOf({ columns }: Pick<BankAccount, 'columns'>): string {
  return columns === null ? 'camt.053' : 'csv';
}

async function read(file: string, given: ImportArguments, context: CommandContext): Promise<void> {
  const bytes = await readFile(file).catch(unreadable);
  const { currency } = given;
  const done = await withInstallation(given.env, context, true, async (installation) => {
    const workspace = await workspaceNamed(installation.db, given.integrator);
    const made = await importStatement(
      ...([installation, workspace, { bytes, currency }, ACTOR] as const),
    ).catch(told);
    const seen = await statementOf(installation.db, workspace, made.statement_id);
    return { ...made, follows: seen?.follows };
  });
  const { taken, follows, ...counts } = done;
  const count = (state: string): number => taken.filter((one) => one.state === state).length;
  const ends = { credited: count('credited'), unallocated: count('unallocated') };
  printRecord(context, { ...counts, ...ends }, given.json);
  if (follows === false) {
    context.say('No other statement ends with its opening balance: one before it may be missing.');
  }
  if (ends.unallocated > 0) context.say('`holdfast bank transfers` lists what names nobody.');
}

async function transfers(given: TenantArguments, context: CommandContext): Promise<void> {
  const { open } = await withInstallation(given.env, context, false, async ({ db }) =>
    incomingTransfers(db, await workspaceNamed(db, given.integrator), MOST),
  );
  const shown = open.map(({ id, state, why, currency, amount, value_date, bank_reference }) => ({
    ...{ transfer_id: id, state, why: why ?? '', currency, amount: String(amount) },
    ...{ value_date, bank_reference },
  }));
  print(context, shown, given.json, 'No open transfers.', (one) =>
    [
      ...[one.value_date, one.state, one.why || '-', moneyText(one.amount, one.currency)],
      one.transfer_id,
    ].join('  '),
  );
}

async function undecided(given: TenantArguments, context: CommandContext): Promise<void> {
  const rows = await withInstallation(given.env, context, false, async ({ db }) =>
    undecidedRows(db, await workspaceNamed(db, given.integrator), MOST),
  );
  const shown = rows.map(({ id, direction, currency, amount, booked, ...row }) => ({
    ...{ row_id: id, booked, direction, currency, amount: String(amount) },
    ...{ bank_reference: row.bank_reference, suggestion: row.suggestion ?? '' },
    state: row.state ?? 'open',
  }));
  print(context, shown, given.json, 'Every row is explained.', (one) =>
    [
      ...[one.booked, one.state, one.direction, moneyText(one.amount, one.currency)],
      ...[one.suggestion || '-', one.row_id],
    ].join('  '),
  );
}

async function decide(row: string, given: DecideArguments, context: CommandContext): Promise<void> {
  const done = await withInstallation(given.env, context, true, async (installation) => {
    const workspace = await workspaceNamed(installation.db, given.integrator);
    const needed = { right: 'bank', workspace } as const;
    const operatorId = await provenOperator(installation, context, given, needed);
    const said = { entryId: row, kind: given.as, transferId: given.transfer ?? null };
    const parts = { ...installation, workspaces: workspaceDirectory(installation.db) };
    return decideBankRow(parts, { operatorId, workspace }, said).catch(told);
  });
  printRecord(context, { ...done }, given.json);
  if (done.state === 'proposed') context.say('A second person must confirm it at the console.');
}

async function balance(given: TenantArguments, context: CommandContext): Promise<void> {
  const rows = await withInstallation(given.env, context, false, async ({ db }) =>
    bankBalances(db, await workspaceNamed(db, given.integrator)),
  );
  const page = rows.map((row) => {
    const lines = BALANCE.map(([name, says]) => {
      const shown = row[name] === null ? 'not stated' : moneyText(row[name], row.currency);
      return `  ${says.padEnd(34)}${shown.padStart(22)}\n`;
    });
    return `${row.currency}\n${lines.join('')}`;
  });
  if (given.json === true) context.print(`${JSON.stringify(rows, amountsAsText)}\n`);
  else context.print(page.join('\n') || 'No bank accounts.\n');
  if (rows.some(({ unexplained }) => unexplained !== null && unexplained !== 0n)) {
    throw new ToldFailure('What the bank says is not what the books say: a statement is missing.');
  }
}

const BALANCE = [
  ['statements', 'by the statements'],
  ['books', 'in the books'],
  ['before', 'there before the first statement'],
  ['undecided', 'rows that nobody explained'],
  ['by_hand', 'booked by hand alone'],
  ['unexplained', 'unexplained'],
] as const;

function print<T extends object>(
  context: CommandContext,
  rows: readonly T[],
  json: boolean | undefined,
  none: string,
  line: (row: T) => string,
): void {
  const text = rows.length === 0 ? `${none}\n` : rows.map((row) => `${line(row)}\n`).join('');
  context.print(json === true ? `${JSON.stringify(rows)}\n` : text);
}

/** A refusal as the sentence of a failed command. */
function told(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const place = error.fields['file'];
  throw new Error(place === undefined ? error.spec.sentence : `${error.spec.sentence} (${place})`);
}
