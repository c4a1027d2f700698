-- Matching: who among the other persons of a world an application may be of. What is compared lies
-- sealed with each person's own key; what is searched are keyed hashes of combined fields. [G-53]

-- What of a person is compared, and under which hashes the person is found. A row goes when the
-- person is erased; until then only newer statements of the same person change it. Written beside
-- the engine under the lock of account_person alone, so it has no references: their locks would
-- come in another order than the engine's.
create table match_person (
  world integer not null,
  id uuid not null, -- the account
  -- The person's latest statements, sealed with the person's key; opened for candidates only.
  sealed bytea not null,
  -- The first eight bytes of each keyed hash.
  keys bigint[] not null check (cardinality(keys) <= 512),
  primary key (world, id)
);

-- The same hashes the other way round: who is found under one. Only the function below writes it,
-- from rows that name their account, so it needs no reference of its own.
create table match_key (
  world integer not null,
  key bigint not null,
  id uuid not null, -- the account
  primary key (world, key, id)
);

-- Everybody is found under their own hashes and under no other; nobody who was erased is. [PD3]
create function spread_match_keys() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from match_key m using unnest(old.keys) as k
    where m.world = old.world and m.key = k and m.id = old.id
      and (tg_op = 'DELETE' or k <> all (new.keys));
  end if;
  if tg_op <> 'DELETE' then
    if exists (select from account_person p
      where p.world = new.world and p.id = new.id and p.wrapped_key = 'erased') then
      raise exception 'an erased person is matched again'
        using errcode = '23514', constraint = 'match_person_erased';
    end if;
    insert into match_key (world, key, id) select new.world, unnest(new.keys), new.id
      on conflict do nothing;
  end if;
  return null;
end $$;
create trigger match_person_keys after insert or update or delete on match_person
  for each row execute function spread_match_keys();
create trigger match_person_kept before truncate on match_person
  for each statement execute function refuse_change();

-- Matches that an application was found to have when it was made. They stay as they were found,
-- until one of the two persons is erased. Without references, for the same reason.
create table match_check (
  world integer not null,
  id uuid not null,
  application_id uuid not null,
  account_id uuid not null,
  -- The other person, and which of that person's applications is alike.
  matched_account_id uuid not null,
  matched_application_id uuid not null,
  -- In ten-thousandths.
  score integer not null check (score between 1 and 10000),
  created timestamptz not null default clock_timestamp(),
  primary key (world, id),
  unique (world, application_id, matched_account_id),
  check (account_id <> matched_account_id)
);
create index match_check_account on match_check (world, account_id);
create index match_check_matched on match_check (world, matched_account_id);

-- A match found once is history, unless it tells of somebody who was erased. [PD3]
create function keep_match() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (select from account_person p where p.world = old.world
    and p.id in (old.account_id, old.matched_account_id) and p.wrapped_key = 'erased') then
    return old;
  end if;
  raise exception 'a match is changed'
    using errcode = '23514', constraint = 'match_check_kept';
end $$;
create trigger match_check_kept before update or delete on match_check
  for each row execute function keep_match();
create trigger match_check_whole before truncate on match_check
  for each statement execute function refuse_change();

-- Applications that were not compared yet: a check at the vendor compares its own first, a beat of
-- the worker the rest. Begun with every application that holds a person's data.
create table match_job (
  world integer not null,
  application_id uuid not null,
  account_id uuid not null,
  due timestamptz not null default clock_timestamp(),
  primary key (world, application_id)
);
create index match_job_due on match_job (due);

-- No application is forgotten: its job is made in the same commit, whoever makes it.
create function begin_match() returns trigger language plpgsql as $$
begin
  insert into match_job (world, application_id, account_id)
    select world, id, account_id from added where form <> '' and sealed is not null;
  return null;
end $$;
create trigger kyc_application_match after insert on kyc_application
  referencing new table as added for each statement execute function begin_match();

-- Those that were made before there was matching are compared too, once.
insert into match_job (world, application_id, account_id)
  select world, id, account_id from kyc_application where form <> '' and sealed is not null;
