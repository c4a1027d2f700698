// `holdfast migrate`: brings the database to this release's schema, as the role that owns it, and
// gives the server's role its rights; a production start only checks the schema. `holdfast
// restored`: an operator reports that the database was restored to an earlier time, so that readers
// of the event stream learn from which number to read again.
import type { Command } from 'commander';
import { finishUpgrade, isFinished, UNFINISHED } from '../db/index.ts';
import type { CommandContext, Installation } from './context.ts';
import { addVerb, asOwner, printRecord, withInstallation } from './installation.ts';
import type { VerbArguments } from './installation.ts';
import { beginEpoch } from '../product/tell/webhook/index.ts';

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
        if (applied.length === 0) context.print('The schema is up to date.\n');
        for (const name of applied) context.print(`applied ${name}\n`);
        if (role === null && env === 'production') context.say(ONE_ROLE);
        if (role !== null) context.print(`rights of ${role} are set\n`);
        if (given.finish === true) context.print('the upgrade is finished\n');
        else if (!finished) context.say(UNFINISHED);
      });
    });
}

async function finish(installation: Installation): Promise<void> {
  const inTheWay = await asOwner(installation, (db) => {
    return db.ownTransaction((tx) => finishUpgrade(tx, 'concurrently'));
  });
  if (inTheWay !== null) throw new Error(inTheWay);
}

interface RestoredArguments extends VerbArguments {
  readonly to?: string;
}

/** Adds the command. */
export function addRestored(program: Command, context: CommandContext): void {
  addVerb(
    program,
    'restored',
    'start a new event epoch after a restore, so that readers resynchronize',
  )
    .option('--to <time>', 'the time it was restored to, such as 2026-03-01T12:00:00Z')
    .action(async (given: RestoredArguments) => {
      const to = readMoment(given.to);
      const made = await withInstallation(given.env, context, true, async (installation) => {
        if (to === null) await requireAlone(installation);
        return beginEpoch(installation.db, installation.random.uuid(), to);
      });
      printRecord(context, { ...made, to: to?.toISOString() ?? 'as it is' }, given.json);
    });
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

function readMoment(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const moment = new Date(text);
  if (!MOMENT.test(text) || Number.isNaN(moment.getTime())) {
    throw new Error('--to must be a time with its zone, such as 2026-03-01T12:00:00Z.');
  }
  if (moment.getTime() > Date.now()) throw new Error('--to must be in the past.');
  return moment;
}

/** Events sealed since the restore would be mistaken for events from before it. */
async function requireAlone({ db }: Installation): Promise<void> {
  const nodes = await db.query(
    `select from pg_stat_activity where datname = current_database()
      and application_name like 'holdfast %' and application_name <> 'holdfast cli'`,
  );
  if (nodes.length === 0) return;
  throw new Error(
    'Nodes are running on this database: stop them first, or give the restore time with --to.',
  );
}
