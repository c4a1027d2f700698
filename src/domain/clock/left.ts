// What a process that was killed left behind in its world's way: turns and leases that nobody
// renews, waits that nobody ends. Answers for all of it being due at once; whoever lives after all
// finds its turn lost and moves nothing. Refuses to know who lives.
import type { Database } from '../../db/index.ts';

const JOBS = ['attempt_job', 'remittance_job', 'identity_job', 'statement_cursor'];
const NOTICES = ['processor_notice', 'vendor_notice'];

/** What frees it. */
export const FREED: readonly string[] = [
  `update world set clock_lease = null, clock_leased_until = null where clock_lease is not null`,
  ...JOBS.map(
    (table) => `update ${table} set lease = null, leased_until = null where lease is not null`,
  ),
  ...NOTICES.map((table) => `update ${table} set posting = false, due = now() where posting`),
  `update delivery set lease = null, due = now() where lease is not null`,
  'delete from sandbox_wait',
];

/** Frees it, in one commit; to be called where no other process works on the database. */
export function freeLeft(db: Database): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.together(() => Promise.all(FREED.map((text) => tx.execute({ text }))));
  });
}
