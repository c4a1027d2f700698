// `holdfast restored`: an operator reports that the database was restored to an earlier time, so
// that readers of the event stream learn from which number to read again.
import type { Command } from 'commander';
import { beginEpoch } from '../product/tell/webhook/index.ts';
import type { CommandContext, Installation } from './context.ts';
import { addVerb, printRecord, withInstallation, type VerbArguments } from './installation.ts';

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
