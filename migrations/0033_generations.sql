-- Adds the past of tables whose rows end by their age: it is emptied at once, never row by row.

-- Tables in two generations. The table takes new rows; its child, named `<name>_past`, holds those
-- that came before `since`. When all of these have ended the child is emptied, and the two change
-- places. Reads, updates and locks by the table's name reach both.
create table generation (
  name text collate "C" primary key,
  -- How long a row is kept at least.
  keeps interval not null,
  since timestamptz not null default clock_timestamp()
);

-- Gives a table its past: a child with the same columns, rules, triggers and settings.
create function keep_generations(of_table text, keeps interval) returns void language plpgsql as $$
declare
  past text := of_table || '_past';
  made pg_class;
  definition text;
begin
  select * into strict made from pg_class where oid = of_table::regclass;
  execute format('create %s table %I (like %I including all)',
    case made.relpersistence when 'u' then 'unlogged' else '' end, past, of_table);
  for definition in select pg_get_triggerdef(oid) from pg_trigger
    where tgrelid = made.oid and not tgisinternal
  loop
    execute replace(definition, format(' ON public.%I ', of_table), format(' ON public.%I ', past));
  end loop;
  if made.reloptions is not null then
    execute format('alter table %I set (%s)', past, array_to_string(made.reloptions, ', '));
  end if;
  execute format('alter table %I alter column workspace set (n_distinct = 1)', past);
  execute format('alter table %I inherit %I', past, of_table);
  insert into generation values (of_table, keeps);
end $$;

-- Empties the past of a table and makes it the present one, and the present one the past; false
-- where the past is too young, or where somebody would have to wait for it. It acts as the owner,
-- for a server may neither empty nor rename a table, and does nothing before it is time. What is
-- not finished stays: a delivery that is pending goes on into the new past.
create function turn_generation(of_table text) returns boolean language plpgsql
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

-- A key that the past has is taken. A claim, which has no status yet, gets no row, as where the
-- table has the key; an answer is refused as by the primary key. The engine looks keys up before it
-- writes answers, in both generations, so an answer has to be checked soon after a turn alone.
create function refuse_past_key() returns trigger language plpgsql as $$
begin
  if not exists (select from idempotency_past
    where workspace = new.workspace and scope = new.scope) then
    return new;
  elsif new.status = 0 then
    return null;
  end if;
  raise exception 'the key has an answer'
    using errcode = '23505', constraint = 'idempotency_pkey';
end $$;
create trigger idempotency_past_key before insert on idempotency
  for each row when (new.status = 0) execute function refuse_past_key();

-- A provider's webhook that the past has seen gets no row, as where the table has it.
create function skip_past_notice() returns trigger language plpgsql as $$
begin
  if exists (select from processor_notice_seen_past
    where workspace = new.workspace and notice_id = new.notice_id) then
    return null;
  end if;
  return new;
end $$;
create trigger processor_notice_seen_past before insert on processor_notice_seen
  for each row execute function skip_past_notice();

-- As before, for a table and its past. Programs of the last release still delete rows one by one.
create or replace function refuse_early_delete() returns trigger language plpgsql as $$
declare
  age timestamptz;
begin
  if tg_table_name in ('delivery', 'delivery_past') then
    select at into age from event where workspace = old.workspace and sequence = old.sequence;
  else
    age := old.at;
  end if;
  if age is null or age > clock_timestamp() - tg_argv[0]::interval
    + (select clock_offset from workspace where workspace = old.workspace) then
    raise exception '% is kept longer', tg_table_name
      using errcode = '23514', constraint = tg_table_name || '_kept';
  end if;
  return old;
end $$;

-- They found what was old; each new row paid for them.
drop index idempotency_created, processor_notice_seen_at, request_note_at, delivery_attempt_at;

select keep_generations('idempotency', '30 days');
select keep_generations('processor_notice_seen', '30 days');
select keep_generations('request_note', '7 days');
select keep_generations('delivery', '90 days');
select keep_generations('delivery_attempt', '30 days');
