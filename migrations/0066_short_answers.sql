-- Kept answers of sales in a form without what is known of them: their record is an invoice, and
-- their time is that of the invoice's step. And an index that holds hashes of their keys. Every
-- reader of this release knows both, and nothing has them before the upgrade is finished.
alter table idempotency alter column created drop not null;
alter table idempotency_past alter column created drop not null;

-- Until the upgrade is finished an answer says what nodes of 0.2 read of it. `holdfast migrate
-- --finish` drops the triggers.
create function store_old_answer() returns trigger language plpgsql as $$
begin
  new.record := 'invoice';
  new.created := clock_timestamp();
  return new;
end $$;
create trigger idempotency_form before insert on idempotency
  for each row when (new.record is null and new.record_id is not null)
  execute function store_old_answer();
create trigger idempotency_form before insert on idempotency_past
  for each row when (new.record is null and new.record_id is not null)
  execute function store_old_answer();

-- How many characters of a request's fingerprint are kept: nodes of 0.2 compare all. From the end
-- of the upgrade on 14: 84 bits tell the requests under one key apart.
create function kept_print() returns int language sql stable as 'select 22';

-- Has an empty table of kept answers hold its keys by their hashes: 96 bits in 12 bytes, in place
-- of the 23 of a key. Two keys with the same hashes would be one too many for it, never one too
-- few: keys are random, and a workspace has millions of them.
create function hash_keys(of_table text) returns void language plpgsql as $$
declare
  is_used boolean;
  key name;
begin
  execute format('select exists (select from only %I)', of_table) into is_used;
  select conname into key from pg_constraint
    where conrelid = of_table::regclass and contype = 'p';
  if is_used or key is null then
    return;
  end if;
  execute format('create unique index on %I
    (workspace, hashtext(scope), hashtextextended(scope, 1))', of_table);
  execute format('alter table %I drop constraint %I', of_table, key);
end $$;

-- As before, by either index.
create or replace function refuse_past_key() returns trigger language plpgsql as $$
begin
  if not exists (select from idempotency_past
    where workspace = new.workspace and scope = new.scope
      and hashtext(scope) = hashtext(new.scope)
      and hashtextextended(scope, 1) = hashtextextended(new.scope, 1)) then
    return new;
  elsif new.status = 0 then
    return null;
  end if;
  raise exception 'the key has an answer'
    using errcode = '23505', constraint = 'idempotency_pkey';
end $$;

-- As before; once the upgrade is finished, the table that was emptied holds its keys by hashes.
create or replace function turn_generation(of_table text) returns boolean language plpgsql
  security definer set search_path = public, pg_temp set lock_timeout = '50ms' as $$
declare
  past text := of_table || '_past';
  until timestamptz;
  was_used boolean;
  moment timestamptz;
begin
  select since into until from generation
    where name = of_table and since <= clock_timestamp() - keeps for update skip locked;
  if until is null then
    return false;
  end if;
  -- Whoever wrote to either table has committed, and nobody else begins to.
  execute format('lock table %I in access exclusive mode', of_table);
  execute format('select exists (select from %I)', past) into was_used;
  moment := clock_timestamp();
  if of_table = 'delivery' then
    insert into delivery select * from delivery_past where state = 'pending';
  end if;
  execute format('alter table %I no inherit %I', past, of_table);
  -- Its triggers refuse this to everybody else.
  execute format('alter table %I disable trigger user', past);
  execute format('truncate %I', past);
  execute format('alter table %I enable trigger user', past);
  if of_table = 'idempotency' and exists (select from migration
    where name = '0066_short_answers.sql' and needs is not null) then
    perform hash_keys(past);
  end if;
  execute format('alter table %I rename to generation_turning', past);
  execute format('alter table %I rename to %I', of_table, past);
  execute format('alter table generation_turning rename to %I', of_table);
  execute format('alter table %I inherit %I', past, of_table);
  if of_table = 'idempotency' then
    -- For an hour also for answers: whoever looked a key up before this moment may still write.
    execute format('create or replace trigger idempotency_past_key before insert on idempotency
      for each row when (new.status = 0 or clock_timestamp() < %L)
      execute function refuse_past_key()', moment + interval '1 hour');
  end if;
  update generation set since = moment where name = of_table;
  if was_used then
    insert into audit_entry (workspace, id, at, actor, act, subject, detail)
    values (0, gen_random_uuid(), moment, 'system', 'retention_applied', '',
      json_build_object('class', of_table, 'until', until));
  end if;
  return true;
exception when lock_not_available then
  return false;
end $$;
