// `holdfast import`: accounts, saved cards and opening balances from the files of another service.
// Reports and messages hold lines, columns and codes, never a cell. Opening balances take two
// operators, who sign in here: the rights of the machine alone would make one person two.
import type { Command } from 'commander';
import {
  accounts,
  bookBlock,
  cancel,
  confirm,
  importFile,
  listOpenings,
  methodsAt,
  prepareFile,
  type ImportListener,
  type OpeningAnswer,
  type OperatorAct,
} from '../product/tenant/imports/index.ts';
import { connectionsOf } from '../product/tenant/provider/index.ts';
import { workspaceDirectory } from '../product/tenant/tenant/index.ts';
import { accountId } from '../core/ids.ts';
import { addFileVerb, outputOf, requireNone, withRows, type FileArguments } from './import-rows.ts';
import {
  addVerb,
  plainly,
  printRecord,
  withInstallation,
  workspaceNamed,
  type VerbArguments,
} from './installation.ts';
import type { Right } from '../product/access/operator/index.ts';
import { digitsOf } from '../core/currency.ts';
import { ToldFailure, type CommandContext, type Installation } from './context.ts';
import {
  PASSWORD_VARIABLE,
  provenOperator,
  type OperatorArguments,
} from './proven-operator.ts';

interface TenantArguments extends VerbArguments, OperatorArguments {
  readonly tenant: string;
}

interface PrepareArguments extends FileArguments, OperatorArguments {
  readonly currency: string;
  readonly total: string;
  readonly count: string;
}

/** Adds the commands below `import balances`. */
function addBalances(parent: Command, context: CommandContext): void {
  const balances = parent
    .command('balances')
    .description('book opening balances that two operators agree on');
  asOperator(addFileVerb(balances, 'prepare', 'read a file of balances in one currency'))
    .requiredOption('--currency <code>', 'the currency of every row')
    .requiredOption('--total <amount>', 'the total that the file must have, in minor units')
    .requiredOption('--count <n>', 'the number of rows that the file must have')
    .action((file: string, given: PrepareArguments) => prepare(file, given, context));
  const list = addVerb(balances, 'list', 'list the files of a tenant, newest first');
  ofTenant(list).action((given: TenantArguments) => printList(given, context));
  addAct(balances, 'confirm', 'confirm a file as the second person, and book it')
    .action((id: string, given: TenantArguments) =>
      act(id, given, context, 'confirm', confirmAndBook),
    );
  addAct(balances, 'cancel', 'give up a file that is not confirmed')
    .action((id: string, given: TenantArguments) => act(id, given, context, 'bank', cancel));
}

function addAct(balances: Command, name: string, says: string): Command {
  const verb = addVerb(balances, name, says).argument('<id>', 'as printed by prepare');
  return asOperator(ofTenant(verb));
}

type Act = (installation: Installation, act: OperatorAct) => Promise<OpeningAnswer>;

/** Booking may be stopped at any moment: a server goes on with it, and so does a repetition. */
const confirmAndBook: Act = async (installation, opening) => {
  const { id, ...begun } = await confirm(installation, opening);
  let { state } = begun;
  while (state === 'confirmed' || state === 'booking') {
    state = await bookBlock(installation, opening);
  }
  return { id, state };
};

function ofTenant(verb: Command): Command {
  return verb.requiredOption('--tenant <id>', "the tenant's id, as printed by tenant create");
}

function asOperator(verb: Command): Command {
  return verb
    .option('--operator <username>', `who you are; the password comes from ${PASSWORD_VARIABLE}`)
    .option('--code <digits>', 'the code that your authenticator shows now');
}

async function prepare(
  file: string,
  given: PrepareArguments,
  context: CommandContext,
): Promise<void> {
  const { dryRun: trial = false, currency } = given;
  const total = readAmount('--total', given.total);
  const lines = Number(readAmount('--count', given.count));
  if (digitsOf(currency) === null) throw new Error('--currency takes codes such as USD.');
  const found = await withRows(file, given, context, (rows, refused) =>
    withInstallation(given.env, context, true, async (installation) => {
      const workspace = await workspaceNamed(installation.db, given.tenant);
      // A trial changes nothing, so anybody on this machine may make one.
      const needed = { right: 'bank', workspace } as const;
      const operator = trial ? '' : await provenOperator(installation, context, given, needed);
      const actor = `operator:${operator}`;
      const stated = { workspace, currency, total, lines, operator, actor, trial };
      return prepareFile(installation, rows, stated, refused).catch(plainly);
    }),
  );
  const state = found.id === null ? 'not stored' : 'prepared';
  const sums = { rows: found.rows, refused: found.refused, total: String(found.total), currency };
  const id = found.id === null ? {} : { id: found.id };
  printRecord(context, { import: 'balances', ...id, state, ...sums, dry_run: trial }, given.json);
  requireNone(found.refused);
  if (found.rows === lines && found.total === total) return;
  throw new ToldFailure('The file has another count or total than stated; nothing was stored.');
}

function readAmount(option: string, text: string): bigint {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new Error(`${option} must be a positive whole number.`);
  return BigInt(text);
}

async function printList(given: TenantArguments, context: CommandContext): Promise<void> {
  const openings = await withInstallation(given.env, context, false, async ({ db }) =>
    listOpenings(db, await workspaceNamed(db, given.tenant)),
  );
  const shown = openings.map(({ total, ...one }) => ({ ...one, total: String(total) }));
  if (given.json === true) return context.print(`${JSON.stringify(shown)}\n`);
  if (shown.length === 0) context.print('No opening balances.\n');
  for (const { id, state, total, currency, lines, booked } of shown) {
    context.print(`${id}  ${state}  ${total} ${currency}  ${booked} of ${lines} lines booked\n`);
  }
}

/** Signs the operator in for one act, and prints what became of it. */
async function act(
  id: string,
  given: TenantArguments,
  context: CommandContext,
  right: Right,
  work: Act,
): Promise<void> {
  const answer = await withInstallation(given.env, context, true, async (installation) => {
    const workspace = await workspaceNamed(installation.db, given.tenant);
    const operator = await provenOperator(installation, context, given, { right, workspace });
    return work(installation, { workspace, id, operator }).catch(plainly);
  });
  printRecord(context, { ...answer }, given.json);
}

interface RowsArguments extends FileArguments {
  readonly ids?: string;
}

type Kind = Parameters<typeof importFile>[2]['kind'];
/** A kind of row, for the tenant that it is imported into. */
type KindOf = (installation: Installation, workspace: number) => Kind | Promise<Kind>;

/** Adds the commands below `import`. */
export function addImport(program: Command, context: CommandContext): void {
  const verb = program.command('import').description("move in from another service's files");
  const act = (name: string, kindOf: KindOf) => (file: string, given: RowsArguments) =>
    importRows(file, given, context, name, kindOf);
  addFileVerb(verb, 'accounts', 'import accounts; each gets what a registration gives')
    .option('--ids <file>', 'write the account id of each reference to this file')
    .action(act('accounts', () => accounts));
  addFileVerb(verb, 'methods', "import saved cards and accounts by the processor's tokens")
    .action(act('methods', async (...place) => methodsAt(await processorOf(...place))));
  addBalances(verb, context);
}

/** The name of the processor whose tokens work for a tenant. */
async function processorOf(installation: Installation, workspace: number): Promise<string> {
  const { db, keys, env } = installation;
  const connections = await connectionsOf(db, keys, workspace);
  const chosen = connections.find(({ kind }) => kind === 'processor');
  if (chosen !== undefined) return chosen.provider;
  if (env === 'staging') return 'sandbox';
  throw new Error(
    'The tenant has no card processor, so no saved card can be charged: `holdfast provider set`.',
  );
}

async function importRows(
  file: string,
  given: RowsArguments,
  context: CommandContext,
  name: string,
  kindOf: KindOf,
): Promise<void> {
  const { tenant: integrator, dryRun: trial = false } = given;
  const summary = await withRows(file, given, context, async (rows, refused) => {
    const ids = await outputOf(given.ids, 'account,account_id\n');
    const known: ImportListener['known'] = (reference, id) =>
      ids.write(`${reference},${accountId(id)}\n`);
    return withInstallation(given.env, context, true, async (installation) => {
      const { db, engine, keys, random } = installation;
      const workspace = await workspaceNamed(db, integrator);
      const place = { workspace, integrator };
      const listener = { refused, known };
      const kind = await kindOf(installation, workspace);
      const task = { kind, place, actor: 'operator', trial, listener };
      const services = { db, engine, keys, random, workspaces: workspaceDirectory(db) };
      return importFile(services, rows, task).catch(plainly);
    }).finally(() => ids.close());
  });
  printRecord(context, { import: name, ...summary, dry_run: trial }, given.json);
  requireNone(summary.refused);
}
