// `holdfast watch-list`: persons whose applications need a review. `load` takes a tenant's own
// list, of which only keyed encodings are stored; `import` takes published lists for everybody.
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { screenAgain } from '../product/people/business/index.ts';
import { loadWatchList, peopleToScreen, readWatchList } from '../product/people/identity/index.ts';
import { dropList, importList, screeningStatus } from '../product/people/screening/index.ts';
import type { Queryable } from '../db/index.ts';
import type { CommandContext } from './context.ts';
import {
  addVerb,
  printRecord,
  unreadable,
  withInstallation,
  workspaceNamed,
  type VerbArguments,
} from './installation.ts';

interface ImportArguments extends VerbArguments {
  readonly list: string;
  readonly shrinks?: boolean;
}

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
  addVerb(list, 'import', "take a new version of a published list; everybody is screened again")
    .argument('<file>', "UTF-8; the columns of OpenSanctions' targets.simple.csv")
    .requiredOption('--list <name>', 'the name of the list, the same for each of its versions')
    .option('--shrinks', 'accept a version that lacks more than a tenth of the entries before')
    .action(async (file: string, given: ImportArguments) => {
      const { list: name, shrinks = false } = given;
      const pieces = createReadStream(file, 'utf8');
      await once(pieces, 'ready').catch(unreadable);
      const done = await withInstallation(given.env, context, true, ({ db }) =>
        importList(db, { list: name, pieces, shrinks }),
      );
      printRecord(context, { ...done }, given.json);
    });
  addVerb(list, 'drop', 'screen against a list no longer, and end its open hits')
    .requiredOption('--list <name>', 'the name of the list')
    .action(async ({ list: name, ...given }: ImportArguments) => {
      const done = await withInstallation(given.env, context, true, (parts) =>
        dropList(parts, name, 'operator'),
      );
      if (done === null) throw new Error('There is no watch-list of this name.');
      printRecord(context, { ...done }, given.json);
    });
  addVerb(list, 'status', 'print the lists in force and how far screening again is')
    .action((given: VerbArguments) => withInstallation(given.env, context, false, ({ db }) =>
      printStatus(context, db, given.json),
    ));
  addVerb(list, 'screen', 'screen everybody who is due now, here; it can be stopped and goes on')
    .action((given: VerbArguments) => withInstallation(given.env, context, true, async (parts) => {
      while ((await screenAgain(parts)) > 0);
      await printStatus(context, parts.db, given.json);
    }));
}

/** The version of each list, and the progress of each workspace. */
async function printStatus(
  context: CommandContext,
  db: Queryable,
  json: boolean | undefined,
): Promise<void> {
  const [{ lists, runs: all }, totals] = [await screeningStatus(db), await peopleToScreen(db)];
  const runs = all.map((run) => ({ ...run, total: totals.get(run.workspace) ?? 0 }));
  if (json === true) return printRecord(context, { lists, runs }, true);
  for (const { list, version, entries, imported } of lists) {
    const says = `version ${version}, ${entries} entries, imported ${imported}`;
    printRecord(context, { list, says }, false);
  }
  for (const { workspace, screened, total, found, ended } of runs) {
    const says = ended ? `${screened}, done` : `${screened} of ${total}`;
    printRecord(context, { workspace, screened: says, found }, false);
  }
}
