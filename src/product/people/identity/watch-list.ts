// Loads the watch-list of a workspace from lines of names and birth dates, always as a whole. Only
// keyed encodings reach the database, never a name.
import { sql, type Database } from '../../../db/index.ts';
import type { Keys } from '../../../providers/keys/port.ts';
import { isDay } from '../../../core/time.ts';
import { audit } from '../../tell/audit/index.ts';
import { watchKey } from './applicant.ts';

/** A list that cannot be read. The message has the line number and nothing of its text. */
export class WatchListError extends Error {}

interface Watched {
  readonly name: string;
  readonly birthDate: string;
}

/** Reads lines of `name;YYYY-MM-DD`; skips empty lines and those that begin with #. */
export function readWatchList(text: string): Watched[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const end = line.lastIndexOf(';');
    const [name, birthDate] = [line.slice(0, end).trim(), line.slice(end + 1).trim()];
    if (end > 0 && name !== '' && isDay(birthDate)) return [{ name, birthDate }];
    throw new WatchListError(
      `Line ${at + 1} must be a name, a semicolon and a date as YYYY-MM-DD.`,
    );
  });
}

/** Replaces the list of a workspace; gives how many persons it holds. */
export async function loadWatchList(
  db: Database,
  keys: Keys,
  workspace: number,
  list: readonly Watched[],
): Promise<number> {
  const encodings = list.map(({ name, birthDate }) => watchKey(keys, workspace, name, birthDate));
  const fresh = [...new Set(encodings)];
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from watch_list where workspace = ${workspace}`);
    await tx.execute(sql`
      insert into watch_list (workspace, key) select ${workspace}, unnest(${fresh}::text[])`);
    const detail = { persons: fresh.length };
    await audit(tx, { workspace, actor: 'operator', act: 'watch_list_loaded', detail });
  });
  return fresh.length;
}
