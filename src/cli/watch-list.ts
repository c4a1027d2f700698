// `holdfast watch-list load`: persons whose applications need a review. Names are neither printed
// nor stored: only keyed encodings are.
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { loadWatchList, readWatchList } from '../product/people/identity/index.ts';
import { findWorkspace } from '../product/tenant/tenant/index.ts';
import { isUuid } from '../core/ids.ts';
import type { CommandContext } from './context.ts';
import { printRecord, withInstallation } from './installation.ts';

interface LoadArguments {
  readonly integrator: string;
  readonly json?: boolean;
  readonly env?: string;
}

/** Adds the commands below `watch-list`. */
export function addWatchList(program: Command, context: CommandContext): void {
  const list = program.command('watch-list').description('persons who need a manual review');
  list
    .command('load')
    .description("replace a tenant's watch-list")
    .argument('<file>', 'UTF-8; each line is a name, a semicolon and a date as YYYY-MM-DD')
    .requiredOption('--integrator <id>', "the tenant's id, as printed by tenant create")
    .option('--json', 'print one line of JSON')
    .option('--env <name>', 'staging (default) or production; also HOLDFAST_ENV')
    .action(async (file: string, given: LoadArguments) => {
      const persons = readWatchList(await readFile(file, 'utf8').catch(unreadable));
      const loaded = await withInstallation(given.env, context, true, async ({ db, keys }) => {
        const known = isUuid(given.integrator);
        const workspace = known ? await findWorkspace(db, given.integrator) : null;
        if (workspace === null) {
          throw new Error(
            'There is no such tenant: --integrator takes the id that tenant create printed.',
          );
        }
        return loadWatchList(db, keys, workspace, persons);
      });
      printRecord(context, { integrator: given.integrator, persons: loaded }, given.json);
    });
}

function unreadable(): never {
  throw new Error('The file cannot be read.');
}
