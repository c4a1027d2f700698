// Method entries: how many cards and accounts an account may enter at the processor, and the row
// that is stored before anything can come of an entry. [PD4]
import { prepared, raw, sql, type Queryable, type Transaction } from '../../../db/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { accountNotFoundInBody, refusals as account } from '../../people/account/index.ts';
import { refusals } from './refusals.ts';

/** Active cards and accounts of one account. */
export const METHODS_MAX = 20;
/** Entries of one account that are open at a time. */
export const OPEN_ENTRIES_MAX = 10;
/** Minutes in which an entry can be attached: a few more than its page is valid. */
const ENTRY_MINUTES = 25;
/** Days that an entry is kept after it has expired, so that a repetition is still answered. */
const KEPT_DAYS = 1;

interface Room {
  readonly blocked: boolean;
  readonly active: number;
  readonly open: number;
}

/**
 * Throws a Refusal where the account is blocked or has no room for one more. An open entry takes up
 * a place, so that all open ones can be finished; it counts for a minute longer than it can be
 * attached, since attaching may be under way.
 */
export async function requirePlace(db: Queryable, workspace: number, uuid: string): Promise<void> {
  const [room] = await db.query<Room>(prepared('method_entry_room')`select a.blocked,
      (select count(*) from payment_method m where m.workspace = a.workspace
      and m.account_id = a.id
        and m.pm_state = 'ACTIVE' and m.provider not in ('wallet', 'once')
        and m.only_for is null)::int as active,
      (select count(*) from method_entry e where e.workspace = a.workspace and e.account_id = a.id
        and e.payment_method_id is null
        and e.expires + interval '1 minute' > clock_timestamp() + w.clock_offset)::int as open
    from account a join workspace w using (workspace) where a.workspace = ${workspace}
      and a.id = ${uuid}`);
  if (room === undefined) throw refuse(accountNotFoundInBody);
  if (room.blocked) throw refuse(account.ACCOUNT_BLOCKED);
  if (room.active >= METHODS_MAX) throw refuse(refusals.PAYMENT_METHOD_LIMIT);
  if (room.open >= OPEN_ENTRIES_MAX || room.active + room.open >= METHODS_MAX) {
    throw refuse(refusals.PAYMENT_METHOD_ENTRY_LIMIT);
  }
}

export interface NewEntry {
  readonly workspace: number;
  readonly id: string;
  /** UUID of the account. */
  readonly account: string;
  readonly kind: string;
  /** The processor's own id of the entry. */
  readonly processorEntry: string;
}

/** Stores an entry; one at a time for each account, so that the count of open ones is exact. */
export async function keepEntry(tx: Transaction, entry: NewEntry): Promise<void> {
  const { workspace, id, account: uuid, kind, processorEntry } = entry;
  await tx.execute({
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    values: [`method_entry:${workspace}:${uuid}`],
  });
  await tx.execute(sql`
    delete from method_entry where workspace = ${workspace} and account_id = ${uuid}
    and expires < (select $now + clock_offset from workspace where workspace = $1)
      - interval '${raw(KEPT_DAYS)} days'`);
  await requirePlace(tx, workspace, uuid);
  await tx.execute({
    text: `insert into method_entry (workspace, id, account_id, kind, processor_entry, created,
      expires)
      select workspace, $2, $3, $4, $5, clock_timestamp() + clock_offset,
        clock_timestamp() + clock_offset + interval '${ENTRY_MINUTES} minutes'
      from workspace where workspace = $1`,
    values: [workspace, id, uuid, kind, processorEntry],
  });
}

export interface KeptEntry {
  readonly processor_entry: string;
  readonly attached: boolean;
}

/** An account's entry, or null. */
export async function entryOf(
  db: Queryable,
  workspace: number,
  uuid: string,
  id: string,
): Promise<KeptEntry | null> {
  const rows = await db.query<KeptEntry>(prepared('method_entry_of')`
    select processor_entry, payment_method_id is not null as attached from method_entry
    where workspace = ${workspace} and account_id = ${uuid} and id = ${id}`);
  return rows[0] ?? null;
}
