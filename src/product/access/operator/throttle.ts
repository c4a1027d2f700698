// Slows down guessing, by the tried username, known or not, and by the address. Every try is
// counted before anything is compared, so that concurrent tries gain nothing.
import { sql, type Database, type Queryable } from '../../../db/index.ts';
import { purposeOf } from '../../../core/labels.ts';
import type { Keys } from '../../../providers/keys/port.ts';

/** The tried username, and from where. */
export interface Tried {
  readonly username: string;
  readonly address: string;
}

/** Free tries before the first wait, and the longest wait in seconds. */
const OF_NAME = { free: 5, longest: 900 } as const;
const OF_ADDRESS = { free: 30, longest: 300 } as const;
/** The first wait in seconds; each further wrong try doubles it. */
const FIRST_WAIT = 15;

function subjectsOf(keys: Keys, { username, address }: Tried): [string, string] {
  return [
    keys.mac(purposeOf('operatorThrottle'), `name:${username}`),
    keys.mac(purposeOf('operatorThrottle'), `address:${address}`),
  ];
}

export interface Counted {
  /** Seconds to wait; 0: go on. */
  readonly wait: number;
  /** True for the try that used up the free ones of the username. */
  readonly lastFree: boolean;
}

/** Counts a try; during a wait nothing is counted. */
export async function countTry(db: Database, keys: Keys, tried: Tried): Promise<Counted> {
  const [name, address] = subjectsOf(keys, tried);
  return db.transaction(async (tx) => {
    await tx.execute(`delete from operator_throttle where subject in (
      select subject from operator_throttle
      where updated < $now - interval '1 day' limit 50 for update skip locked)`);
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
  await tx.query(sql`
    insert into operator_throttle (subject, tries) values (${subject}, 0) on conflict do nothing`);
  // Locked before it is read, so that concurrent tries are counted one by one.
  const [held] = await tx.query<{ wait: number }>(sql`
    select coalesce(ceil(extract(epoch from until - clock_timestamp())), 0)::int4 as wait
    from operator_throttle where subject = ${subject} for update`);
  // A try during a wait changes nothing, so that hammering does not prolong it.
  if (held !== undefined && held.wait > 0) return { wait: held.wait, tries: 0 };
  const [counted] = await tx.query<{ tries: number }>(sql`
    update operator_throttle set tries = tries + 1, updated = $now,
      until = case when tries + 1 >= ${free}::int4 then $now + make_interval(secs =>
        least(${longest}::int4, ${FIRST_WAIT}::int4 * power(2, least(20,
        tries + 1 - $1::int4)))) end
    where subject = ${subject} returning tries`);
  return { wait: 0, tries: counted?.tries ?? 0 };
}

/** After a successful sign-in: clears the username, and takes back the try of the address. */
export async function forgetTries(tx: Queryable, keys: Keys, tried: Tried): Promise<void> {
  const [name, address] = subjectsOf(keys, tried);
  await tx.query(sql`delete from operator_throttle where subject = ${name}`);
  await tx.query(sql`update operator_throttle set tries = greatest(0, tries - 1), until = null
    where subject = ${address}`);
}

/** Ends the wait of a username, for an administrator. */
export async function freeName(tx: Queryable, keys: Keys, username: string): Promise<void> {
  const [name] = subjectsOf(keys, { username, address: '' });
  await tx.query(sql`delete from operator_throttle where subject = ${name}`);
}
