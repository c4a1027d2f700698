-- Tenants, their workspaces and clocks, and the guards that later files put on their tables.
-- Rules for every table: `workspace` names the workspace and leads the key, so that a row cannot
-- refer to another tenant's. Text keys have `collate "C"`. Tables that many transactions write hold
-- their references by statement-level triggers instead of foreign keys: the rows referred to are
-- never deleted, so a look-up without a lock is proof enough, and no batch locks another's parent
-- row.

-- Facts of the installation, such as the environment that its data belongs to. [G-04]
create table installation (
  name text collate "C" primary key,
  value text not null
);

-- One row that every process writes once a second, to learn whether the database takes writes: one
-- that is full, read-only or away does not.
create table heartbeat (
  at timestamptz not null
);
-- One row and no other.
create unique index heartbeat_one on heartbeat ((true));
insert into heartbeat (at) values (clock_timestamp());

-- Refuses every change: the function behind every `..._append_only` and `..._kept` trigger.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name
    using errcode = '23514', constraint = tg_table_name || '_append_only';
end $$;

-- Makes a table append-only: its rows are neither changed nor deleted.
create function append_only(of_table text) returns void language plpgsql as $$
begin
  execute format('create trigger %s_append_only before update or delete or truncate on %1$s
    for each statement execute function refuse_change()', of_table);
end $$;

-- Keeps the rows of a table: they may be changed, but are never deleted.
create function keep_rows(of_table text) returns void language plpgsql as $$
begin
  execute format('create trigger %s_kept before delete or truncate on %1$s
    for each statement execute function refuse_change()', of_table);
end $$;

-- Refuses a row that refers to nothing, under the name that a foreign key would have.
create function refuse_reference(of_constraint text) returns void language plpgsql as $$
begin
  raise exception 'a row refers to what is not there'
    using errcode = '23503', constraint = of_constraint;
end $$;

-- A customer of this installation; its id is the `integrator` of the interface.
create table tenant (
  integrator uuid primary key,
  name text not null,
  created timestamptz not null default clock_timestamp(),
  -- Limits of each process for this tenant, where an operator set them: all three or none; 0: no
  -- limit. [G-06]
  limit_in_flight integer check (limit_in_flight >= 0), -- requests at once
  limit_writes integer check (limit_writes >= 0), -- a second
  limit_reads integer check (limit_reads >= 0), -- a second
  constraint tenant_limits_whole
    check (num_nulls(limit_in_flight, limit_writes, limit_reads) in (0, 3))
);

-- The number of the next clone. Far above all others, so that a number alone tells a clone.
create sequence workspace_copy as integer start with 1000000000 minvalue 1000000000;

-- A workspace: all data of a tenant. In staging a tenant may have several, clones of one another.
-- What is derived from a workspace's number (ids of system accounts, bindings of sealed texts,
-- keyed hashes) is derived from its lineage, so that a clone keeps every id and opens every text.
-- In production every workspace is its own lineage and none is archived.
create table workspace (
  workspace integer generated always as identity primary key,
  integrator uuid not null references tenant,
  -- What the sandbox's clock adds to the database's time. Zero in production.
  clock_offset interval not null default '0',
  created timestamptz not null default clock_timestamp(),
  -- The lineage: the first workspace of the family. One that is no clone names itself.
  lineage integer not null references workspace,
  -- Its id in the interface.
  id uuid not null default gen_random_uuid(),
  -- For people.
  name text not null default 'main' check (octet_length(name) between 1 and 400),
  -- True for the workspace that commands and a start mean when they name the tenant.
  main boolean not null,
  -- When it was archived: its rows stay, and nothing works on them any more.
  ended timestamptz,
  -- What it began as: a reset goes back there. Null: it was made empty.
  snapshot_id uuid,
  -- Whose call moves the clock now, so that two calls take turns. A lease in real time, renewed at
  -- each step, because a process may die in the middle.
  clock_lease uuid,
  clock_leased_until timestamptz,
  -- The request that moves the clock, by its Idempotency-Key, and where to: repeated after a crash
  -- it goes on to the same moment.
  clock_scope text,
  clock_target timestamptz,
  constraint workspace_id unique (id),
  -- The number tells a clone from a workspace that is none.
  constraint workspace_copy_number check ((workspace >= 1000000000) = (lineage <> workspace))
);
-- One live workspace stands for a tenant.
create unique index workspace_main on workspace (integrator) where main and ended is null;
-- What is done for every workspace is done for the live ones, without reading the archived.
create unique index workspace_live on workspace (workspace) where ended is null;
-- Those that were archived lately: the audit seals what is pending of them.
create index workspace_ended on workspace (ended) where ended is not null;
create index workspace_live_tenant on workspace (integrator, workspace) where ended is null;

-- A workspace that names no lineage is its own; a tenant's first is its main one.
create function name_workspace_line() returns trigger language plpgsql as $$
begin
  new.lineage := coalesce(new.lineage, new.workspace);
  new.main := coalesce(new.main,
    not exists (select from workspace where integrator = new.integrator and main and ended
    is null));
  return new;
end $$;
create trigger workspace_line before insert on workspace
  for each row execute function name_workspace_line();

-- Lineage, tenant and id of a workspace never change, and an archived one stays so.
create function keep_workspace() returns trigger language plpgsql as $$
begin
  raise exception 'a workspace keeps its lineage, its tenant and its end'
    using errcode = '23514', constraint = 'workspace_kept';
end $$;
-- A clone that is still being made is archived since before all time: nobody reads it until the
-- last transaction of its creation.
create trigger workspace_kept before update on workspace
  for each row when (new.lineage <> old.lineage or new.integrator <> old.integrator
    or new.id <> old.id
    or (old.ended > '-infinity' and new.ended is distinct from old.ended))
  execute function keep_workspace();

-- How many times workspaces or their clients changed in a way that every running process must know:
-- its caches are invalid then. The lock of the one row puts the announcements in order.
create table cache_invalidation (
  epoch integer not null check (epoch >= 1)
);
-- One row and no other.
create unique index workspace_news_one on cache_invalidation ((true));
insert into cache_invalidation (epoch) values (1);

-- The time of a workspace. The sandbox's simulators live by it too; for a number that is no
-- workspace, as in their tests, it is the database's own.
create function workspace_now(of_workspace integer) returns timestamptz language sql volatile as $$
  select clock_timestamp()
    + coalesce((select clock_offset from workspace where workspace = of_workspace), interval '0')
$$;

-- How far the time of a workspace was ahead of real time from a moment on, so that each can be told
-- from the other after the clock was moved again.
create table clock_move (
  workspace integer not null references workspace,
  -- Real time from which the offset counts.
  at timestamptz not null,
  clock_offset interval not null,
  primary key (workspace, at)
);
select append_only('clock_move');

-- Every change of a workspace's clock is written down, whoever makes it.
create function note_clock() returns trigger language plpgsql as $$
begin
  insert into clock_move (workspace, at, clock_offset)
    values (new.workspace, clock_timestamp(), new.clock_offset) on conflict do nothing;
  return null;
end $$;
create trigger workspace_clock_born after insert on workspace for each row execute function
note_clock();
create trigger workspace_clock_moved after update of clock_offset on workspace for each row
  when (old.clock_offset is distinct from new.clock_offset) execute function note_clock();

-- Currencies that a workspace has enabled. [G-30]
create table workspace_currency (
  workspace integer not null references workspace,
  currency text collate "C" not null check (currency ~ '^[A-Z]{3,10}$'),
  digits smallint not null check (digits between 0 and 8),
  primary key (workspace, currency)
);
select keep_rows('workspace_currency');
-- What others refer to keeps its key.
create trigger workspace_currency_key before update on workspace_currency
  for each row when ((new.workspace, new.currency) <> (old.workspace, old.currency))
  execute function refuse_change();

-- What a tenant says about itself: the addresses of its pages, where people may be sent, how it
-- looks. One row for each workspace that changed something; without it the defaults hold. [G-64]
create table tenant_setting (
  workspace integer primary key references workspace,
  -- As people read it; null: the name that the tenant was made with.
  name text check (name <> ''),
  -- Sites that may hold our pages in a frame: `https://host[:port]`.
  registered_origins text[] not null check (cardinality(registered_origins) <= 50),
  -- Addresses that people may be sent to after a hosted page.
  return_addresses text[] not null check (cardinality(return_addresses) <= 50),
  -- Addresses that a login elsewhere may return to; also those of an app's own scheme.
  oauth_return_addresses text[] not null check (cardinality(oauth_return_addresses) <= 50),
  -- `#rrggbb`; null: ours.
  background_color text check (background_color ~ '^#[0-9a-f]{6}$'),
  primary_color text check (primary_color ~ '^#[0-9a-f]{6}$'),
  -- A data URI of a picture that was checked; '' for none.
  logo text not null check (logo = '' or logo ~ '^data:image/(png|jpeg);base64,'),
  preview_text text not null,
  -- How many changes there were.
  version integer not null check (version >= 1),
  updated timestamptz not null,
  -- A list of {"currency", "warning", "critical"}, in minor units; 0: that threshold is never
  -- passed. [G-61]
  wallet_alerts jsonb not null default '[]' check (jsonb_typeof(wallet_alerts) = 'array')
);
select keep_rows('tenant_setting');
