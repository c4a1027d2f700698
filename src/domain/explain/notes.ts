// The notes of calls as rows. Answers for a batch being one statement and for the end of old notes;
// refuses to know when notes are written and what a call is.
import type { Database, Queryable } from '../../db/index.ts';
import type { RefusalSpec } from '../../kernel/refusal.ts';
import type { CallerKind } from '../../kernel/operation.ts';

/** What is kept of a call: codes and ids, never a body, an address or a person's data. */
export interface RequestNote {
  readonly world: number;
  /** UUIDs that the call named; one without any leaves no row. */
  readonly named: readonly string[];
  readonly id: string;
  /** On the clock of `writeNotes`. */
  readonly startedMs: number;
  readonly tookMs: number;
  readonly operation: string;
  readonly caller: CallerKind;
  readonly clientId: string;
  /** Wire id of the account that a user or session token speaks for. */
  readonly accountId: string | null;
  readonly status: number;
  readonly refusal: RefusalSpec | null;
  /** Scope of the idempotency claim. */
  readonly scope: string | null;
}

const KEPT_DAYS = 7;
const BATCH = 5_000;

/** JSON of a refusal's row as an array holds it; kept, since a refusal is one of few. */
const texts = new WeakMap<RefusalSpec, string>();

function refusalText(spec: RefusalSpec | null): string | null {
  if (spec === null) return null;
  let text = texts.get(spec);
  if (text === undefined) {
    const { code, sentence, cites, act, retry } = spec;
    const json = JSON.stringify({ code, sentence, cites, act, retry });
    texts.set(spec, (text = `"${json.replaceAll(/["\\]/g, '\\$&')}"`));
  }
  return text;
}

/**
 * Arrays as PostgreSQL writes them, one for each column. Written here because the driver looks at
 * each element for what it may be, which cost ten times as much as all the rest of a note. All are
 * ids, codes and numbers of ours, so none but a refusal is quoted.
 */
function columnsOf(notes: readonly RequestNote[], nowMs: number): readonly string[] {
  const columns: (string | number)[][] = Array.from({ length: 12 }, () => []);
  for (const note of notes) {
    const { world, id, operation, caller, clientId, accountId, status, tookMs, scope } = note;
    const age = nowMs - note.startedMs;
    const refusal = refusalText(note.refusal);
    const alike = [age, world, id, operation, caller, clientId, accountId, status, tookMs, refusal];
    for (const named of note.named) {
      columns[0]?.push(named);
      for (let at = 0; at < alike.length; at += 1) columns[at + 1]?.push(alike[at] ?? 'null');
      columns[11]?.push(scope ?? 'null');
    }
  }
  return columns.map((values) => `{${values.join(',')}}`);
}

/**
 * Writes notes in one statement. `nowMs` is now on the clock of their `startedMs`: the database's
 * own clock dates them, so that they stand in order with what it wrote meanwhile.
 */
export async function writeNotes(
  db: Queryable,
  notes: readonly RequestNote[],
  nowMs: number,
): Promise<void> {
  await db.query({
    name: 'request_notes',
    text: `insert into request_note (world, named, at, id, operation, caller, client_id,
        account_id, status, took_ms, refusal, scope)
      select n.world, n.named, clock_timestamp() - n.age * interval '1 millisecond', n.id,
        n.operation, n.caller, n.client_id, n.account_id, n.status, n.took_ms, n.refusal, n.scope
      from unnest($1::uuid[], $2::float8[], $3::int[], $4::uuid[], $5::text[], $6::text[],
        $7::text[], $8::text[], $9::smallint[], $10::int[], $11::text[], $12::text[])
        as n(named, age, world, id, operation, caller, client_id, account_id, status, took_ms,
          refusal, scope)`,
    values: columnsOf(notes, nowMs),
  });
}

/** Deletes some notes that are older than a week; gives how many. Run it until it gives 0. */
export function forgetNotes(db: Database): Promise<number> {
  return db.execute(`delete from request_note where ctid = any (array(
    select ctid from request_note
    where at < clock_timestamp() - interval '${KEPT_DAYS} days' limit ${BATCH}))`);
}
