-- The audit: what people and settings did, and every change of identity, in a chain of signed
-- blocks for each workspace. The steps of money write nothing here: no sale waits for a row of the
-- audit. Workspace 0 is the installation itself.

-- What people and settings did where no lifecycle says so; written with the act. Append-only. [M2]
create table audit_entry (
  workspace integer not null,
  id uuid not null,
  at timestamptz not null,
  actor text collate "C" not null check (actor <> ''),
  act text collate "C" not null check (act ~ '^[a-z_]+$'),
  -- Id of what it was done to; '' where the act names all.
  subject text collate "C" not null,
  -- JSON of ids and codes; never personal data.
  detail text not null,
  primary key (workspace, id)
);
-- The acts on a resource. The id leads, so that no planner takes it for the workspace alone.
create index audit_entry_subject on audit_entry (subject, workspace);
select append_only('audit_entry');

-- Steps and entries that lie in no block yet; emptied by the loop that makes blocks. The order of
-- numbers is not the order of commits: a row lies here from its commit on, however late that is.
create table audit_pending (
  workspace integer not null,
  at timestamptz not null,
  id uuid not null,
  version integer not null, -- of the step; 0 for an entry
  primary key (workspace, at, id, version)
);

-- A link of a workspace's chain. It covers the rows of audit_line and a range of the event stream.
-- Append-only. [M2]
create table audit_block (
  workspace integer not null,
  number bigint not null check (number >= 1),
  -- SHA-256 of hash and signature of the block before; empty in the first.
  previous bytea not null,
  at timestamptz not null,
  lines integer not null check (lines >= 0),
  first_event bigint not null check (first_event >= 1),
  last_event bigint not null check (last_event >= first_event - 1),
  -- The public half of the key that signed, base64url.
  key text collate "C" not null,
  hash bytea not null check (length(hash) = 32),
  signature bytea not null check (length(signature) = 64),
  -- The first eight bytes of each row's digest: they name the row that was changed.
  marks bytea not null,
  primary key (workspace, number)
);
select append_only('audit_block');

-- Which steps and entries a block covers, in its order; each lies in one block. Append-only. [M2]
create table audit_line (
  workspace integer not null,
  block bigint not null,
  line integer not null check (line >= 1),
  id uuid not null,
  version integer not null,
  primary key (workspace, block, line),
  unique (workspace, id, version)
);
select append_only('audit_line');

-- A key that signs blocks: its private half, wrapped by a master key. A key that does not open with
-- the master keys is not this installation's.
create table audit_key (
  key text collate "C" primary key,
  wrapped_key text not null,
  created timestamptz not null default clock_timestamp(),
  -- From then on it signs nothing.
  retired timestamptz
);
-- One key signs at a time, also when two processes start at once.
create unique index audit_key_active on audit_key ((retired is null)) where retired is null;
select keep_rows('audit_key');

-- A step that is audited waits for its block.
create function await_audit_of_step() returns trigger language plpgsql as $$
begin
  insert into audit_pending (workspace, at, id, version)
    values (new.workspace, new.at, new.resource_id, new.version);
  return null;
end $$;
-- Every lifecycle is audited but those of sales and their payments at the processor, and of these
-- what a person decided. The condition is checked for each row without a call.
create trigger step_audited after insert on step for each row
  when (new.machine not in ('invoice', 'escrow', 'deposit', 'attempt', 'transfer')
    or (new.machine in ('attempt', 'transfer')
      and new.event in ('accept', 'give_back', 'retry')))
  execute function await_audit_of_step();

-- An entry waits for its block.
create function await_audit_of_entry() returns trigger language plpgsql as $$
begin
  insert into audit_pending (workspace, at, id, version) values (new.workspace, new.at, new.id, 0);
  return null;
end $$;
create trigger audit_entry_audited after insert on audit_entry for each row
  execute function await_audit_of_entry();
