// `holdfast import`: accounts, saved cards and opening balances from the files of another service.
// Reports and messages hold lines, columns and codes, never a cell.
import type { Command } from 'commander';
import {
  accounts,
  importFile,
  methodsAt,
  type ImportListener,
} from '../product/tenant/imports/index.ts';
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
import { plainly, printRecord, withInstallation } from './installation.ts';
import { workspaceNamed } from './tenant.ts';

interface RowsArguments extends FileArguments {
  readonly ids?: string;
}

/** A kind of row, for the installation that it is imported into. */
type KindOf = (installation: Installation) => Parameters<typeof importFile>[2]['kind'];

/** Adds the commands below `import`. */
export function addImport(program: Command, context: CommandContext): void {
  const verb = program.command('import').description("move in from another service's files");
  const act = (name: string, kindOf: KindOf) => (file: string, given: RowsArguments) =>
    importRows(file, given, context, name, kindOf);
  addFileVerb(verb, 'accounts', 'import accounts; each gets what a registration gives')
    .option('--ids <file>', 'write the account id of each reference to this file')
    .action(act('accounts', () => accounts));
  addFileVerb(verb, 'methods', "import saved cards and accounts by the processor's tokens")
    .action(act('methods', ({ env }) => methodsAt(processorOf(env))));
  addBalances(verb, context);
}

/** The name of the processor whose tokens work for a tenant. */
function processorOf(env: Installation['env']): string {
  if (env === 'staging') return 'sandbox';
  throw new Error('No processor is connected, so no card of another service can be charged.');
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
      const place = { workspace: await workspaceNamed(db, integrator), integrator };
      const listener = { refused, known };
      const task = { kind: kindOf(installation), place, actor: 'operator', trial, listener };
      const services = { db, engine, keys, random, workspaces: workspaceDirectory(db) };
      return importFile(services, rows, task).catch(plainly);
    }).finally(() => ids.close());
  });
  printRecord(context, { import: name, ...summary, dry_run: trial }, given.json);
  requireNone(summary.refused);
}
