// Reads of the event stream and of deliveries, in pages of bounded size.
import { raw, sql, type Queryable } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import { EVENT_COLUMNS, type StoredEvent, type Stream } from '../../../outbox/index.ts';
import type { DeliveryState } from './outcome.ts';
import { AHEAD, attemptShown, deliveryShown } from './retention.ts';

/** Bytes of event bodies on one page, beyond its first event: a body may be a megabyte. */
const PAGE_BYTES = 4_000_000;

/** Bytes counted for a body that is composed on read; such records are small. */
const COMPOSED_BYTES = 3_000;

async function eventsOf(
  stream: Pick<Stream, 'bodies'>,
  rows: readonly StoredEvent[],
): Promise<Record<string, unknown>[]> {
  const bodies = await stream.bodies(rows);
  return bodies.map((body) => JSON.parse(body) as Record<string, unknown>);
}

/** Events after a sequence number, in order; fewer than `limit` where their bodies are large. */
export async function readEvents(
  db: Queryable,
  stream: Pick<Stream, 'bodies'>,
  workspace: number,
  after: number,
  limit: number,
): Promise<{ events: Record<string, unknown>[]; next_after: number }> {
  const rows = await db.query<StoredEvent>({
    name: 'webhook_events',
    text: `select ${EVENT_COLUMNS}, v.workspace from (
        select v.workspace, ${EVENT_COLUMNS},
          sum(coalesce(octet_length(v.body), $5)) over (order by v.sequence)
            - coalesce(octet_length(v.body), $5) as before
        from (select v.workspace, ${EVENT_COLUMNS} from event v
          where v.workspace = $1 and v.sequence > $2 order by v.sequence limit $3) v) v
      where v.before < $4 order by v.sequence`,
    values: [workspace, after, limit, PAGE_BYTES, COMPOSED_BYTES],
  });
  const last = rows.at(-1);
  return {
    events: await eventsOf(stream, rows),
    next_after: last === undefined ? after : Number(last.sequence),
  };
}

/** The state of a delivery, and its attempts so far. */
export interface DeliveryHistory {
  readonly endpoint_id: string;
  readonly state: DeliveryState;
  readonly next_attempt: Instant | null;
  readonly attempts: readonly {
    readonly number: number;
    readonly at: Instant;
    readonly status: number | null;
    readonly reason: string;
    readonly duration_ms: number;
    readonly answer_bytes: number;
    readonly excerpt: string;
  }[];
}

interface HistoryRow {
  readonly endpoint_id: string;
  readonly state: DeliveryHistory['state'];
  readonly next_attempt: Instant | null;
  readonly number: number | null;
  readonly at: Instant;
  readonly status: number | null;
  readonly reason: string | null;
  readonly duration_ms: number;
  readonly answer_bytes: number;
  readonly excerpt: string | null;
}

/** The most attempts shown of one event, since a delivery can be replayed without end. */
const ATTEMPTS_SHOWN = 500;

/** A sealed event; null for an unknown or foreign one. */
export async function storedEvent(
  db: Queryable,
  workspace: number,
  eventId: string,
): Promise<StoredEvent | null> {
  const [found] = await db.query<StoredEvent>(sql`
    select ${raw(EVENT_COLUMNS)}, v.workspace from event v
    where v.workspace = ${workspace} and v.event_id = ${eventId}`);
  return found ?? null;
}

/** One event with its delivery to each endpoint; null for an unknown or foreign one. */
export async function readEvent(
  db: Queryable,
  stream: Pick<Stream, 'bodies'>,
  workspace: number,
  eventId: string,
): Promise<{ event: Record<string, unknown>; deliveries: DeliveryHistory[] } | null> {
  const found = await storedEvent(db, workspace, eventId);
  if (found === null) return null;
  const rows = await db.query<HistoryRow>({
    text: `select d.endpoint_id, d.state,
        case when d.state = 'pending' then d.due + ${AHEAD} end as next_attempt,
        a.number, a.at, a.status, a.reason, a.duration_ms, a.answer_bytes, a.excerpt
      from webhook_endpoint e
      join event v on v.workspace = e.workspace and v.sequence = $2
      join delivery d on d.workspace = e.workspace and d.endpoint_id = e.id
        and d.sequence = v.sequence and ${deliveryShown()}
      left join delivery_attempt a on a.workspace = d.workspace and a.endpoint_id = d.endpoint_id
        and a.sequence = d.sequence and ${attemptShown()}
      where e.workspace = $1 order by d.endpoint_id, a.number desc limit $3`,
    values: [workspace, found.sequence, ATTEMPTS_SHOWN],
  });
  const groups = Map.groupBy(rows, (row) => row.endpoint_id);
  const deliveries = [...groups.values()].map((group) => historyOf(group as [HistoryRow]));
  const [event = {}] = await eventsOf(stream, [found]);
  return { event, deliveries };
}

function historyOf(rows: readonly [HistoryRow, ...HistoryRow[]]): DeliveryHistory {
  const { endpoint_id, state, next_attempt } = rows[0];
  const attempts = rows.toReversed().flatMap((row) =>
    row.number === null
      ? []
      : [
          {
            number: row.number,
            at: row.at,
            status: row.status,
            reason: row.reason ?? '',
            duration_ms: row.duration_ms,
            answer_bytes: row.answer_bytes,
            excerpt: row.excerpt ?? '',
          },
        ],
  );
  return { endpoint_id, state, next_attempt, attempts };
}

/** A page of deliveries: newest first, before a sequence number. */
export interface DeliveryPage {
  readonly state: DeliveryState | null;
  /** Null: from the newest. */
  readonly before: number | null;
  readonly limit: number;
}

interface DeliveryRow {
  readonly sequence: bigint;
  readonly event_id: string;
  readonly event_name: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly next_attempt: Instant | null;
  readonly last_status: number | null;
  readonly last_reason: string | null;
}

/** A delivery as it is shown. */
export type ShownDelivery = Omit<DeliveryRow, 'sequence' | 'last_reason'> & {
  readonly sequence: number;
  readonly last_reason: string;
};

/** A page of the deliveries to an endpoint, and where the next one begins. */
export async function readDeliveries(
  db: Queryable,
  workspace: number,
  endpointId: string,
  page: DeliveryPage,
): Promise<{ deliveries: ShownDelivery[]; next_before: number | null }> {
  // The state is part of the text, so that the partial indexes of rare states are used.
  const state = page.state === null ? '' : `and d.state = '${page.state}'`;
  const rows = await db.query<DeliveryRow>(sql`
    select d.sequence, v.event_id, v.name as event_name, d.state, d.attempts,
      case when d.state = 'pending' then d.due + ${raw(AHEAD)} end as next_attempt,
      d.last_status, d.last_reason
    from (select d.sequence, d.state, d.attempts, d.due, d.last_status, d.last_reason
      from delivery d where d.workspace = ${workspace}
      and d.endpoint_id = ${endpointId} ${raw(state)}
      and d.sequence < ${page.before ?? Number.MAX_SAFE_INTEGER} order by d.sequence desc
      limit ${page.limit}) d
    join event v on v.workspace = $1 and v.sequence = d.sequence and ${raw(deliveryShown())}
    order by d.sequence desc`);
  const deliveries = rows.map((row) => ({
    ...row,
    sequence: Number(row.sequence),
    last_reason: row.last_reason ?? '',
  }));
  const full = rows.length === page.limit;
  return { deliveries, next_before: full ? Number(rows.at(-1)?.sequence) : null };
}
