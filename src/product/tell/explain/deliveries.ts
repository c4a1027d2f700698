// Timeline entries for what was delivered to the tenant: events of the resources, the state of each
// delivery, and every attempt. Events' contents are not shown.
import type { Instant } from '../../../core/time.ts';
import { attemptShown, deliveryShown } from '../webhook/index.ts';
import {
  atVirtual,
  found,
  MOST_ENTRIES,
  thingOf,
  type Counted,
  type Found,
  type Question,
} from './source.ts';
import type { Entry } from './schema.ts';
import { kindOf, spelled } from './resource.ts';

/** How many deliveries of an endpoint are shown. */
const LAST_DELIVERIES = 50;

/** SQL: numbers of the sealed events to show; `$3` is the subject, `$4` a number. */
const SEQUENCES: Readonly<Record<string, string>> = {
  event: 'select v.sequence from event v where v.workspace = $1 and v.event_id = $3',
  delivery: 'select $4::bigint as sequence',
  webhook_endpoint: `select d.sequence from delivery d where d.workspace = $1 and d.endpoint_id = $3
    order by d.sequence desc limit ${LAST_DELIVERIES}`,
  other: 'select events_of_resources($1, $2)',
};

/** The deliveries to show; for an endpoint, only its own. */
function scopeOf({ subject }: Question): { readonly events: string; readonly own: string } {
  const events = SEQUENCES[subject.kind] ?? SEQUENCES['other'] ?? '';
  const alone = ['delivery', 'webhook_endpoint'].includes(subject.kind);
  return { events, own: alone ? 'and e.id = $3' : '' };
}

function valuesOf({ workspace, ids, subject }: Question): readonly unknown[] {
  return [workspace, ids, subject.uuid, subject.sequence];
}

interface EventRow extends Counted {
  readonly sequence: bigint | null;
  readonly event_id: string;
  readonly name: string;
  readonly resource_id: string;
  readonly resource_version: number;
  /** Null for a resource without a lifecycle. */
  readonly machine: string | null;
  readonly at: Instant;
}

/** Events of the resources, also those that have no number yet. */
export async function events(q: Question): Promise<Found> {
  const rows = await q.db.query<EventRow>({
    text: `select v.*, s.machine, count(*) over () as total from (
        select sequence, event_id, name, resource_id, resource_version, at from event
          where workspace = $1 and sequence = any (array(${scopeOf(q).events}))
        union all select null, event_id, name, resource_id, resource_version, at from outbox o
          where workspace = $1 and (resource_id = any ($2) or event_id = $3)
            and ($4::bigint is null)
            and not exists (select from event s where s.workspace = $1 and s.event_id = o.event_id)
      ) v
      left join lateral (select machine from history
        where workspace = $1 and resource_id = v.resource_id and version = 1 limit 1) s on true
      order by v.at desc, v.sequence desc limit ${MOST_ENTRIES}`,
    values: valuesOf(q),
  });
  return found(rows, (row) => eventOf(q, row));
}

function eventOf(q: Question, row: EventRow): Entry {
  const { event_id, name } = row;
  const sequence = row.sequence === null ? null : Number(row.sequence);
  const number = sequence === null ? ', not published yet' : `, number ${sequence}`;
  const id = row.resource_id;
  const about = row.machine === null ? thingOf(q, id) : spelled(kindOf(row.machine), id);
  return {
    ...{ kind: 'event', ...atVirtual(q, row.at), about, version: row.resource_version },
    ...{ event_id, name, sequence, text: `${name}${number}` },
  };
}

interface DeliveryRow extends Counted {
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly name: string;
  readonly sequence: bigint;
  readonly state: 'pending' | 'delivered' | 'dead';
  readonly attempts: number;
  readonly due: Instant;
  readonly last_status: number | null;
  readonly last_reason: string | null;
  readonly at: Instant;
}

const DELIVERIES = (q: Question): string => `select d.*, v.event_id, v.name, v.at as event_at
  from event v
  join webhook_endpoint e on e.workspace = v.workspace ${scopeOf(q).own}
  join delivery d on d.workspace = v.workspace and d.endpoint_id = e.id and d.sequence = v.sequence
  where v.workspace = $1 and v.sequence = any (array(${scopeOf(q).events}))
    and ${deliveryShown()}
    and num_nulls($2::uuid[], $3::uuid, $4::bigint) >= 0`;

/** The state of each delivery of those events. */
export async function deliveries(q: Question): Promise<Found> {
  const rows = await q.db.query<DeliveryRow>({
    text: `select d.endpoint_id, d.event_id, d.name, d.sequence, d.state, d.attempts, d.due,
        d.last_status, d.last_reason, d.event_at as at, count(*) over () as total
      from (${DELIVERIES(q)}) d order by d.event_at desc, d.sequence desc limit ${MOST_ENTRIES}`,
    values: valuesOf(q),
  });
  return found(rows, (row) => deliveryOf(q, row));
}

function answered(status: number | null, reason: string | null): string {
  return [status, reason].filter((part) => part !== null && part !== '').join(' ') || 'no answer';
}

function deliveryOf(q: Question, row: DeliveryRow): Entry {
  const { endpoint_id, event_id, state, attempts: tries } = row;
  const next_try = state === 'pending' ? q.time.virtualOf(row.due) : null;
  const [status, reason] = [row.last_status, row.last_reason];
  const last = tries === 0 ? 'no attempt yet' : `last ${answered(status, reason)}`;
  const next = next_try === null ? '' : `, next attempt ${next_try}`;
  const result = `${state}, ${tries} attempts, ${last}${next}`;
  const text = `${row.name} to endpoint ${endpoint_id}: ${result}`;
  return {
    ...{ kind: 'delivery', ...atVirtual(q, row.at), endpoint_id, event_id, state, tries, text },
    ...{ sequence: Number(row.sequence), next_try, status, reason },
  };
}

interface TryRow extends Counted {
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly name: string;
  readonly sequence: bigint;
  readonly number: number;
  readonly at: Instant;
  readonly status: number | null;
  readonly reason: string | null;
  readonly duration_ms: number;
}

/** Every attempt of those deliveries. The receiver's answer is only in its own list. */
export async function tries(q: Question): Promise<Found> {
  const rows = await q.db.query<TryRow>({
    text: `select d.endpoint_id, d.event_id, d.name, d.sequence, a.number, a.at, a.status,
        a.reason, a.duration_ms, count(*) over () as total
      from (${DELIVERIES(q)}) d
      join delivery_attempt a on a.workspace = d.workspace and a.endpoint_id = d.endpoint_id
        and a.sequence = d.sequence and ${attemptShown()}
      order by a.at desc, a.number desc limit ${MOST_ENTRIES}`,
    values: valuesOf(q),
  });
  return found(rows, (row) => tryOf(q, row));
}

function tryOf(q: Question, row: TryRow): Entry {
  const { endpoint_id, event_id, number, status, reason, duration_ms: took_ms } = row;
  const result = `${answered(status, reason)} in ${took_ms} ms`;
  const text = `${row.name}, attempt ${number} at endpoint ${endpoint_id}: ${result}`;
  return {
    ...{ kind: 'attempt', ...atVirtual(q, row.at), endpoint_id, event_id, number, status, reason },
    ...{ sequence: Number(row.sequence), took_ms, text },
  };
}
