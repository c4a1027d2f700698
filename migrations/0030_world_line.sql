-- Worlds that are copies of others: the line they belong to, the one that stands for its tenant,
-- and worlds that have ended. Whatever is derived from a world's number (ids of house accounts,
-- places of sealed texts, keyed hashes) is derived from its line, so that a copy keeps every id and
-- opens every text. In production every world is its own line and none ends.

-- The number of the next copy. Far above all others, so that a number alone tells what it is.
create sequence world_copy as integer start with 1000000000 minvalue 1000000000;

alter table world
  -- The first world of the family; a world that is no copy names itself.
  add column line integer references world,
  -- What it is called on the wire.
  add column id uuid not null default gen_random_uuid(),
  -- For people.
  add column name text not null default 'main' check (octet_length(name) between 1 and 400),
  -- True for the world that operators' verbs and a start mean when they name the tenant.
  add column main boolean,
  -- When it ended: its rows stay, and nothing works on them any more.
  add column ended timestamptz,
  -- What it began as: a reset goes back there. Null: it was made empty.
  add column snapshot_id uuid;
update world w set line = world,
  main = not exists (select from world o where o.integrator = w.integrator and o.world < w.world);
alter table world
  alter column line set not null,
  alter column main set not null,
  add constraint world_id unique (id),
  -- The number tells a copy from a world that is none.
  add constraint world_copy_number check ((world >= 1000000000) = (line <> world));

-- One live world stands for a tenant.
create unique index world_main on world (integrator) where main and ended is null;
-- All that is done for every world is done for the live ones; the ended are not even passed over.
create unique index world_live on world (world) where ended is null;
-- Those that ended lately: the audit seals what is left of them.
create index world_ended on world (ended) where ended is not null;
create index world_live_tenant on world (integrator, world) where ended is null;

-- A world that names no line is its own; a tenant's first world is its main one.
create function name_world_line() returns trigger language plpgsql as $$
begin
  new.line := coalesce(new.line, new.world);
  new.main := coalesce(new.main,
    not exists (select from world where integrator = new.integrator and main and ended is null));
  return new;
end $$;
create trigger world_line before insert on world
  for each row execute function name_world_line();

-- Of a world, line, tenant and id never change; one that has ended stays so.
create function keep_world() returns trigger language plpgsql as $$
begin
  raise exception 'a world keeps its line, its tenant and its end'
    using errcode = '23514', constraint = 'world_kept';
end $$;
create trigger world_kept before update on world
  for each row when (new.line <> old.line or new.integrator <> old.integrator or new.id <> old.id
    or (old.ended is not null and new.ended is distinct from old.ended))
  execute function keep_world();

-- A link leads into the world in which it was asked for: a copy makes one of its own where the same
-- submission is repeated there.
alter table link drop constraint link_id_key, add constraint link_id_key unique (world, id);

-- How many times there was news of worlds and their clients that every running process must know.
-- One row; its lock puts the announcements in order.
create table world_news (
  epoch integer not null check (epoch >= 1)
);
-- One row and no other.
create unique index world_news_one on world_news ((true));
insert into world_news (epoch) values (1);
