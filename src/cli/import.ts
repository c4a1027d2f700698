// `holdfast import`: accounts, saved cards and opening balances from the files of another service.
// Reports and messages hold lines, columns and codes, never a cell.
import type { Command } from 'commander';
import {
  accounts,
  importFile,
  methodsAt,
  type ImportListener,
} from '../product/tenant/imports/index.ts';
import { connectionsOf } from '../product/tenant/provider/index.ts';
import { workspaceDirectory } from '../product/tenant/tenant/index.ts';
import { accountId } from '../core/ids.ts';
import type { CommandContext, Installation } from './context.ts';
import { addBalances } from './import-balances.ts';
import {
  addFileVerb,
  outputOf,
  requireNone,
  withRows,
  type FileArguments,
} from './import-rows.ts';
import { plainly, printRecord, withInstallation, workspaceNamed } from './installation.ts';

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
