// Imports a version of a watch-list from a CSV file in pieces, whole or not at all. An entry that
// says the same as before keeps its row, so only what is new or changed is screened again.
import { sql, type Database, type Transaction } from '../../../db/index.ts';
import { audit } from '../../tell/audit/index.ts';
import { CsvError, readCsv } from './csv.ts';
import { digestOf, entryReader, type Entry } from './entry.ts';
import {
  keysOfName,
  keysOfOrganization,
  keysOfYears,
  wordsOfOrganization,
  wordsOfPerson,
} from './names.ts';
import { schedule } from './run.ts';

const BATCH = 500;
/** The share of a list's entries that a new version may lack without being told so. */
const SHRINKS = 0.1;
const REPEATED = 'An id appears twice in the file.';

export interface ImportRequest {
  /** The list's name, chosen by the operator. */
  readonly list: string;
  readonly pieces: AsyncIterable<string>;
  /** True: a version that lacks many of the entries before is taken. */
  readonly shrinks: boolean;
}

/** What an import did. */
export interface Imported {
  readonly list: string;
  readonly version: number;
  readonly entries: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Imports; throws a `CsvError` and changes nothing where the file is not a whole list. */
export function importList(db: Database, request: ImportRequest): Promise<Imported> {
  return db.transaction(async (tx) => {
    await tx.execute(`select pg_advisory_xact_lock(hashtext('screening_list'))`);
    const { list } = request;
    const [made] = await tx.query<{ id: number; version: number }>(sql`
      insert into screening_list (list, version)
      select ${list}, coalesce(max(version), 0) + 1 from screening_list where list = $1
      returning id, version`);
    const { id, version } = made ?? { id: 0, version: 0 };
    const stored = await storeAll(tx, id, request);
    const removed = await removeOthers(tx, id, request);
    const counts = { ...stored, removed };
    await tx.execute(sql`
      update screening_list set entries = ${counts.entries}, added = ${counts.added},
        changed = ${counts.changed}, removed = ${removed}
      where id = ${id}`);
    const imported = { list, version, ...counts };
    const entry = { workspace: 0, actor: 'operator', act: 'watch_list_imported' } as const;
    await audit(tx, { ...entry, detail: imported });
    if (counts.added + counts.changed > 0) await schedule(tx, id);
    return imported;
  });
}

type Stored = Pick<Imported, 'entries' | 'added' | 'changed'>;

async function storeAll(tx: Transaction, id: number, request: ImportRequest): Promise<Stored> {
  const counts = { entries: 0, added: 0, changed: 0 };
  let read: ReturnType<typeof entryReader> | null = null;
  let batch: Entry[] = [];
  let row = 0;
  const flush = async (): Promise<void> => {
    const { added, changed } = await store(tx, id, request.list, batch);
    counts.entries += batch.length;
    counts.added += added;
    counts.changed += changed;
    batch = [];
  };
  for await (const fields of readCsv(request.pieces)) {
    row += 1;
    try {
      if (read === null) read = entryReader(fields);
      else batch.push(read(fields));
    } catch (error) {
      throw error instanceof CsvError ? new CsvError(`Row ${row}: ${error.message}`) : error;
    }
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  if (counts.entries === 0) throw new CsvError('The file has no entry.');
  return counts;
}

/** The years of the birth dates, each with its neighbours: others cannot be hits. */
function yearsOf({ births }: Entry): number[] {
  const years = births.map((day) => Number(day.slice(0, 4)));
  return [...new Set(years.flatMap((year) => [year - 1, year, year + 1]))];
}

/** Which release made the keys: those of another are made anew. No name sounds like it. */
export const KEYED = '=2';

/** All keys of an entry. */
export function keysOf(entry: Entry): string[] {
  const names = entry.names.map(wordsOfPerson);
  const keys = names.flatMap((words) => [
    ...keysOfName(words),
    ...keysOfYears(words, yearsOf(entry)),
  ]);
  const asOrganization =
    entry.schema === 'Person'
      ? []
      : entry.names.flatMap((name) => keysOfOrganization(wordsOfOrganization(name)));
  return [...new Set([KEYED, ...keys, ...asOrganization])];
}

async function store(
  tx: Transaction,
  id: number,
  list: string,
  entries: readonly Entry[],
): Promise<{ added: number; changed: number }> {
  const ids = entries.map((entry) => entry.id);
  if (new Set(ids).size < ids.length) throw new CsvError(REPEATED);
  const [counted] = await tx.query<{ added: number; changed: number; repeated: number }>({
    name: 'screening_entries_store',
    text: `with given as (
        select * from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
          $8::text[]) as g (entry, digest, schema, body, keys, years)
      ), sighted as (
        insert into screening_sighting as s (list, entry, import)
        select $2, entry, $1 from given
        on conflict (list, entry) do update set import = excluded.import
        where s.import <> excluded.import returning entry
      ), stored as (
        insert into screening_entry as e
          (list, entry, import, digest, schema, body, keys, years)
        select $2, entry, $1, digest, schema, body, string_to_array(keys, '|'),
          string_to_array(years, '|')::smallint[] from given
        on conflict (list, entry) do update set import = excluded.import, digest = excluded.digest,
          schema = excluded.schema, body = excluded.body, keys = excluded.keys,
          years = excluded.years
        where e.digest <> excluded.digest
        returning xmax = 0 as added
      )
      select (select count(*)::int from stored where added) as added,
        (select count(*)::int from stored where not added) as changed,
        (select count(*)::int from given) - (select count(*)::int from sighted) as repeated`,
    values: [
      ...[id, list, ids, entries.map(digestOf)],
      entries.map(({ schema }) => schema),
      entries.map((entry) => JSON.stringify(entry)),
      entries.map((entry) => keysOf(entry).join('|')),
      entries.map((entry) => yearsOf(entry).join('|')),
    ],
  });
  const { added, changed, repeated } = counted ?? { added: 0, changed: 0, repeated: 0 };
  if (repeated > 0) throw new CsvError(REPEATED);
  return { added, changed };
}

/** Deletes entries that the file lacks; gives how many. Refuses what looks like part of a list. */
async function removeOthers(
  tx: Transaction,
  id: number,
  { list, shrinks }: ImportRequest,
): Promise<number> {
  const [before] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from screening_entry where list = ${list}`);
  const removed = await tx.execute(sql`delete from screening_entry e using screening_sighting s
    where e.list = ${list} and s.list = $1 and s.entry = e.entry and s.import <> ${id}`);
  if (!shrinks && removed > SHRINKS * (before?.count ?? 0)) {
    throw new CsvError(
      `The file lacks ${removed} entries of the version before. If that is right, say --shrinks.`,
    );
  }
  await tx.execute(sql`delete from screening_sighting where list = ${list} and import <> ${id}`);
  return removed;
}
