// The delivery queue: claims due rows under a lease, settles their outcomes, and keeps the order
// for each resource: event n+1 is not first sent before n is delivered or dead [EV2]. Rows of a
// killed worker become due again when their lease ends.
import type { StoredCause } from '../../../concurrency/observer.ts';
import type { Database, Transaction } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import type { StoredEvent } from '../../../outbox/index.ts';
import type { Outcome } from './outcome.ts';
import { activeSecrets } from './secret-rows.ts';
import type { SealedSecret, Signing } from './secret.ts';

/** How much to claim at once. */
export interface ClaimLimits {
  /** Rows in all. */
  readonly rows: number;
  /** Rows of one endpoint under a lease at the same time, in all processes. */
  readonly perEndpoint: number;
  readonly leaseMs: number;
}

/** A delivery under our lease, with all that a request needs. */
export interface Claimed extends StoredCause {
  readonly workspace: number;
  readonly endpoint_id: string;
  readonly sequence: bigint;
  readonly lease: string;
  /** Requests sent since it was queued. */
  readonly tries: number;
  readonly event: StoredEvent;
  readonly url: string;
  readonly signing: Signing;
  /** The workspace's id where it is a clone, else null. */
  readonly copy: string | null;
  /** Real time of the claim, by the database: for signatures and tokens. */
  readonly at: Instant;
  /** The same by the workspace's clock, for display. */
  readonly shown_at: Instant;
  /** Active secrets, the current one first. */
  readonly secrets: readonly SealedSecret[];
}

/** The result of a claim. `parked`: rows found that wait for an earlier event of their resource. */
export interface Claim {
  readonly claimed: readonly Claimed[];
  readonly parked: number;
}

// A queue never has useful statistics, so the plans are forced: nested loops over the indexes named
// in the migration, also for statements prepared on an empty table. (architecture, rule 16)
const BEGIN =
  'begin; set local enable_seqscan = off; set local enable_hashjoin = off; ' +
  'set local enable_mergejoin = off; set local enable_bitmapscan = off';

// busy: endpoints with pending rows, by skipping through the index. seen: the oldest due rows of
// each, locked; a locked row is another worker's. head: the resource's lowest pending row; an old
// snapshot errs only to the safe side, because sequences of a workspace are sealed in order. Other
// rows are put off, so that a stuck resource does not fill the front of the queue; settling its
// head makes the next one due, and the one second is for when both happen at once.
const CLAIM = `
  with recursive busy(workspace, endpoint_id) as (
    (select d.workspace, d.endpoint_id from delivery d where d.state = 'pending'
      order by d.workspace, d.endpoint_id limit 1)
    union all
    select n.workspace, n.endpoint_id from busy b cross join lateral (
      select d.workspace, d.endpoint_id from delivery d
      where d.state = 'pending' and (d.workspace, d.endpoint_id) > (b.workspace, b.endpoint_id)
      order by d.workspace, d.endpoint_id limit 1) n
  ), room as materialized (
    select b.workspace, b.endpoint_id, least($2::integer, $1::integer - (
      select count(*) from delivery d
      where d.workspace = b.workspace and d.endpoint_id = b.endpoint_id
        and d.lease is not null and d.due > $now)::integer) as room
    from busy b
    join webhook_endpoint e on e.workspace = b.workspace and e.id = b.endpoint_id
    where e.state = 'enabled'
      and exists (select from workspace w where w.workspace = b.workspace and w.ended is null)
  ), seen as materialized (
    select d.workspace, d.endpoint_id, d.sequence, d.due, r.room,
      h.sequence as head, h.due as head_due, h.lease as head_lease
    from room r
    cross join lateral (
      select q.workspace, q.endpoint_id, q.sequence, q.resource_id, q.due from delivery q
      where q.workspace = r.workspace and q.endpoint_id = r.endpoint_id
        and q.state = 'pending' and q.due <= $now
      order by q.due limit greatest(r.room, 0) * 2 + 2
      for no key update skip locked) d
    cross join lateral (
      select p.sequence, p.due, p.lease from delivery p
      where p.workspace = d.workspace and p.endpoint_id = d.endpoint_id
        and p.resource_id = d.resource_id and p.state = 'pending'
      order by p.sequence limit 1) h
    where r.room > 0
  ), ranked as (
    select s.workspace, s.endpoint_id, s.sequence, s.due, s.room, row_number() over (
      partition by s.workspace, s.endpoint_id order by s.due, s.sequence) as place
    from seen s where s.head = s.sequence
  ), chosen as materialized (
    select r.workspace, r.endpoint_id, r.sequence from ranked r where r.place <= r.room
    order by r.place, r.due limit $2::integer
  ), taken as (
    update delivery d set lease = $3::uuid,
      due = $now + $4::integer * interval '1 millisecond'
    from chosen c
    where d.workspace = c.workspace and d.endpoint_id = c.endpoint_id and d.sequence = c.sequence
    returning d.workspace, d.endpoint_id, d.sequence, d.tries
  ), parked as (
    update delivery d set due = interval '1 second'
      + case when s.head_lease is null then greatest(s.head_due, $now) else $now end
    from seen s
    where s.head <> s.sequence
      and d.workspace = s.workspace and d.endpoint_id = s.endpoint_id and d.sequence = s.sequence
    returning d.sequence
  )
  select (select count(*)::integer from parked) as parked, $now as at,
    workspace_at(t.workspace, $now) as shown_at, t.workspace, t.endpoint_id, t.sequence,
    t.tries, e.url, e.signing,
    (select w.id from workspace w where w.workspace = t.workspace
    and w.lineage <> w.workspace) as copy,
    v.event_id, v.name, v.resource_id, v.resource_version, v.at as event_at, v.record, v.body,
    s.request_id, s.trace_id
  from (values (1)) one(row)
  left join (taken t
    cross join lateral (select * from event v
      where v.workspace = t.workspace and v.sequence = t.sequence limit 1) v
    cross join lateral (select * from webhook_endpoint e
      where e.workspace = t.workspace and e.id = t.endpoint_id limit 1) e
    left join lateral (select request_id, trace_id from history
      where workspace = v.workspace and resource_id = v.resource_id
        and version = v.resource_version limit 1) s on true) on true
  order by t.sequence`;

type ClaimRow = Omit<Claimed, 'lease' | 'secrets' | 'workspace' | 'event'> &
  Omit<StoredEvent, 'workspace'> & {
    readonly parked: number;
    readonly workspace: number | null;
    readonly event_at: Instant;
  };

/** Claims due heads under one lease, in a transaction of its own. */
export async function claim(db: Database, lease: string, limits: ClaimLimits): Promise<Claim> {
  return db.transaction(async (tx) => {
    const rows = await tx.query<ClaimRow>({
      name: 'webhook_claim',
      text: CLAIM,
      values: [limits.perEndpoint, limits.rows, lease, limits.leaseMs],
    });
    const parked = rows[0]?.parked ?? 0;
    const taken = rows.flatMap((row) => {
      const { workspace, event_at } = row;
      if (workspace === null) return [];
      return [{ ...row, workspace, lease, event: { ...row, workspace, at: event_at } }];
    });
    if (taken.length === 0) return { claimed: [], parked };
    const secrets = await activeSecrets(tx, taken);
    const claimed = taken.map((row) => ({
      ...row,
      secrets: secrets.get(`${row.workspace} ${row.endpoint_id}`) ?? [],
    }));
    return { claimed, parked };
  }, BEGIN);
}

/** The outcome of a claimed delivery. */
export interface Settlement extends Outcome {
  readonly workspace: number;
  readonly endpoint_id: string;
  readonly sequence: bigint;
  readonly lease: string;
  /** When it was sent, by the workspace's clock. */
  readonly at: Instant;
}

// An outcome counts only under the lease of its claim. following: the row that waited behind a
// head; in this statement's snapshot the head itself is still pending, hence "greater". It is a
// step of its own because a planner without statistics joined it the other way round (140 ms at
// 10,000 rows, 4 ms like this).
const SETTLE = `
  with input as materialized (
    select * from unnest($1::integer[], $2::uuid[], $3::bigint[], $4::uuid[], $5::text[],
      $6::integer[], $7::smallint[], $8::text[], $9::timestamptz[], $10::integer[],
      $11::integer[], $12::text[])
    as i(workspace, endpoint_id, sequence, lease, verdict, wait_ms, status, reason, at, duration_ms,
      answer_bytes, excerpt)
  ), mine as materialized (
    select d.workspace, d.endpoint_id, d.sequence, d.resource_id, d.attempts + 1 as number,
      i.verdict, i.wait_ms, i.status, i.reason, i.at, i.duration_ms, i.answer_bytes, i.excerpt
    from input i
    join delivery d on d.workspace = i.workspace and d.endpoint_id = i.endpoint_id
      and d.sequence = i.sequence
    where d.lease = i.lease
    order by d.workspace, d.endpoint_id, d.sequence
    for no key update of d
  ), settled as (
    update delivery d set
      state = case m.verdict when 'delivered' then 'delivered' when 'again' then 'pending'
        else 'dead' end,
      tries = d.tries + 1, attempts = m.number, lease = null,
      due = $now + m.wait_ms * interval '1 millisecond',
      last_status = m.status, last_reason = m.reason
    from mine m
    where d.workspace = m.workspace and d.endpoint_id = m.endpoint_id and d.sequence = m.sequence
    returning d.sequence
  ), following as materialized (
    select m.workspace, m.endpoint_id, n.sequence from mine m cross join lateral (
      select p.sequence from delivery p
      where p.workspace = m.workspace and p.endpoint_id = m.endpoint_id
        and p.resource_id = m.resource_id and p.state = 'pending' and p.sequence > m.sequence
      order by p.sequence limit 1) n
    where m.verdict <> 'again'
  ), next as (
    update delivery d set due = $now
    from following f
    where d.workspace = f.workspace and d.endpoint_id = f.endpoint_id and d.sequence = f.sequence
      and d.lease is null and d.due > $now
    returning d.sequence
  )
  insert into delivery_attempt (workspace, endpoint_id, sequence, number, at, status, reason,
    duration_ms, answer_bytes, excerpt)
  select m.workspace, m.endpoint_id, m.sequence, m.number, m.at, m.status, m.reason,
    m.duration_ms, m.answer_bytes, m.excerpt from mine m`;

const GONE = `
  update webhook_endpoint e set state = 'disabled', disabled_reason = 'gone',
    updated = $now + w.clock_offset
  from workspace w
  where w.workspace = e.workspace and e.workspace = $1 and e.id = $2 and e.state = 'enabled'`;

const DEAD_LETTERS = `
  update delivery d set state = 'dead', lease = null, last_reason = $3
  where d.workspace = $1 and d.endpoint_id = $2 and d.state = 'pending'`;

/** Writes outcomes in sets. Drops those whose lease has passed to another worker. */
export async function settle(db: Database, list: readonly Settlement[]): Promise<void> {
  if (list.length === 0) return;
  const gone = list.filter((one) => one.verdict === 'gone');
  await db.transaction(async (tx) => {
    // Endpoints are locked before their deliveries, here as in the operations.
    for (const one of gone)
      await tx.execute({ text: GONE, values: [one.workspace, one.endpoint_id] });
    await tx.execute({ name: 'webhook_settle', text: SETTLE, values: columnsOf(list) });
    for (const one of gone) await deadLetter(tx, one.workspace, one.endpoint_id, 'endpoint_gone');
  }, BEGIN);
}

/** Turns all pending deliveries of an endpoint into dead letters; its row must be locked. */
export async function deadLetter(
  tx: Transaction,
  workspace: number,
  endpointId: string,
  reason: 'endpoint_gone' | 'endpoint_disabled' | 'endpoint_deleted',
): Promise<void> {
  await tx.execute({ text: DEAD_LETTERS, values: [workspace, endpointId, reason] });
}

function columnsOf(list: readonly Settlement[]): unknown[] {
  return [
    list.map((one) => one.workspace),
    list.map((one) => one.endpoint_id),
    list.map((one) => one.sequence),
    list.map((one) => one.lease),
    list.map((one) => one.verdict),
    list.map((one) => one.waitMs),
    list.map((one) => one.status),
    list.map((one) => one.reason),
    list.map((one) => one.at),
    list.map((one) => one.durationMs),
    list.map((one) => one.answerBytes),
    list.map((one) => one.excerpt),
  ];
}

const RELEASE = `
  update delivery d set lease = null,
    due = $now + $5::integer * interval '1 millisecond'
  where d.workspace = $1 and d.endpoint_id = $2 and d.sequence = $3 and d.lease = $4::uuid`;

/** Returns a delivery without counting an attempt: the fault is ours, not the receiver's. */
export async function release(db: Database, one: Claimed, waitMs: number): Promise<void> {
  await db.execute({
    text: RELEASE,
    values: [one.workspace, one.endpoint_id, one.sequence, one.lease, waitMs],
  });
}

const HASTEN = `
  update delivery d set due = d.due - $2::interval
  where d.workspace = $1 and d.state = 'pending' and d.lease is null`;

/** Brings retries forward when the sandbox's clock is advanced by `by`, such as `1 day`. */
export async function hastenDeliveries(
  tx: Transaction,
  workspace: number,
  by: string,
): Promise<void> {
  await tx.execute({ text: HASTEN, values: [workspace, by] });
}
