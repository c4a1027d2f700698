// Holds up whoever guesses: by the name that is tried, known or not, and by the address it is tried
// from. Answers for every try being counted before anything is compared, so that many at once gain
// nothing. Refuses to know whether a name exists.
import type { Database, Queryable } from '../../db/index.ts';
import type { Keys } from '../../ports/keys.ts';

/** What is tried: whose name, from where. */
export interface Tried {
  readonly username: string;
  readonly address: string;
}

/** Tries before the first wait, and the longest wait in seconds. */
const OF_NAME = { free: 5, longest: 900 } as const;
const OF_ADDRESS = { free: 30, longest: 300 } as const;
/** The first wait; each further try that is wrong doubles it. */
const FIRST_WAIT = 15;

function subjectsOf(keys: Keys, { username, address }: Tried): [string, string] {
  return [
    keys.mac('operator-throttle', `name:${username}`),
    keys.mac('operator-throttle', `address:${address}`),
  ];
}

/** What counting a try said. */
export interface Counted {
  /** Seconds to wait; 0: go on. */
  readonly wait: number;
  /** True when this try was the one that ended the free ones of the name. */
  readonly lastFree: boolean;
}

/** Counts a try. While somebody is held up nothing is counted. */
export async function countTry(db: Database, keys: Keys, tried: Tried): Promise<Counted> {
  const [name, address] = subjectsOf(keys, tried);
  return db.transaction(async (tx) => {
    await tx.execute(`delete from operator_throttle where subject in (
      select subject from operator_throttle
      where updated < clock_timestamp() - interval '1 day' limit 50 for update skip locked)`);
    const byName = await count(tx, name, OF_NAME);
    const byAddress = await count(tx, address, OF_ADDRESS);
    return {
      wait: Math.max(byName.wait, byAddress.wait),
      lastFree: byName.wait === 0 && byName.tries === OF_NAME.free,
    };
  });
}

async function count(
  tx: Queryable,
  subject: string,
  { free, longest }: { readonly free: number; readonly longest: number },
): Promise<{ wait: number; tries: number }> {
  await tx.query({
    text: 'insert into operator_throttle (subject, tries) values ($1, 0) on conflict do nothing',
    values: [subject],
  });
  // Locked before it is looked at: many tries at once come one after the other.
  const [held] = await tx.query<{ wait: number }>({
    text: `select coalesce(ceil(extract(epoch from until - clock_timestamp())), 0)::int4 as wait
      from operator_throttle where subject = $1 for update`,
    values: [subject],
  });
  // A try that is held up changes nothing, so that hammering does not make the wait longer.
  if (held !== undefined && held.wait > 0) return { wait: held.wait, tries: 0 };
  const [counted] = await tx.query<{ tries: number }>({
    text: `update operator_throttle set tries = tries + 1, updated = clock_timestamp(),
        until = case when tries + 1 >= $2::int4 then clock_timestamp() + make_interval(secs =>
          least($3::int4, $4::int4 * power(2, least(20, tries + 1 - $2::int4)))) end
      where subject = $1 returning tries`,
    values: [subject, free, longest, FIRST_WAIT],
  });
  return { wait: 0, tries: counted?.tries ?? 0 };
}

/** After a sign-in that went well: the name is free again, and the try was not the address's. */
export async function forgetTries(tx: Queryable, keys: Keys, tried: Tried): Promise<void> {
  const [name, address] = subjectsOf(keys, tried);
  await tx.query({ text: 'delete from operator_throttle where subject = $1', values: [name] });
  await tx.query({
    text: `update operator_throttle set tries = greatest(0, tries - 1), until = null
      where subject = $1`,
    values: [address],
  });
}

/** Lets a name be tried at once, as an administrator wants it. */
export async function freeName(tx: Queryable, keys: Keys, username: string): Promise<void> {
  const [name] = subjectsOf(keys, { username, address: '' });
  await tx.query({ text: 'delete from operator_throttle where subject = $1', values: [name] });
}
