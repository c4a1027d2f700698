-- Lifecycles with their history, answers that are given again, and the stream of events.

-- Legal moves of every lifecycle, loaded from the code's rows at start; staging has its own arrows.
create table machine_move (
  machine text collate "C" not null,
  from_state text collate "C" not null, -- '' before the first move
  event text collate "C" not null,
  to_state text collate "C" not null,
  primary key (machine, from_state, event, to_state)
);

-- History: one row for each move of each resource; append-only.
create table step (
  workspace integer not null,
  resource_id uuid not null,
  version integer not null check (version >= 1),
  machine text collate "C" not null,
  from_state text collate "C" not null,
  event text collate "C" not null,
  to_state text collate "C" not null,
  at timestamptz not null,
  actor text collate "C" not null,
  -- JSON facts of the move, such as a failure code; never personal data.
  detail text,
  primary key (workspace, resource_id, version)
);
select append_only('step');

-- A step is an arrow of its lifecycle, starts where the last one ended, and is not before it. All
-- that differs in a batch are a few arrows, so each is looked up once; a first step has none before
-- it to look for.
create function check_steps() returns trigger language plpgsql as $$
begin
  if exists (
    select from (
      select distinct machine, from_state, event, to_state, version = 1 as born from added) n
    left join machine_move m
      on m.machine = n.machine and m.from_state = n.from_state
      and m.event = n.event and m.to_state = n.to_state
    where m.machine is null or n.born <> (n.from_state = '')
  ) or exists (
    select from added n
    left join step p
      on p.workspace = n.workspace and p.resource_id = n.resource_id and p.version = n.version - 1
    where n.version > 1 and (
      p.to_state is distinct from n.from_state
      or p.machine is distinct from n.machine
      or p.at > n.at)
  ) then
    raise exception 'a step breaks its lifecycle'
      using errcode = '23514', constraint = 'step_legal';
  end if;
  return null;
end $$;
create trigger step_legal after insert on step
  referencing new table as added for each statement execute function check_steps();

-- A resource's current-state row says what its last step says. One function for every table with
-- the columns workspace, id, state, version.
create function check_heads() returns trigger language plpgsql as $$
begin
  if exists (
    select from changed n
    left join step s on s.workspace = n.workspace and s.resource_id = n.id and s.version = n.version
    left join step l on l.workspace = n.workspace and l.resource_id = n.id
    and l.version = n.version + 1
    where s.to_state is distinct from n.state or l.version is not null
  ) then
    raise exception '% contradicts its history', tg_table_name
      using errcode = '23514', constraint = tg_table_name || '_head';
  end if;
  return null;
end $$;

-- Guards a table of current-state rows: each agrees with its history and is never deleted.
create function guard_lifecycle(of_table text) returns void language plpgsql as $$
begin
  perform keep_rows(of_table);
  execute format('create trigger %s_head_insert after insert on %1$s
    referencing new table as changed for each statement execute function check_heads()', of_table);
  execute format('create trigger %s_head_update after update on %1$s
    referencing new table as changed for each statement execute function check_heads()', of_table);
end $$;

-- Every part of a write touches as many rows as were read under lock; the engine's one statement
-- for a batch ends with this. [R1]
create function assert_counts(expected bigint[], touched bigint[]) returns void
language plpgsql as $$
begin
  if expected <> touched then
    raise exception 'a write touched another number of rows than were read'
      using errcode = '23514', constraint = 'write_count';
  end if;
end $$;

-- Answers of commands that changed something, by the caller's Idempotency-Key. [G-44]
create table idempotency (
  workspace integer not null,
  scope text collate "C" not null,
  fingerprint text collate "C" not null,
  status smallint not null,
  -- The record that the answer showed, composed again for a repetition; or the answer itself.
  record text collate "C",
  record_id uuid,
  record_version integer,
  answer text,
  created timestamptz not null default clock_timestamp(),
  primary key (workspace, scope)
);
create index idempotency_created on idempotency using brin (created);

-- A secret within such an answer, sealed; deleted when it expires. [G-44]
create table kept_secret (
  workspace integer not null references workspace,
  scope text collate "C" not null,
  -- Its path in the payload, such as `token.access_token`.
  place text collate "C" not null,
  wrapped_key text not null,
  sealed text not null,
  expires timestamptz not null,
  primary key (workspace, scope, place)
);
create index kept_secret_expires on kept_secret (expires);

-- Events of committed steps that have no sequence number yet; emptied by the sealing loop.
create table outbox (
  workspace integer not null,
  resource_id uuid not null,
  resource_version integer not null,
  event_id uuid not null,
  name text collate "C" not null,
  at timestamptz not null,
  -- The record to compose the message from, or the message itself.
  record text collate "C",
  message text,
  -- In the order in which the sealing loop takes them.
  primary key (workspace, at, resource_id, resource_version, event_id)
);

-- The sealed stream: gapless for each workspace, append-only, the exact bytes that are delivered.
-- [G-60]
create table event (
  workspace integer not null,
  sequence bigint not null check (sequence >= 1),
  event_id uuid not null,
  name text collate "C" not null,
  resource_id uuid not null,
  resource_version integer not null,
  at timestamptz not null,
  -- The bytes, for an event that carries its message; else null.
  body text,
  -- Kind of record at resource_version from which the body is composed; else null.
  record text collate "C",
  primary key (workspace, sequence),
  check ((body is null) <> (record is null))
);
-- An event is sealed once, whatever happens to the loop that seals it. The id leads here and in
-- `event_resource`: on a table of which little is known, a planner may take an index that can be
-- used for the workspace alone, and then reads all events of the workspace.
create unique index event_by_id on event (event_id, workspace);
create index event_resource on event (resource_id, workspace);
select append_only('event');

-- Where the sealing loop of each workspace stands; written by that loop alone.
create table seal (
  workspace integer primary key references workspace,
  sequence bigint not null default 0
);

-- Epochs of the event streams: one row each time that an operator said that the database was
-- restored. Events up to the number `after` are what they were; numbers above it were given to
-- others before. [G-63]
create table event_epoch (
  workspace integer not null references workspace,
  number integer not null check (number > 0),
  epoch uuid not null,
  after bigint not null check (after >= 0),
  began timestamptz not null,
  primary key (workspace, number)
);
