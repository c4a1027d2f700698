// Reads of accounts, always within the caller's workspace. Personal fields are opened for one
// answer only.
import { prepared, raw, type Queryable } from '../../../db/index.ts';
import type { Caller } from '../../../core/operation.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import type { Instant } from '../../../core/time.ts';
import type { Services } from '../../context.ts';
import { MERGED } from './block.ts';
import { ERASED, openPerson, openSealer, type Person } from './person.ts';
import { refusals } from './refusals.ts';
import type { PersonSealer } from './sealer.ts';
import { accountUuid, renderBlock, type Block, type BlockRecord, type Merge } from './schema.ts';

/** An account with its sealed blob and blocks, read in one statement. */
export interface StoredAccount {
  readonly id: string;
  readonly blocked: boolean;
  readonly created: Instant;
  readonly wrapped_key: string;
  readonly sealed: string;
  /** JSON array of the active blocks. */
  readonly blocks: string;
}

const SELECT = `select a.id, a.blocked, a.created, p.wrapped_key, p.sealed, coalesce((
    select json_agg(json_build_object('id', b.id, 'capability', b.capability,
      'issuer', b.issuer, 'reason', b.reason) order by b.capability)
    from account_block b
    where b.workspace = a.workspace and b.account_id = a.id and b.state = 'ACTIVE'), '[]') as blocks
  from account a join account_person p on p.workspace = a.workspace and p.id = a.id`;

async function findBy(
  db: Queryable,
  column: 'id' | 'username_key',
  workspace: number,
  value: string,
): Promise<StoredAccount | null> {
  const [row] = await db.query<StoredAccount>(prepared(`account_by_${column}`)`
    ${raw(SELECT)} where a.workspace = ${workspace} and a.${raw(column)} = ${value}`);
  return row ?? null;
}

/** The account, or null. */
export async function findAccount(
  db: Queryable,
  workspace: number,
  id: string | null,
): Promise<StoredAccount | null> {
  return id === null ? null : findBy(db, 'id', workspace, id);
}

/** The account with that keyed username, or null. */
export function findByUsername(
  db: Queryable,
  workspace: number,
  key: string,
): Promise<StoredAccount | null> {
  return findBy(db, 'username_key', workspace, key);
}

/** True where the workspace has the account. */
export async function accountIs(db: Queryable, workspace: number, id: string): Promise<boolean> {
  const rows = await db.query(prepared('account_is')`
    select 1 from account where workspace = ${workspace} and id = ${id}`);
  return rows.length > 0;
}

type Parts = Pick<Services, 'db' | 'keys' | 'random'>;

/** The sealer of an account's person; null where the account is unknown or the person erased. */
export async function sealerOf(
  parts: Parts,
  workspace: number,
  id: string | null,
): Promise<PersonSealer | null> {
  const row = await findAccount(parts.db, workspace, id);
  if (row === null || row.wrapped_key === ERASED) return null;
  return openSealer(parts, workspace, row.id, row);
}

/** Opens an account's personal fields; null for an unknown account. */
export async function openAccount(
  parts: Parts,
  workspace: number,
  id: string,
): Promise<Person | null> {
  const row = await findAccount(parts.db, workspace, id);
  return row === null ? null : openPerson(parts, workspace, id, row);
}

/**
 * The UUID of an account in a path. A user or session token knows only its own account; for any
 * other, as for a malformed id, throws the refusal `unknown`. [G-11, G-12]
 */
export function ownAccountOnly(caller: Caller, wire: string, unknown: RefusalSpec): string {
  const id = accountUuid(wire);
  const other = caller.kind !== 'client' && caller.accountId !== wire;
  if (id === null || other) throw refuse(unknown);
  return id;
}

/** Merges from or into the account, oldest first. */
export async function mergesOf(db: Queryable, workspace: number, id: string): Promise<Merge[]> {
  return db.query<Merge>(prepared('merges_of')`select b.id, m.tag, m.other, b.created, b.updated
    from (select id, 'merged_to' as tag, merged_to as other from account
        where workspace = ${workspace} and id = ${id} and merged_to is not null
      union all select id, 'merged_from', id from account
        where workspace = $1 and merged_to = $2) m
    join account_block b on b.workspace = $1 and b.account_id = m.id
    and b.capability = '${raw(MERGED)}'
    order by b.created, b.id`);
}

/** The active blocks of an account as on the wire. */
export function blocksOf({ id, blocks }: StoredAccount): BlockRecord[] {
  return (JSON.parse(blocks) as Block[]).map((block) => renderBlock(id, block));
}

/** The account. Throws the refusal of an unknown id in a path for null. */
export function known(account: StoredAccount | null): StoredAccount {
  if (account === null) throw refuse(refusals.ACCOUNT_NOT_FOUND);
  return account;
}
