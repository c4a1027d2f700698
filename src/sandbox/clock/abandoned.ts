// Frees what a killed process left pending in any workspace: leases that nobody renews, waits that
// nobody ends. All of it becomes due at once; a process that is alive after all finds its lease
// lost and changes nothing.
import type { Database } from '../../db/index.ts';

const JOBS = [
  ...['attempt_job', 'transfer_job', 'dispute_answer_job', 'identity_job', 'payee_job'],
  'statement_cursor',
];
const NOTICES = ['processor_notice', 'vendor_notice'];

export const FREED: readonly string[] = [
  `update workspace set clock_lease = null, clock_leased_until = null where clock_lease
    is not null`,
  ...JOBS.map(
    (table) => `update ${table} set lease = null, leased_until = null where lease is not null`,
  ),
  ...NOTICES.map((table) => `update ${table} set posting = false, due = $now where posting`),
  ...['delivery', 'mail', 'operator_mail'].map(
    (table) => `update ${table} set lease = null, due = $now where lease is not null`,
  ),
  'delete from sandbox_wait',
];

/** Frees all in one transaction; only call it while no other process uses the database. */
export function freeLeft(db: Database): Promise<void> {
  return db.transaction(async (tx) => {
    for (const text of FREED) await tx.execute(text);
  });
}
