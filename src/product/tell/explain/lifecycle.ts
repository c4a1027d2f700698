// Timeline entries for lifecycles, money and requests: each step with the machine's row that
// allowed it and its ledger entries, and how each request that named the resources ended: for a
// refused one the rule, the state that it met, and what that state would have allowed.
import { displayAmount } from '../../../core/currency.ts';
import { accountId } from '../../../core/ids.ts';
import type { Instant } from '../../../core/time.ts';
import { findMove } from '../../../core/machine.ts';
import type { StepRow } from '../../../engine/index.ts';
import type { Said } from '../../money/disagreement/index.ts';
import { movedAt, type Course } from '../../money/escrow/index.ts';
import {
  atReal,
  atVirtual,
  found,
  MOST_ENTRIES,
  thingOf,
  type Counted,
  type Found,
  type Question,
} from './source.ts';
import type { Entry } from './schema.ts';
import { prepared, raw } from '../../../db/index.ts';

type CountedStep = Counted & Omit<StepRow, 'workspace'>;

/** Every step of the resources. */
export async function transitions(q: Question): Promise<Found> {
  const rows = await q.db.query<CountedStep>(prepared('explain_steps')`
    select resource_id, version, machine, from_state, event, to_state, at, actor, detail,
      count(*) over () as total
    from history where workspace = ${q.workspace} and resource_id = any (${q.ids})
    order by at desc, resource_id, version desc limit ${raw(MOST_ENTRIES)}`);
  return found(rows, (row) => transitionOf(q, row));
}

function transitionOf(q: Question, row: CountedStep): Entry {
  const from = row.from_state === '' ? null : row.from_state;
  const machine = q.machines.get(row.machine);
  const move = machine && findMove(machine, from, row.event, row.to_state);
  const about = thingOf(q, row.resource_id);
  const facts = factsOf(row);
  const why = move?.why ?? '';
  const cites = move?.cites ?? '';
  const told = Object.entries(facts).map(([name, value]) => `${name} ${String(value)}`);
  const shown = told.length === 0 ? '' : ` (${told.join(', ')})`;
  const noun = machine?.noun ?? about.kind;
  const moved = from === null ? row.to_state : `${from} -> ${row.to_state}`;
  const text = `${noun}: ${moved} on ${row.event}${shown}. ${why}`;
  return {
    ...{ kind: 'transition', ...atVirtual(q, row.at), text, about, on: row.event, from, why },
    ...{ cites, to: row.to_state, version: row.version, actor: row.actor, facts },
    by: move?.by ?? null,
  };
}

type Fact = string | number | boolean | null;

/** The facts of a step that are single values; by rule codes and ids only. */
function factsOf({ machine, event, detail, at }: CountedStep): Record<string, Fact> {
  if (detail === null) return {};
  const said = JSON.parse(detail) as Record<string, unknown>;
  const facts =
    machine === 'escrow' && 'parts' in said ? movedAt(said as unknown as Course, at)
    : machine === 'disagreement' ? dividedBy(said as unknown as Said, event)
    : said;
  const all = Object.entries(facts ?? {});
  return Object.fromEntries(
    all.filter((pair): pair is [string, Fact] => typeof pair[1] !== 'object' || pair[1] === null),
  );
}

/** The split that a step of a disagreement is about. */
function dividedBy({ proposal, settlement }: Said, event: string): object | null {
  const split = event === 'propose' ? proposal : settlement;
  if (split === null) return null;
  const { to_sellers, to_buyer, to_integrator } = split;
  return { to_sellers, to_buyer, to_integrator };
}

interface PostingRow extends Counted {
  readonly resource_id: string;
  readonly version: number;
  readonly line: number;
  readonly at: Instant;
  readonly kind: string;
  readonly wallet_id: string | null;
  readonly account_id: string | null;
  readonly currency: string;
  readonly amount: bigint;
  readonly balance_after: bigint | null;
}

/** Every ledger entry of those steps. */
export async function postings(q: Question): Promise<Found> {
  const rows = await q.db.query<PostingRow>(prepared('explain_postings')`
    select p.*, a.kind, coalesce(w.id, k.id) as wallet_id,
      coalesce(w.account_id, k.account_id) as account_id
    from (select p.workspace, p.resource_id, p.version, p.line, s.at, p.account_id as ledger_id,
        p.currency, p.amount, p.balance_after, count(*) over () as total
      from posting p
      join history s on s.workspace = p.workspace and s.resource_id = p.resource_id
        and s.version = p.version
      where p.workspace = ${q.workspace} and p.resource_id = any (${q.ids})
      order by s.at desc, p.resource_id, p.version desc, p.line limit ${raw(MOST_ENTRIES)}) p
    join ledger_account a on a.workspace = p.workspace and a.id = p.ledger_id
    left join wallet w on w.workspace = p.workspace and w.id = p.ledger_id
    left join wallet k on a.kind = 'kept_back' and k.workspace = p.workspace
      and k.kept_back_id = p.ledger_id`);
  return found(rows, (row) => postingOf(q, row));
}

function postingOf(q: Question, row: PostingRow): Entry {
  const { version, line, currency, kind, wallet_id } = row;
  const account = row.account_id === null ? null : accountId(row.account_id);
  const whose = account === null ? '' : ` of ${account}`;
  const sign = row.amount > 0n ? '+' : '';
  const left = row.balance_after;
  const after = left === null ? '' : `, balance ${displayAmount(left, currency)}`;
  return {
    ...{ kind: 'posting', ...atVirtual(q, row.at), about: thingOf(q, row.resource_id), version },
    ...{ line, ledger_account: kind, wallet_id, account_id: account, currency },
    amount: Number(row.amount),
    balance_after: left === null ? null : Number(left),
    text: `${kind}${whose}: ${sign}${displayAmount(row.amount, currency)}${after}`,
  };
}

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

/** SQL: `replayed` is true where a stored answer, older than the request, was repeated. [G-44] */
const NOTES = `select n.*, i.created < n.at as replayed
  from (select id, array_agg(named) as named, min(at) as at, min(operation) as operation,
      min(caller) as caller, min(client_id) as client_id, min(account_id) as account_id,
      min(status) as status, min(took_ms) as took_ms, min(refusal) as refusal,
      min(scope) as scope, count(*) over () as total
    from request_note where workspace = $1 and named = any ($2)
    group by id order by min(at) desc limit ${MOST_ENTRIES}) n
  left join idempotency i on i.workspace = $1 and i.scope = n.scope`;

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
