// Stores persons for matching: enrols their statements, and removes an erased person. The
// statements are sealed with the person's own key; only hashes of combined fields can be searched.
// [G-53, PD3]
import type { Database, Transaction } from '../../../db/index.ts';
import { lineagePurpose } from '../../../core/labels.ts';
import type { Random } from '../../../core/random.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { ERASED, openSealer, type PersonSealer } from '../account/index.ts';
import { blockingKeysOf } from './blocking-keys.ts';
import { bigintOf, countedKeys, countPersons, openCounted, sealCounted } from './counts.ts';
import { featuresFrom, featuresTo, isSame, type Features } from './features.ts';

/** What one application stated about a person. */
export interface Statement {
  /** Id of the application. */
  readonly application: string;
  readonly features: Features;
}

/** The most differing statements stored for a person; older ones are dropped. */
const STATEMENTS = 8;
/** Persons counted anew in one round. */
const COUNTED_AT_ONCE = 100;

/** Opens a person's statements, newest last. */
export function openStatements(
  sealer: PersonSealer,
  account: string,
  sealed: Buffer,
): Statement[] {
  const plain = sealer.openBytes('statements', account, sealed).toString('utf8');
  const rows = JSON.parse(plain) as (readonly [string, ...string[]])[];
  return rows.map(([application, ...texts]) => ({ application, features: featuresFrom(texts) }));
}

/** Seals a person's statements. */
export function sealStatements(
  sealer: PersonSealer,
  account: string,
  statements: readonly Statement[],
): Buffer {
  const rows = statements.map((one) => [one.application, ...featuresTo(one.features)]);
  return sealer.sealBytes('statements', account, Buffer.from(JSON.stringify(rows), 'utf8'));
}

/** The keyed hashes of a person's blocking keys in a workspace, as PostgreSQL bigints. */
export function keysOf(keys: Keys, workspace: number, features: Features): string[] {
  const purpose = lineagePurpose('match', keys.lineageOf(workspace));
  return blockingKeysOf(features).map((text) => bigintOf(keys.mac(purpose, text)).toString());
}

export interface StoreParts {
  readonly db: Database;
  readonly keys: Keys;
  readonly random: Random;
}

/** Whose statement it is. */
export interface Whose {
  readonly workspace: number;
  readonly account: string;
}

interface PersonRow {
  readonly wrapped_key: string;
  readonly sealed: Buffer | null;
  readonly counted: Buffer | null;
}

/**
 * Enrols a person's statement, so that it can be found; repeating changes nothing. False for an
 * erased person.
 */
export function enrol(
  parts: StoreParts,
  { workspace, account }: Whose,
  statement: Statement,
): Promise<boolean> {
  return parts.db.transaction(async (tx) => {
    const row = await lockPerson(tx, workspace, account);
    if (row === null || row.wrapped_key === ERASED) return false;
    const sealer = await openSealer(parts, workspace, account, row);
    const known = row.sealed === null ? [] : openStatements(sealer, account, row.sealed);
    if (known.some(({ application }) => application === statement.application)) return true;
    const others = known.filter(({ features }) => !isSame(features, statement.features));
    const kept = [...others, statement].slice(-STATEMENTS);
    await write(parts, tx, { workspace, account }, row, sealer, kept);
    return true;
  });
}

/** Writes a person's statements, whose latest is counted in place of an earlier one. */
async function write(
  parts: StoreParts,
  tx: Transaction,
  { workspace, account }: Whose,
  row: PersonRow,
  sealer: PersonSealer,
  statements: readonly Statement[],
): Promise<void> {
  const { keys } = parts;
  const latest = statements.at(-1) as Statement;
  const counted = countedKeys(keys, workspace, latest.features);
  await tx.execute({
    name: 'match_enrol',
    text: `insert into match_person (workspace, id, sealed, keys, counted)
      values ($1, $2, $3, $4::bigint[], $5)
      on conflict (workspace, id) do update
        set sealed = excluded.sealed, keys = excluded.keys, counted = excluded.counted`,
    values: [
      workspace,
      account,
      sealStatements(sealer, account, statements),
      [...new Set(statements.flatMap(({ features }) => keysOf(keys, workspace, features)))],
      sealCounted(parts, workspace, account, counted),
    ],
  });
  const before = openCounted(keys, workspace, account, row.counted);
  const removed = before.length === 0 ? [] : [before];
  await countPersons(tx, workspace, { added: [counted], removed });
}

/**
 * Serializes work on one person: a concurrent erasure waits, or is already done. What is stored is
 * read once the lock is held; read with it, it would be as it was before another let go.
 */
async function lockPerson(
  tx: Transaction,
  workspace: number,
  account: string,
): Promise<PersonRow | null> {
  const values = [workspace, account];
  const [person] = await tx.query<Pick<PersonRow, 'wrapped_key'>>({
    name: 'match_person_lock',
    text: `select wrapped_key from account_person
      where workspace = $1 and id = $2 for no key update`,
    values,
  });
  if (person === undefined) return null;
  const [stored] = await tx.query<Pick<PersonRow, 'sealed' | 'counted'>>({
    name: 'match_person_stored',
    text: 'select sealed, counted from match_person where workspace = $1 and id = $2',
    values,
  });
  return { ...person, ...(stored ?? { sealed: null, counted: null }) };
}

/**
 * Removes an erased person: the blob, every hash, and every match that names them, also of others.
 * Repeating finds nothing. [PD3]
 */
export async function forgetMatching(
  db: Pick<Database, 'execute'>,
  workspace: number,
  account: string,
): Promise<void> {
  const values = [workspace, account];
  for (const text of [
    'delete from match_person where workspace = $1 and id = $2',
    'delete from match_check where workspace = $1 and account_id = $2',
    'delete from match_check where workspace = $1 and matched_account_id = $2',
    'delete from match_job where workspace = $1 and account_id = $2',
  ]) {
    await db.execute({ text, values });
  }
}

/**
 * Takes persons who are gone off the counts, and counts those whom an earlier release stored; gives
 * how many. Safe in several processes.
 */
export async function countWaiting(parts: StoreParts): Promise<number> {
  const { db, keys } = parts;
  const gone = await db.transaction(async (tx) => {
    const rows = await tx.query<Whose & { counted: Buffer }>({
      name: 'match_uncount_due',
      text: `delete from match_uncount where (workspace, id) in (
          select workspace, id from match_uncount order by workspace, id limit ${COUNTED_AT_ONCE})
        returning workspace, account_id as account, counted`,
      values: [],
    });
    for (const [workspace, of] of Map.groupBy(rows, (row) => row.workspace)) {
      const removed = of.map((row) => openCounted(keys, workspace, row.account, row.counted));
      await countPersons(tx, workspace, { added: [], removed });
    }
    return rows.length;
  });
  const waiting = await db.query<Whose>({
    name: 'match_uncounted',
    text: `select m.workspace, m.id as account from match_person m
      join account_person p on p.workspace = m.workspace and p.id = m.id
      where m.counted is null and p.wrapped_key <> '${ERASED}' limit ${COUNTED_AT_ONCE}`,
    values: [],
  });
  for (const whose of waiting) await recount(parts, whose);
  return gone + waiting.length;
}

/** Stores a person anew as this release does. */
function recount(parts: StoreParts, whose: Whose): Promise<void> {
  const { workspace, account } = whose;
  return parts.db.transaction(async (tx) => {
    const row = await lockPerson(tx, workspace, account);
    if (row === null || row.wrapped_key === ERASED || row.sealed === null) return;
    if (row.counted !== null) return;
    const sealer = await openSealer(parts, workspace, account, row);
    await write(parts, tx, whose, row, sealer, openStatements(sealer, account, row.sealed));
  });
}
