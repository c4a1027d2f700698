-- Webhooks: where events are sent, what was sent, and what came back. Events themselves are in
-- `event`. Due times and leases here are real time of this database: a receiver does not follow the
-- sandbox's clock. Advancing that clock pulls due times nearer instead.

-- A receiver of one tenant. Never removed, so that its deliveries keep their meaning. [G-64]
create table webhook_endpoint (
  workspace integer not null references workspace,
  id uuid not null,
  url text not null check (length(url) <= 2048),
  -- Names that are sent; empty means all, also names of a later release.
  events text[] collate "C" not null default '{}',
  state text collate "C" not null check (state in ('enabled', 'disabled', 'deleted')),
  -- Why it is disabled: by the tenant, or the receiver answered 410.
  disabled_reason text collate "C" check (disabled_reason in ('request', 'gone')),
  description text not null default '',
  -- v1: HMAC-SHA256 with a secret both sides hold; v1a: ed25519, the receiver holds a public key.
  -- [G-62]
  signing text collate "C" not null check (signing in ('v1', 'v1a')),
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  check ((state = 'disabled') = (disabled_reason is not null))
);
select keep_rows('webhook_endpoint');

-- Signing secrets: sealed, because they must be used again; at most one current, one ending. [G-62,
-- ID8]
create table webhook_secret (
  workspace integer not null,
  endpoint_id uuid not null,
  number integer not null check (number >= 1),
  -- A data key, wrapped by a master key; bound to lineage, endpoint and number.
  wrapped_key text not null,
  sealed text not null,
  -- What a v1a receiver verifies with; empty for v1.
  public_key text not null default '',
  created timestamptz not null default clock_timestamp(),
  -- Null for the current one; else the end of the overlap (real time).
  expires timestamptz,
  primary key (workspace, endpoint_id, number),
  foreign key (workspace, endpoint_id) references webhook_endpoint (workspace, id)
);
-- One secret signs, one more may end its overlap.
create unique index webhook_secret_current on webhook_secret (workspace, endpoint_id)
  where expires is null;
-- The overlap of a rotation holds two secrets, never three.
create unique index webhook_secret_ending on webhook_secret (workspace, endpoint_id)
  where expires is not null;

-- One event for one endpoint. Of the pending rows of one endpoint and resource only the lowest is
-- sent. [EV2] Queue rows change often, so the table is vacuumed early; no decision reads it.
create table delivery (
  workspace integer not null,
  endpoint_id uuid not null,
  sequence bigint not null,
  resource_id uuid not null,
  state text collate "C" not null default 'pending'
    check (state in ('pending', 'delivered', 'dead')),
  -- Requests sent since it was queued or replayed; the schedule counts these.
  tries integer not null default 0,
  -- Requests sent ever; the number of the newest delivery_attempt.
  attempts integer not null default 0,
  -- When it is next due. For a leased row, the end of the lease.
  due timestamptz not null default clock_timestamp(),
  -- Token of the worker that is sending it; an outcome without the same token is refused.
  lease uuid,
  last_status smallint,
  last_reason text collate "C",
  primary key (workspace, endpoint_id, sequence),
  check (state = 'pending' or lease is null)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
create index delivery_due on delivery (workspace, endpoint_id, due) where state = 'pending';
create index delivery_lane on delivery (workspace, endpoint_id, resource_id, sequence)
  where state = 'pending';
create index delivery_leased on delivery (workspace, endpoint_id, due) where lease is not null;
create index delivery_dead on delivery (workspace, endpoint_id, sequence) where state = 'dead';
create trigger delivery_kept before truncate on delivery
  for each statement execute function refuse_change();

-- Endpoints and events are never removed, so a look-up without a lock proves the reference, and a
-- sealing loop does not lock event rows one by one. The planner settings of this and other
-- functions keep a plan made on empty tables from reading whole ones later.
create function check_deliveries() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (
    select from added n
    left join webhook_endpoint e on e.workspace = n.workspace and e.id = n.endpoint_id
    left join event v on v.workspace = n.workspace and v.sequence = n.sequence
    where e.id is null or v.resource_id is distinct from n.resource_id
  ) then
    raise exception 'a delivery has no endpoint, or no event of its resource'
      using errcode = '23503', constraint = 'delivery_references';
  end if;
  return null;
end $$;
create trigger delivery_references after insert on delivery
  referencing new table as added for each statement execute function check_deliveries();

-- What each request led to; its rows never change. Of an answer only its length is kept, and for a
-- refusal in plain text a masked excerpt: a receiver may echo our token or a person's data.
create table delivery_attempt (
  workspace integer not null,
  endpoint_id uuid not null,
  sequence bigint not null,
  number integer not null check (number >= 1),
  at timestamptz not null,
  -- Null when there was no answer; then reason says why.
  status smallint,
  reason text collate "C",
  duration_ms integer not null check (duration_ms >= 0),
  answer_bytes integer not null default 0 check (answer_bytes >= 0),
  excerpt text check (length(excerpt) <= 200),
  primary key (workspace, endpoint_id, sequence, number),
  check (status is not null or reason is not null)
);
create index delivery_attempt_at on delivery_attempt using brin (at);
create trigger delivery_attempt_append_only before update or truncate on delivery_attempt
  for each statement execute function refuse_change();

-- A request belongs to a delivery that counts at least as many.
create function check_delivery_attempts() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (
    select from added n
    left join delivery d
      on d.workspace = n.workspace and d.endpoint_id = n.endpoint_id and d.sequence = n.sequence
    where d.attempts is null or d.attempts < n.number
  ) then
    raise exception 'an attempt has no delivery that counts it'
      using errcode = '23503', constraint = 'delivery_attempt_references';
  end if;
  return null;
end $$;
create trigger delivery_attempt_references after insert on delivery_attempt
  referencing new table as added for each statement execute function check_delivery_attempts();

-- Rows that may be deleted once they are old enough in the time of their workspace, never before.
-- The trigger names the days; a delivery is as old as its event. [PD6]
create function refuse_early_delete() returns trigger language plpgsql as $$
declare
  age timestamptz;
begin
  if tg_table_name = 'delivery' then
    select at into age from event where workspace = old.workspace and sequence = old.sequence;
  else
    age := old.at;
  end if;
  if age is null or age > clock_timestamp() - tg_argv[0]::interval
    + (select clock_offset from workspace where workspace = old.workspace) then
    raise exception '% is kept longer', tg_table_name
      using errcode = '23514', constraint = tg_table_name || '_kept';
  end if;
  return old;
end $$;
create trigger delivery_old before delete on delivery
  for each row when (old.state <> 'pending') execute function refuse_early_delete('90 days');
create trigger delivery_pending before delete on delivery
  for each row when (old.state = 'pending') execute function refuse_change();
create trigger delivery_attempt_old before delete on delivery_attempt
  for each row execute function refuse_early_delete('30 days');
