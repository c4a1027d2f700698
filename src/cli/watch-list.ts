// `holdfast watch-list load`: persons whose applications need a review. Names are neither printed
// nor stored: only keyed encodings are.
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { loadWatchList, readWatchList } from '../product/people/identity/index.ts';
import type { CommandContext } from './context.ts';
import { addVerb, printRecord, withInstallation, type VerbArguments } from './installation.ts';
import { workspaceNamed } from './tenant.ts';

interface LoadArguments extends VerbArguments {
  readonly integrator: string;
}

/** Adds the commands below `watch-list`. */
export function addWatchList(program: Command, context: CommandContext): void {
  const list = program.command('watch-list').description('persons who need a manual review');
  addVerb(list, 'load', "replace a tenant's watch-list")
    .argument('<file>', 'UTF-8; each line is a name, a semicolon and a date as YYYY-MM-DD')
    .requiredOption('--integrator <id>', "the tenant's id, as printed by tenant create")
    .action(async (file: string, given: LoadArguments) => {
      const persons = readWatchList(await readFile(file, 'utf8').catch(unreadable));
      const loaded = await withInstallation(given.env, context, true, async ({ db, keys }) => {
        const workspace = await workspaceNamed(db, given.integrator);
        return loadWatchList(db, keys, workspace, persons);
      });
      printRecord(context, { integrator: given.integrator, persons: loaded }, given.json);
    });
}

function unreadable(): never {
  throw new Error('The file cannot be read.');
}
