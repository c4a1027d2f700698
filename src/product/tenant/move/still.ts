// Waits until nothing writes for a frozen tenant any more: transactions that began before the
// freeze, nodes that have not heard of it, and requests to its receivers that are under way.
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../db/index.ts';

const LOOK_MS = 50;
const PATIENCE_MS = 4_000;
/** For receivers: what is under way for longer may be delivered once more, as after any crash. */
const RECEIVERS_MS = 2_000;

/** Who could have seen the workspace without its end, or has written anything. */
const OPEN = `select distinct virtualtransaction as open from pg_locks
  where pid in (select pid from pg_stat_activity where datname = current_database()
      and pid <> pg_backend_pid())
    and (locktype = 'transactionid' or (locktype = 'relation'
      and database = (select oid from pg_database where datname = current_database())
      and relation = 'workspace'::regclass))`;

/** Resolves when the tenant is still. Throws a sentence where that takes too long. */
export async function untilStill(db: Database, workspace: number, frozen: number): Promise<void> {
  const before = await db.query<{ open: string }>(OPEN);
  const old = before.map(({ open }) => open);
  const others = `select from pg_locks where virtualtransaction = any($1)`;
  await until('A transaction has been open for too long there: try again when it has ended.',
    async () => (await db.query({ text: others, values: [old] })).length === 0);
  // A node reads what is frozen after each beat: by the second one it knows.
  const heard = new Map<string, number>();
  await until('A node does not answer: try again.', async () => {
    const rows = await db.query<{ id: string; beat: number }>(
      `select id::text, extract(epoch from at)::float8 as beat from node
        where at > clock_timestamp() - interval '5 s'`,
    );
    return rows.every(({ id, beat }) => {
      if (beat <= frozen) return false;
      const first = heard.get(id) ?? beat;
      heard.set(id, first);
      return beat > first;
    });
  });
  const sending = `select from delivery where workspace = $1 and lease is not null
    and due > clock_timestamp() limit 1`;
  const isStill = async (): Promise<boolean> =>
    (await db.query({ text: sending, values: [workspace] })).length === 0;
  await until(null, isStill, RECEIVERS_MS);
}

async function until(
  otherwise: string | null,
  over: () => Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await over())) {
    if (performance.now() > end) {
      if (otherwise === null) return;
      throw new Error(otherwise);
    }
    await pause(LOOK_MS);
  }
}
