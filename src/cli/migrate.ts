// `holdfast migrate`: brings the database to this release's schema, as the role that owns it, and
// gives the server's role its rights. A production start only checks the schema.
import type { Command } from 'commander';
import { finishUpgrade, isFinished, UNFINISHED } from '../db/index.ts';
import type { CommandContext, Installation } from './context.ts';
import { addVerb, asOwner, withInstallation, type VerbArguments } from './installation.ts';

const ONE_ROLE =
  'DATABASE_URL connects as the owner of the tables: name the owner in HOLDFAST_OWNER_URL, and a ' +
  'role for the server in DATABASE_URL.';

interface Arguments extends VerbArguments {
  readonly finish?: boolean;
}

/** Adds the command `migrate`. */
export function addMigrate(program: Command, context: CommandContext): void {
  addVerb(program, 'migrate', "update the schema to this release's, and the server's rights")
    .option('--finish', 'also end the upgrade: nodes of the last release cannot serve afterwards')
    .action(async (given: Arguments) => {
      await withInstallation(given.env, context, 'by the owner', async (installation) => {
        const { env, brought, db } = installation;
        if (given.finish === true) await finish(installation);
        const { applied = [], role = null } = brought ?? {};
        const finished = await isFinished(db);
        if (given.json === true) {
          context.print(`${JSON.stringify({ applied, role, finished })}\n`);
          return;
        }
        if (applied.length === 0) context.print('Nothing to do: the schema is up to date.\n');
        for (const name of applied) context.print(`applied ${name}\n`);
        if (role === null && env === 'production') context.say(ONE_ROLE);
        if (role !== null) context.print(`rights of ${role} are set\n`);
        if (given.finish === true) context.print('the upgrade is finished\n');
        else if (!finished) context.say(UNFINISHED);
      });
    });
}

async function finish(installation: Installation): Promise<void> {
  const inTheWay = await asOwner(installation, (db) => db.ownTransaction(finishUpgrade));
  if (inTheWay !== null) throw new Error(inTheWay);
}
