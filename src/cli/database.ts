// The database of a short command: DATABASE_URL, or the embedded server, which a `start` may
// already be running.
import { joinEmbedded } from '../db/embedded/index.ts';
import type { DataPlan } from './arguments.ts';
import type { CommandContext } from './context.ts';

/** Calls the work with a connection URL and stops afterwards what was started for it. */
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
