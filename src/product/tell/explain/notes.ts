// Notes of requests as rows: one query writes a batch. When to write is decided by the caller.
import { prepared, type Queryable } from '../../../db/index.ts';
import type { RefusalSpec } from '../../../core/refusal.ts';
import type { CallerKind } from '../../../core/operation.ts';

/** What is kept of a request: codes and ids, never a body, an address or personal data. */
export interface RequestNote {
  readonly workspace: number;
  /** UUIDs that the request named; without any no row is written. */
  readonly named: readonly string[];
  readonly id: string;
  /** On the clock of `writeNotes`. */
  readonly startedMs: number;
  readonly tookMs: number;
  readonly operation: string;
  readonly caller: CallerKind;
  readonly clientId: string;
  /** The wire id of the account of a user or session token. */
  readonly accountId: string | null;
  readonly status: number;
  readonly refusal: RefusalSpec | null;
  /** The scope of the idempotency claim. */
  readonly scope: string | null;
}

/** The JSON of each refusal, escaped for an array; cached, since there are few. */
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
 * PostgreSQL array literals, one for each column. Built here because the driver inspects the type
 * of each element, which cost ten times as much as the rest of a note. All are our own ids, codes
 * and numbers, so only refusals need quoting.
 */
function columnsOf(notes: readonly RequestNote[], nowMs: number): readonly string[] {
  const columns: (string | number)[][] = Array.from({ length: 12 }, () => []);
  for (const note of notes) {
    const { workspace, id, operation, caller, clientId, accountId, status, tookMs, scope } = note;
    const age = nowMs - note.startedMs;
    const refusal = refusalText(note.refusal);
    const constant = [
      age,
      workspace,
      id,
      operation,
      caller,
      clientId,
      accountId,
      status,
      tookMs,
      refusal,
    ];
    for (const named of note.named) {
      columns[0]?.push(named);
      for (let at = 0; at < constant.length; at += 1) columns[at + 1]?.push(constant[at] ?? 'null');
      columns[11]?.push(scope ?? 'null');
    }
  }
  return columns.map((values) => `{${values.join(',')}}`);
}

/**
 * Writes notes in one query. `now` reads the clock of their `startedMs`, right after the database's
 * was read, however long a connection was waited for: the database's clock dates them, so that they
 * are in order with what it wrote meanwhile.
 */
export async function writeNotes(
  db: Queryable,
  notes: readonly RequestNote[],
  now: () => number,
): Promise<void> {
  const [clock] = await db.query<{ at: string }>(prepared('request_notes_clock')`
    select clock_timestamp()::text as at`);
  await db.query({
    name: 'request_notes',
    text: `insert into request_note (workspace, named, at, id, operation, caller, client_id,
        account_id, status, took_ms, refusal, scope)
      select n.workspace, n.named, $13::timestamptz - n.age * interval '1 millisecond', n.id,
        n.operation, n.caller, n.client_id, n.account_id, n.status, n.took_ms, n.refusal, n.scope
      from unnest($1::uuid[], $2::float8[], $3::int[], $4::uuid[], $5::text[], $6::text[],
        $7::text[], $8::text[], $9::smallint[], $10::int[], $11::text[], $12::text[])
        as n(named, age, workspace, id, operation, caller, client_id, account_id, status, took_ms,
          refusal, scope)`,
    values: [...columnsOf(notes, now()), clock?.at],
  });
}
