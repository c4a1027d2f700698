// Timeline entries for requests that named the resources, and how each ended: for a refused one,
// the rule, the state that it met, and what that state would have allowed.
import type { Instant } from '../../../core/time.ts';
import { isUnder } from '../../../engine/index.ts';
import {
  atReal,
  MOST_ENTRIES,
  thingOf,
  type Counted,
  type Found,
  type Question,
} from './source.ts';
import type { Entry } from './schema.ts';

interface NoteRow extends Counted {
  readonly id: string;
  readonly named: readonly string[];
  readonly at: Instant;
  readonly operation: string;
  readonly caller: 'client' | 'user' | 'session';
  readonly client_id: string;
  readonly account_id: string | null;
  readonly status: number;
  readonly took_ms: number;
  readonly refusal: string | null;
  readonly keyed: boolean;
  readonly replayed: boolean;
}

/**
 * SQL: `replayed` is true where a stored answer was repeated: one older than the request, or of a
 * step that another request caused. [G-44]
 */
const NOTES = `select n.*, coalesce(i.created < n.at, s.request_id <> n.id) as replayed
  from (select id, array_agg(named) as named, min(at) as at, min(operation) as operation,
      min(caller) as caller, min(client_id) as client_id, min(account_id) as account_id,
      min(status) as status, min(took_ms) as took_ms, min(refusal) as refusal,
      min(scope) as scope, count(*) over () as total
    from request_note where workspace = $1 and named = any ($2)
    group by id order by min(at) desc limit ${MOST_ENTRIES}) n
  left join idempotency i on i.workspace = $1 and ${isUnder('n.scope')}
  left join lateral (select request_id from history h where h.workspace = $1
    and h.resource_id = i.record_id and h.version = i.record_version limit 1) s on true`;

interface Met {
  readonly machine: string;
  readonly state: string;
}

type Rule = Extract<Entry, { kind: 'request' }>['refusal'];

/** Every request that named one of the resources. */
export async function requests(q: Question): Promise<Found> {
  const rows = await q.db.query<NoteRow>({
    name: 'explain_notes',
    text: `select id, named, at, operation, caller, client_id, account_id, status, took_ms,
        refusal, scope is not null as keyed, coalesce(replayed, false) as replayed, total
      from (${NOTES}) n`,
    values: [q.workspace, q.ids],
  });
  const entries: Entry[] = [];
  const met = await statesMet(q, rows);
  for (const row of rows) entries.push(requestOf(q, row, met.get(row.id)));
  return { entries, total: Number(rows[0]?.total ?? 0) };
}

/** The state of the resource that each refused request named, at that time. */
async function statesMet(q: Question, rows: readonly NoteRow[]): Promise<Map<string, Met>> {
  const refused = rows.filter((row) => row.refusal !== null);
  if (refused.length === 0) return new Map();
  const pairs = refused.map((row) => [row.id, aboutOf(q, row), q.time.virtualOf(row.at)] as const);
  const found = await q.db.query<Met & { id: string }>({
    name: 'explain_states_met',
    text: `select n.id, s.machine, s.state
      from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as n(id, named, at)
      cross join lateral (select machine, to_state as state from history
        where workspace = $1 and resource_id = n.named and at <= n.at
        order by version desc limit 1) s`,
    values: [q.workspace, ...[0, 1, 2].map((at) => pairs.map((pair) => pair[at]))],
  });
  return new Map(found.map((row) => [row.id, row]));
}

/** What a request was about: the subject, or else the first named part of it. */
function aboutOf({ subject, ids }: Question, { named }: NoteRow): string | null {
  if (named.includes(subject.uuid)) return subject.uuid;
  return ids.find((id) => named.includes(id)) ?? null;
}

function requestOf(q: Question, row: NoteRow, met: Met | undefined): Entry {
  const { operation, status, took_ms, client_id, account_id } = row;
  const refusal = row.refusal === null ? null : (JSON.parse(row.refusal) as Rule);
  const idempotency = !row.keyed ? 'none' : row.replayed ? 'replay' : 'first';
  const machine = met && q.machines.get(met.machine);
  const moves = machine?.moves.filter(({ from }) => from === met?.state) ?? [];
  const allowed = [...new Set(moves.filter(({ by }) => by === 'caller').map(({ on }) => on))];
  const named = aboutOf(q, row);
  const who = account_id === null ? client_id : `${account_id} (${row.caller})`;
  const how = `${ended(row, refusal)}${again(idempotency)}`;
  const state = met?.state ?? null;
  return {
    ...{ kind: 'request', ...atReal(q, row.at), request_id: row.id, operation, status, took_ms },
    caller: { kind: row.caller, client_id, account_id },
    ...{ idempotency, refusal, state, allowed },
    about: named === null ? null : thingOf(q, named),
    text: `${operation} by ${who}: ${how}${hint(met, allowed)}`,
  };
}

function ended({ status, id }: NoteRow, refusal: Rule): string {
  if (refusal !== null) {
    const { code, sentence, cites } = refusal;
    return `refused ${status} ${code}: ${sentence} [${cites}]`;
  }
  return status >= 500 ? `failed ${status}, reference ${id}` : `answered ${status}`;
}

function again(idempotency: 'none' | 'first' | 'replay'): string {
  return idempotency === 'replay' ? ', stored response returned again' : '';
}

function hint(met: Met | undefined, allowed: readonly string[]): string {
  if (met === undefined) return '';
  const list = allowed.length === 0 ? 'no action by the caller' : allowed.join(', ');
  return ` The state was ${met.state}, which allows ${list}.`;
}
