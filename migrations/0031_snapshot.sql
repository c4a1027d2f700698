-- Snapshots of a sandbox's worlds. Their rows lie on the shelf: tables `shelf_<table>` that a start
-- in staging makes beside the tables they are of, so that production has none of them.

-- A frozen state of a world. Its rows on the shelf carry its number where others carry their world.
create table snapshot (
  id uuid primary key,
  number integer generated always as identity unique,
  integrator uuid not null references tenant,
  -- Of the world that it was taken of: a copy belongs to the same line.
  line integer not null references world,
  -- The wire id of that world.
  world_id uuid not null,
  -- For people.
  name text not null check (octet_length(name) between 1 and 400),
  -- False: nobody asked for it by name. It is how a world began, and goes with the last such world.
  listed boolean not null,
  -- When it was taken, by this database's clock and by the world's.
  taken timestamptz not null,
  taken_virtual timestamptz not null,
  -- The tables that have rows in it; only these take part in a copy.
  tables text[] collate "C" not null,
  -- Accounts, invoices, escrows and the like, each counted once; and rows of any table.
  objects bigint not null check (objects >= 0),
  row_count bigint not null check (row_count >= objects),
  -- Digest of the columns of all copied tables: a release that changed them cannot restore it.
  shape text collate "C" not null
);
create index snapshot_tenant on snapshot (integrator, taken);

-- A world that began as a snapshot which is deleted cannot be reset any more.
alter table world add constraint world_began_as
  foreign key (snapshot_id) references snapshot on delete set null;
create index world_snapshot on world (snapshot_id) where snapshot_id is not null;

-- Of a world, line, tenant and id never change; one that has ended stays so. A copy that is still
-- being made has ended before all time: nobody asks about it until its last transaction.
drop trigger world_kept on world;
create trigger world_kept before update on world
  for each row when (new.line <> old.line or new.integrator <> old.integrator or new.id <> old.id
    or (old.ended > '-infinity' and new.ended is distinct from old.ended))
  execute function keep_world();

-- A copy of a world keeps the pages of its bank, as long as no other live world has them: one
-- address, several rows, the newest is the one that answers.
alter table processor_charge drop constraint processor_charge_challenge;
create unique index processor_charge_challenge on processor_charge (challenge, world);
