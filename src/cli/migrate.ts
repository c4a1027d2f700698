// `holdfast migrate`: brings the database to this release's schema, as the role that owns it, and
// gives the server's role its rights. A production start only checks the schema.
import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { addVerb, withInstallation } from './installation.ts';

const ONE_ROLE =
  'DATABASE_URL connects as the owner of the tables: name the owner in HOLDFAST_OWNER_URL, and a ' +
  'role for the server in DATABASE_URL.';

/** Adds the command `migrate`. */
export function addMigrate(program: Command, context: CommandContext): void {
  addVerb(program, 'migrate', "update the schema to this release's, and the server's rights")
    .action(async (given: { json?: boolean; env?: string }) => {
      await withInstallation(given.env, context, 'by the owner', async ({ env, brought }) => {
        const { applied = [], role = null } = brought ?? {};
        if (given.json === true) context.print(`${JSON.stringify({ applied, role })}\n`);
        else if (applied.length === 0) context.print('Nothing to do: the schema is up to date.\n');
        else for (const name of applied) context.print(`applied ${name}\n`);
        if (role === null && env === 'production') context.say(ONE_ROLE);
        else if (role !== null && given.json !== true) context.print(`rights of ${role} are set\n`);
      });
    });
}
