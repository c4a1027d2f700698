-- What only the sandbox has: snapshots of workspaces, calls that explain a resource, and simulators
-- of the identity vendor and of webhook receivers. Nothing of ours refers to the simulators' tables
-- and they refer to nothing of ours. The rows of snapshots lie in tables `stored_<table>`, which a
-- start in staging makes beside the tables they are of; production has none of them.

-- A frozen state of a workspace. Its rows in snapshot storage carry its number where others carry
-- their workspace.
create table snapshot (
  id uuid primary key,
  number integer generated always as identity unique,
  integrator uuid not null references tenant,
  -- The lineage of the workspace that it was taken of; a clone belongs to the same.
  lineage integer not null references workspace,
  -- The id of that workspace in the interface.
  world_id uuid not null,
  -- For people.
  name text not null check (octet_length(name) between 1 and 400),
  -- False: nobody asked for it by name. It is how a workspace began, and goes with the last such
  -- workspace.
  listed boolean not null,
  -- When it was taken, by this database's clock and by the workspace's.
  taken timestamptz not null,
  taken_virtual timestamptz not null,
  -- The tables that have rows in it; only these are cloned.
  tables text[] collate "C" not null,
  -- Accounts, invoices, escrows and the like, each counted once; and rows of any table.
  objects bigint not null check (objects >= 0),
  row_count bigint not null check (row_count >= objects),
  -- Digest of the columns of all cloned tables: a release that changed them cannot restore it.
  shape text collate "C" not null
);
create index snapshot_tenant on snapshot (integrator, taken);

-- A workspace that began as a snapshot which is deleted cannot be reset any more.
alter table workspace add constraint workspace_began_as
  foreign key (snapshot_id) references snapshot on delete set null;
create index workspace_snapshot on workspace (snapshot_id) where snapshot_id is not null;

-- A call that named an id: in its address, in its body, or first in its answer; one row for each
-- such id, so that one read by the key finds all calls of a resource and no array is indexed. Codes
-- and ids only. Written later, in batches, and lost without harm: a crash of the database may empty
-- it, and nothing refers to it. Kept for seven days. Staging only.
create table request_note (
  workspace integer not null,
  -- What was named; for a call that met a fault also the reference that its answer gave.
  named uuid not null,
  -- Real time at which the call came in.
  at timestamptz not null,
  id uuid not null,
  operation text collate "C" not null,
  caller text collate "C" not null check (caller in ('client', 'user', 'session')),
  client_id text collate "C" not null,
  account_id text collate "C",
  status smallint not null,
  took_ms integer not null check (took_ms >= 0),
  -- JSON of the refusal's row in the catalogue; null for a success and for a fault.
  refusal text,
  -- Keyed hash of the Idempotency-Key and its sender; null where none was sent.
  scope text collate "C",
  primary key (workspace, named, at, id)
);
alter table request_note set unlogged;
create index request_note_at on request_note using brin (at);

-- One check of a person for each key of the caller; the primary key is what makes it happen once. A
-- key that was to be erased stays as a name without anything, so that a call that comes late finds
-- it. No personal data: of what was handed in there is a digest, keyed with a key that the database
-- does not have.
create table vendor_check (
  workspace integer not null,
  key text collate "C" not null,
  -- Keyed digest of lineage, key, person and files: another person under the key is found out.
  digest text collate "C",
  -- Name of a row of the list of test persons, or of how everybody else is decided.
  person text collate "C",
  reference text collate "C",
  state text collate "C" not null
    check (state in ('pending', 'accepted', 'denied', 'review', 'incomplete', 'forgotten')),
  -- Codes of what was wrong, and results of rules as `<rule>:<digit>`.
  reasons text[] not null default '{}',
  rules text[] not null default '{}',
  created timestamptz not null default clock_timestamp(),
  updated timestamptz not null default clock_timestamp(),
  primary key (workspace, key),
  unique (workspace, reference),
  check ((state = 'forgotten') = (digest is null)),
  check (num_nulls(digest, person, reference) in (0, 3)),
  check (state not in ('pending', 'forgotten') or (reasons = '{}' and rules = '{}'))
);
select keep_rows('vendor_check');

-- A vendor may change its decision, but not the person; what was erased is not remembered.
create function check_vendor_check() returns trigger language plpgsql as $$
begin
  if (old.workspace, old.key) is distinct from (new.workspace, new.key) or old.state = 'forgotten'
  or (new.state <> 'forgotten' and (old.digest, old.person, old.reference) is distinct from
    (new.digest, new.person, new.reference))
  or (new.state = 'pending' and old.state <> 'pending') then
    raise exception 'a check of the sandbox vendor breaks its lifecycle'
      using errcode = '23514', constraint = 'vendor_check_legal';
  end if;
  return new;
end $$;
create trigger vendor_check_legal before update on vendor_check
  for each row execute function check_vendor_check();

-- How often each call was made under a key: a test person misbehaves the first time only.
create table vendor_exchange (
  workspace integer not null,
  key text collate "C" not null,
  operation text collate "C" not null check (operation in ('begin', 'look', 'forget')),
  -- The person of `vendor_check`, also where no check was made.
  token text collate "C" not null,
  times integer not null default 1 check (times >= 1),
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  primary key (workspace, key, operation)
);

-- Scripted answers that are still to be given, oldest first; they go before what a person does.
create table vendor_script (
  workspace integer not null,
  number bigint generated always as identity,
  operation text collate "C" not null check (operation in ('begin', 'look', 'forget')),
  -- The person that it is for; '' for whoever comes next.
  token text collate "C" not null default '',
  exchange text collate "C" not null,
  -- How many calls it still governs.
  remaining integer not null check (remaining >= 0),
  primary key (workspace, number)
);
create index vendor_script_waiting on vendor_script (workspace, operation, number)
  where remaining > 0;

-- Webhooks to be posted; each is repeated until it was received, or given up.
create table vendor_notice (
  workspace integer not null,
  number bigint generated always as identity,
  key text collate "C" not null,
  -- True when the answer of a call said the same: it may stay unsent where there are many.
  ordinary boolean not null,
  -- How many times it is still to be received.
  remaining smallint not null check (remaining >= 0),
  sent smallint not null default 0,
  tries smallint not null default 0,
  due timestamptz not null,
  created timestamptz not null default clock_timestamp(),
  -- True while it is being posted; then `due` is the end of that try.
  posting boolean not null default false,
  primary key (workspace, number)
);
create index vendor_notice_due on vendor_notice (ordinary, due) where remaining > 0;
create index vendor_notice_key on vendor_notice (workspace, key);

-- What becomes of a check by itself, later.
create table vendor_due (
  workspace integer not null,
  key text collate "C" not null,
  event text collate "C" not null check (event in ('accept', 'deny', 'review', 'ask')),
  due timestamptz not null,
  primary key (workspace, key, event)
);

-- A receiver of events at one endpoint. Its address names its id alone, so a clone keeps it; who
-- sends says which workspace it is. It holds no secret: it asks for its endpoint's when a request
-- comes, and the token of a request is not kept.
create table receiver (
  workspace integer not null,
  id uuid not null,
  endpoint_id uuid not null,
  created timestamptz not null default clock_timestamp(),
  -- When it was taken away: its requests stay, and nothing is answered any more.
  ended timestamptz,
  primary key (workspace, id),
  -- An endpoint leads to one receiver.
  unique (workspace, endpoint_id)
);
-- Found by its address when a request comes.
create index receiver_address on receiver (id, workspace);

-- How often each event came to each receiver.
create table receiver_exchange (
  workspace integer not null,
  -- `<receiver>/<event>`.
  key text collate "C" not null,
  -- There is one call that a receiver gets.
  operation text collate "C" not null check (operation = 'deliver'),
  -- The receiver.
  token text collate "C" not null,
  times integer not null default 1 check (times >= 1),
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  primary key (workspace, key, operation)
);

-- Scripted answers that are still to be given, oldest first; without one a receiver says 200.
create table receiver_script (
  workspace integer not null,
  number bigint generated always as identity,
  operation text collate "C" not null check (operation = 'deliver'),
  -- The receiver that it is for; '' for whichever is called next.
  token text collate "C" not null default '',
  exchange text collate "C" not null,
  -- How many answers it still governs.
  remaining integer not null check (remaining >= 0),
  primary key (workspace, number)
);
create index receiver_script_waiting on receiver_script (workspace, operation, number)
  where remaining > 0;

-- What came, exactly as it came, and what was answered; the last thousand of each receiver.
create table receiver_request (
  workspace integer not null,
  number bigint generated always as identity,
  receiver_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  -- Empty where the request named none.
  event_id text collate "C" not null,
  -- Those of a delivery, without its token.
  headers jsonb not null,
  body text not null,
  -- All three headers of a signature were there, and could be read.
  signed boolean not null,
  -- Their time was not more than five minutes away.
  fresh boolean not null,
  -- The bytes were signed with a secret of the endpoint.
  authentic boolean not null,
  -- It carried a bearer token.
  token boolean not null,
  -- How it was answered, as scripts name it.
  exchange text collate "C" not null,
  -- Null: no answer that could be read.
  status smallint,
  primary key (workspace, number),
  foreign key (workspace, receiver_id) references receiver (workspace, id)
);
create index receiver_request_of on receiver_request (workspace, receiver_id, number);

-- A simulator that lets its caller wait, so that a silence of a minute ends when the clock is moved
-- on by one. Removed when the wait is over; after an hour where the process died meanwhile.
create table sandbox_wait (
  workspace integer not null,
  number bigint generated always as identity,
  -- The caller's key of the call.
  key text collate "C" not null,
  -- Real time; pulled nearer when the clock moves.
  until timestamptz not null,
  -- True where something still changes at the simulator afterwards.
  effect boolean not null,
  primary key (workspace, number)
);
