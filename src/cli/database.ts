// The database of a short verb (migrate, tenant create): DATABASE_URL, or the embedded server,
// which may already be running under a start. Answers for a URL and for leaving things as they
// were.
import { joinEmbedded } from '../db/embedded/index.ts';
import type { DataPlan } from './arguments.ts';
import type { CommandContext } from './context.ts';

/** Gives the work a connection URL and stops afterwards what was started for it. */
export async function withDatabase<R>(
  plan: DataPlan,
  context: CommandContext,
  work: (url: string) => Promise<R>,
): Promise<R> {
  if (plan.databaseUrl !== null) return work(plan.databaseUrl);
  const server = await joinEmbedded({
    dataDir: plan.dataDir,
    programsDir: plan.programsDir,
    ephemeral: false,
    log: context.say,
  });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}
