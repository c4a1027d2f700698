// Deletes what has expired: refresh tokens, revocations and old magic links.
import type { OAuthServices } from './services.ts';

/** How long an expired link is kept, so that its status can still be read. [G-14] */
const LINK_MEMORY_DAYS = 30;
const BATCH = 1_000;

const STATEMENTS: readonly string[] = [
  `delete from refresh_token where token_hash in (
    select token_hash from refresh_token where expires < $now limit ${BATCH})`,
  `delete from revoked_token where (kind, id) in (
    select kind, id from revoked_token where expires < $now limit ${BATCH})`,
  `delete from link where nonce_hash in (
    select l.nonce_hash from link l join workspace w using (workspace)
    where l.expires < $now - interval '${LINK_MEMORY_DAYS} days'
      -- By the clock of its workspace, which a copy of an old snapshot has behind ours.
      and l.expires < $now + w.clock_offset - interval '${LINK_MEMORY_DAYS} days'
    limit ${BATCH})`,
];

/** Deletes at most a thousand rows of each kind; gives how many. Run it until it gives 0. */
export async function forgetExpired(services: Pick<OAuthServices, 'db'>): Promise<number> {
  let gone = 0;
  for (const text of STATEMENTS) gone += await services.db.execute(text);
  return gone;
}
