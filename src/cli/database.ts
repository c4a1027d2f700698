// The database of a short command: DATABASE_URL, or the embedded server, which a `start` may
// already be running.
import { joinEmbedded } from '../db/embedded/index.ts';
import type { DataPlan } from './arguments.ts';
import type { CommandContext } from './context.ts';

/** How to connect: as the server's role, and as the owner where that is another. */
export interface DatabaseUrls {
  readonly url: string;
  readonly ownerUrl: string | null;
}

/** Calls the work with connection URLs and stops afterwards what was started for it. */
export async function withDatabase<R>(
  plan: DataPlan,
  context: CommandContext,
  work: (urls: DatabaseUrls) => Promise<R>,
): Promise<R> {
  const { databaseUrl, ownerUrl } = plan;
  if (databaseUrl !== null) return work({ url: databaseUrl, ownerUrl });
  const server = await joinEmbedded({
    dataDir: plan.dataDir,
    programsDir: plan.programsDir,
    ephemeral: false,
    log: context.say,
  });
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}
