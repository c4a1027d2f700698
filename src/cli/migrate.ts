// `holdfast migrate`: brings the database to this release's schema before new nodes start. Every
// start does it too.
import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { addVerb, withInstallation } from './installation.ts';

/** Adds the command `migrate`. */
export function addMigrate(program: Command, context: CommandContext): void {
  addVerb(program, 'migrate', "update the database to this release's schema")
    .action(async (given: { json?: boolean; env?: string }) => {
      await withInstallation(given.env, context, true, async ({ applied }) => {
        if (given.json === true) context.print(`${JSON.stringify({ applied })}\n`);
        else if (applied.length === 0) context.print('Nothing to do: the schema is up to date.\n');
        else for (const name of applied) context.print(`applied ${name}\n`);
      });
    });
}
