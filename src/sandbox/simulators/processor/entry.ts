// Stored entries: each begins with a secret URL and ends once, with or without a token.
import { hash } from 'node:crypto';
import { prepared, raw, type Database, type Queryable } from '../../../db/index.ts';
import type { Random } from '../../../core/random.ts';
import { refuse } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import type { CardToken } from '../../../providers/processor/port.ts';
import { storeCard } from './cards.ts';
import type { BeginEntryBody, EntryAnswer, FinishEntryBody } from './entry-protocol.ts';
import type { Look } from './retrieve.ts';
import { refusals } from './refusals.ts';
import { TEST_ACCOUNTS } from './test-accounts.ts';
import type { Attachable } from './test-cards.ts';

const SECRET_BYTES = 24;
const MINUTES = 20;
/** Days for which an ended entry can still be retrieved. */
const KEPT_DAYS = 1;

/** The routing number of the test bank. */
export const TEST_ROUTING = '110000000';
/** Prefix of test account numbers, before their last four digits. */
const ACCOUNT_HEAD = '00012345';

/** One entry. */
export interface Entry extends Look {
  readonly workspace: number;
  readonly id: string;
  readonly kind: 'card' | 'bank' | 'paypal';
  readonly state: 'open' | 'stored' | 'cancelled';
  readonly parent_origin: string;
  readonly ancestors: readonly string[];
  readonly return_url: string | null;
  readonly label: string;
  readonly ended: boolean;
  readonly brand: string | null;
  readonly last4: string | null;
}

/** A begun entry; its secret is only in its page's URL. */
export interface BegunEntry {
  readonly id: string;
  readonly secret: string;
  readonly expires: Instant;
}

/** The number of a test account at the test bank. */
export function accountNumber(last4: string): string {
  return ACCOUNT_HEAD + last4;
}

/** Begins an entry in a workspace; deletes those that ended long ago. */
export async function beginEntry(
  db: Database,
  random: Random,
  workspace: number,
  body: BeginEntryBody,
): Promise<BegunEntry> {
  const secret = random.bytes(SECRET_BYTES).toString('base64url');
  const id = `entry_${random.uuid()}`;
  await db.execute(prepared('processor_forget_entries')`delete from processor_entry
    where expires < $now - interval '${raw(KEPT_DAYS)} days'`);
  const { kind, parent_origin, ancestors, return_url, look, label } = body;
  const { background, primary, dir } = look;
  const [row] = await db.query<{ expires: Instant }>({
    name: 'processor_begin_entry',
    text: `insert into processor_entry (workspace, id, secret_hash, kind, parent_origin, ancestors,
        return_url, background, primary_colour, dir, label, expires)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
        workspace_now($1) + interval '${MINUTES} minutes')
      returning expires`,
    values: [
      ...[workspace, id, hash('sha256', secret), kind, parent_origin, ancestors],
      ...[return_url, background, primary, dir, label],
    ],
  });
  if (row === undefined) throw new Error('an entry was not begun');
  return { id, secret, expires: row.expires };
}

const COLUMNS = `e.workspace, e.id, e.kind, e.state, e.parent_origin, e.ancestors, e.return_url,
  e.dir,
  e.background, e.primary_colour as primary, e.label,
  e.expires <= workspace_now(e.workspace) as ended,
  c.brand, c.last4, c.expiry_year, c.expiry_month`;
const JOIN = 'left join processor_card c on c.workspace = e.workspace and c.token = e.token';

/** The entry whose page URL has that secret, or null. */
export async function entryOfSecret(db: Queryable, secret: string): Promise<Entry | null> {
  const rows = await db.query<Entry>(prepared('processor_entry_of_secret')`
    select ${raw(COLUMNS)} from processor_entry e ${raw(JOIN)}
      where e.secret_hash = ${hash('sha256', secret)}`);
  return rows[0] ?? null;
}

interface Expiry {
  readonly expiry_year: number;
  readonly expiry_month: number;
}

/** What only a card has; no two test numbers of a brand end alike. */
function factsOf(workspace: number, row: Pick<CardToken, 'brand' | 'last4'> & Expiry) {
  const { brand, last4, expiry_year, expiry_month } = row;
  if (!isCard(brand)) return {};
  const expires = `${expiry_year}-${String(expiry_month).padStart(2, '0')}`;
  const fingerprint = hash('sha256', `${workspace}/${brand}/${last4}`).slice(0, 32);
  return { expires, fingerprint };
}

function isCard(brand: string): boolean {
  return brand !== 'ach' && brand !== 'paypal';
}

/** The state of an entry, for the merchant that began it. */
export async function lookAtEntry(
  db: Queryable,
  workspace: number,
  id: string,
): Promise<EntryAnswer> {
  const rows = await db.query<Pick<Entry, 'state' | 'ended'> & CardToken & Expiry>(
    prepared('processor_look_at_entry')`
    select ${raw(COLUMNS)}, e.token from processor_entry e ${raw(JOIN)}
    where e.workspace = ${workspace} and e.id = ${id}`);
  const [row] = rows;
  if (row === undefined || (row.state === 'open' && row.ended)) return { state: 'absent' };
  if (row.state !== 'stored') return { state: row.state };
  const { token, brand, last4 } = row;
  return { state: 'stored', token, brand, last4, ...factsOf(workspace, row) };
}

/**
 * Stores what was entered and ends the entry; a repetition returns what was stored first. Refuses
 * numbers that are no test numbers, and entries that ended otherwise.
 */
export async function finishEntry(
  db: Database,
  random: Random,
  secret: string,
  body: FinishEntryBody,
): Promise<Entry> {
  const entry = await requireEntry(db, secret);
  if (entry.state === 'stored') return entry;
  if (entry.state === 'cancelled' || entry.ended) throw refuse(refusals.ENTRY_ENDED);
  const { token } = await storeEntered(db, random, entry, body);
  await db.execute(prepared('processor_finish_entry')`
    update processor_entry set state = 'stored', token = ${token}
    where workspace = ${entry.workspace} and id = ${entry.id} and state = 'open'`);
  const now = await requireEntry(db, secret);
  if (now.state !== 'stored') throw refuse(refusals.ENTRY_ENDED);
  return now;
}

/** Ends an open entry without a result; a finished one stays finished. */
export async function cancelEntry(db: Database, secret: string): Promise<Entry> {
  const entry = await requireEntry(db, secret);
  await db.execute(prepared('processor_cancel_entry')`update processor_entry set state = 'cancelled'
    where workspace = ${entry.workspace} and id = ${entry.id} and state = 'open'`);
  return requireEntry(db, secret);
}

async function requireEntry(db: Queryable, secret: string): Promise<Entry> {
  const entry = await entryOfSecret(db, secret);
  if (entry === null) throw refuse(refusals.ENTRY_PAGE_NOT_FOUND);
  return entry;
}

function storeEntered(
  db: Database,
  random: Random,
  { kind, workspace }: Entry,
  body: FinishEntryBody,
): Promise<CardToken> {
  if ('number' in body && kind === 'card') return storeCard(db, random, workspace, body);
  const account = accountEntered(kind, body);
  if (account === undefined) throw refuse(refusals.ACCOUNT_NOT_A_TEST_ACCOUNT);
  return storeCard(db, random, workspace, { test_card: account.name });
}

/** The test account that was entered; undefined for any other. */
function accountEntered(kind: Entry['kind'], body: FinishEntryBody): Attachable | undefined {
  if ('routing_number' in body && kind === 'bank') {
    const { routing_number: bank, account_number: number } = body;
    const known = TEST_ACCOUNTS.filter(({ brand }) => brand === 'ach' && bank === TEST_ROUTING);
    return known.find(({ last4 }) => accountNumber(last4) === number);
  }
  if ('login' in body && kind === 'paypal') {
    return TEST_ACCOUNTS.find(({ brand, name }) => brand === 'paypal' && name === body.login);
  }
  throw refuse(refusals.ENTRY_KIND_MISMATCH);
}
