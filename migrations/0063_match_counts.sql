-- What the people of a tenant have in common, so that agreement on what many share says little.

-- Of each keyed hash of a value, such as a surname, how many persons have it; it names none of
-- them. Key 0 counts the persons, key 1 pairs of them that are alike in all that matters. [G-53]
create table match_count (
  workspace integer not null,
  -- The first eight bytes of the keyed hash.
  key bigint not null,
  n bigint not null,
  primary key (workspace, key)
);
alter table match_count alter column workspace set (n_distinct = 1);

-- What a person was counted under, sealed, so that exactly that is taken off again. Null: the
-- person was stored by a release that does not count, and is counted by a round of the worker.
alter table match_person add column counted bytea;
create index match_person_uncounted on match_person (workspace, id) where counted is null;

-- What is left to take off of persons who are gone; a round of the worker does it within seconds.
create table match_uncount (
  workspace integer not null,
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  counted bytea not null,
  primary key (workspace, id)
);
alter table match_uncount alter column workspace set (n_distinct = 1);

-- Nobody is removed without being taken off the counts, whichever release removes them. [PD3]
create function uncount_match() returns trigger language plpgsql as $$
begin
  insert into match_uncount (workspace, account_id, counted)
    values (old.workspace, old.id, old.counted);
  return null;
end $$;
create trigger match_person_uncount after delete on match_person
  for each row when (old.counted is not null) execute function uncount_match();
