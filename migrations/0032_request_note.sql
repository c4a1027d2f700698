-- What explains a resource in the sandbox: which calls named it, and how a world's own time ran
-- beside real time. Notes are beside the work: written later, in batches, and lost without harm.

-- A call that named an id: in its address, in its body, or first in its answer; one row for each
-- such id, so that one look in the key finds all calls of a resource and no array is indexed. Codes
-- and ids only. Nothing refers to it and it refers to nothing; kept for seven days. Staging only.
create table request_note (
  world integer not null,
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
  primary key (world, named, at, id)
);
create index request_note_at on request_note using brin (at);
-- A crash of the database may empty it: notes beside the work are worth no flush of the log.
alter table request_note set unlogged;

-- How far a world's time was ahead of real time from a moment on; so each can be told from the
-- other long after the clock was moved again.
create table clock_move (
  world integer not null references world,
  -- Real time from which the offset counts.
  at timestamptz not null,
  clock_offset interval not null,
  primary key (world, at)
);
create trigger clock_move_append_only before update or delete or truncate on clock_move
  for each statement execute function refuse_change();

-- Every change of a world's clock is written down, whoever makes it.
create function note_clock() returns trigger language plpgsql as $$
begin
  insert into clock_move (world, at, clock_offset)
    values (new.world, clock_timestamp(), new.clock_offset) on conflict do nothing;
  return null;
end $$;
create trigger world_clock_born after insert on world for each row execute function note_clock();
create trigger world_clock_moved after update of clock_offset on world for each row
  when (old.clock_offset is distinct from new.clock_offset) execute function note_clock();
insert into clock_move (world, at, clock_offset) select world, created, clock_offset from world;

-- The events of a resource, its acts in the audit, and what a wallet's keeping back belongs to are
-- looked for by it. The id leads: an index that can be used for the world alone may win, on a table
-- of which little is known, over the key that another question means, and then reads the world.
create index event_resource on event (resource_id, world);
create index audit_entry_subject on audit_entry (subject, world);
create index wallet_kept_back on wallet (kept_back_id, world);
