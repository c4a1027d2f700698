-- Steps of sales in a form that names their moves by number. Two steps of one commit are one row.
-- Every reader of this release knows it, and nothing writes it before the upgrade is finished.

-- The moves of sales by number, as `machine from_state event to_state`. Rows hold the numbers, so
-- they never change; a move that is not here is stored by its names.
create function short_moves() returns text[] language sql immutable parallel safe as $$
  select array[
    'invoice  create open',
    'invoice open pay processing',
    'invoice processing payment_succeeded success',
    'invoice processing payment_failed failed',
    'invoice  commit success',
    'invoice  give_back success',
    'invoice  give_back processing',
    'escrow  create OPEN',
    'escrow OPEN payment_succeeded ESCROWED',
    'escrow OPEN payment_failed ESCROW-FAILED',
    'escrow ESCROWED commit COMMITTED',
    'escrow ESCROWED cancel CANCELLED',
    'escrow ESCROWED release ESCROWED',
    'escrow ESCROWED return ESCROWED',
    'escrow ESCROWED reschedule ESCROWED',
    'escrow ESCROWED deliver ESCROWED',
    'escrow ESCROWED near ESCROWED',
    'escrow ESCROWED release_on_date ESCROWED',
    'escrow ESCROWED release_on_date COMMITTED',
    'escrow ESCROWED return_on_date CANCELLED',
    'escrow ESCROWED warn ESCROWED',
    'escrow ESCROWED expire CANCELLED',
    'escrow ESCROWED expire COMMITTED']
$$;

-- A word of a move: 1 its machine, 2 from where, 3 by what, 4 to where; null for no number.
create function short_move(number int, word int) returns text
  language sql immutable parallel safe as $$
  select split_part((short_moves())[number], ' ', word)
$$;

-- The actor that these ids stand for: a client, or a user by a client.
create function short_actor(client uuid, account uuid) returns text
  language sql immutable parallel safe as $$
  select case when account is null then 'client:' || client::text
    else 'user:' || client::text || ':' || account::text end
$$;

-- `moved`: the number of the move, in place of its four names. From 256 on the row is two steps of
-- one commit, which differ in nothing else: the one with its version, and the one before it, whose
-- number is the rest of the division.
alter table step add column actor_client uuid, add column actor_account uuid,
  add column moved smallint,
  alter column machine drop not null, alter column from_state drop not null,
  alter column event drop not null, alter column to_state drop not null,
  alter column actor drop not null,
  add constraint step_named check (
    (moved is null and machine is not null and from_state is not null and event is not null
      and to_state is not null)
    or (moved > 0 and (moved < 256 or version > 1) and machine is null and from_state is null
      and event is null and to_state is null)) not valid,
  add constraint step_acted check ((actor is null) = (actor_client is not null)
    and (actor is null or actor_account is null)) not valid;

-- Every step of either form. All SQL that asks for a step's facts reads this.
create view history as
select workspace, resource_id, version,
  coalesce(machine, short_move(moved & 255, 1)) as machine,
  coalesce(from_state, short_move(moved & 255, 2)) as from_state,
  coalesce(event, short_move(moved & 255, 3)) as event,
  coalesce(to_state, short_move(moved & 255, 4)) as to_state,
  at, coalesce(actor, short_actor(actor_client, actor_account)) as actor, detail, request_id,
  trace_id
from step
union all
select workspace, resource_id, version - 1, short_move(moved >> 8, 1), short_move(moved >> 8, 2),
  short_move(moved >> 8, 3), short_move(moved >> 8, 4), at,
  coalesce(actor, short_actor(actor_client, actor_account)), null, request_id, trace_id
from step where moved >= 256;

-- As before, of either form. No step is told twice: neither alone and in a row of two, nor in two
-- such rows.
create or replace function check_steps() returns trigger language plpgsql as $$
begin
  if exists (
    with kind as (
      select distinct machine, from_state, event, to_state, moved, least(version, 3) as version
      from added
    ), each as (
      select coalesce(machine, short_move(moved & 255, 1)) as machine,
        coalesce(from_state, short_move(moved & 255, 2)) as from_state,
        coalesce(event, short_move(moved & 255, 3)) as event,
        coalesce(to_state, short_move(moved & 255, 4)) as to_state, version
      from kind
      union all
      select short_move(moved >> 8, 1), short_move(moved >> 8, 2), short_move(moved >> 8, 3),
        short_move(moved >> 8, 4), version - 1
      from kind where moved >= 256)
    select 1 from each n
    left join machine_move m
      on m.machine = n.machine and m.from_state = n.from_state
      and m.event = n.event and m.to_state = n.to_state
    where m.machine is null or (n.version = 1) <> (n.from_state = '')
    union all
    select 1 from kind where moved >= 256
      and (short_move(moved >> 8, 1), short_move(moved >> 8, 4))
        <> (short_move(moved & 255, 1), short_move(moved & 255, 2))
  ) or exists (
    select from added n
    left join step p
      on p.workspace = n.workspace and p.resource_id = n.resource_id
      and p.version = n.version - case when n.moved >= 256 then 2 else 1 end
    where n.version > case when n.moved >= 256 then 2 else 1 end and (
      coalesce(p.to_state, short_move(p.moved & 255, 4)) is distinct from coalesce(n.from_state,
        short_move(case when n.moved >= 256 then n.moved >> 8 else n.moved end, 2))
      or coalesce(p.machine, short_move(p.moved & 255, 1)) is distinct from
        coalesce(n.machine, short_move(n.moved & 255, 1))
      or p.at > n.at)
  ) or exists (
    select from added n
    join step p on p.workspace = n.workspace and p.resource_id = n.resource_id
      and p.version between n.version - 1 and n.version + 1
    where (p.version = n.version - 1 and n.moved >= 256)
      or (p.version = n.version + 1 and p.moved >= 256)
  ) then
    raise exception 'a step breaks its lifecycle'
      using errcode = '23514', constraint = 'step_legal';
  end if;
  return null;
end $$;

-- As before, of either form: a commit ends with the version of its last row.
create or replace function check_heads() returns trigger language plpgsql as $$
begin
  if exists (
    select from changed n
    left join step s on s.workspace = n.workspace and s.resource_id = n.id and s.version = n.version
    left join step l on l.workspace = n.workspace and l.resource_id = n.id
    and l.version between n.version + 1 and n.version + 2
    where coalesce(s.to_state, short_move(s.moved & 255, 4)) is distinct from n.state
      or l.version is not null
  ) then
    raise exception '% contradicts its history', tg_table_name
      using errcode = '23514', constraint = tg_table_name || '_head';
  end if;
  return null;
end $$;

-- As before, of either form: an entry may belong to the first of two steps in one row.
create or replace function check_postings() returns trigger language plpgsql as $$
begin
  if exists (
    select from added group by workspace, resource_id, version, currency having sum(amount) <> 0
  ) then
    raise exception 'postings do not balance'
      using errcode = '23514', constraint = 'posting_balanced';
  end if;
  if exists (
    select from added n
    left join step s
      on s.workspace = n.workspace and s.resource_id = n.resource_id
      and s.version between n.version and n.version + 1
      and (s.version = n.version or s.moved >= 256)
    left join ledger_account a on a.workspace = n.workspace and a.id = n.account_id
    where s.version is null or a.currency is distinct from n.currency
      or (a.kind in ('wallet', 'kept_back')) <> (n.account_version is not null)
  ) then
    raise exception 'a posting has no step, or no account of its currency'
      using errcode = '23514', constraint = 'posting_references';
  end if;
  if exists (
    select from added n
    left join posting p on p.workspace = n.workspace and p.account_id = n.account_id
      and p.account_version = n.account_version - 1
    left join balance b on b.workspace = n.workspace and b.id = n.account_id
    where n.account_version is not null and (
      case when n.account_version = 1 then 0 else p.balance_after end + n.amount
        is distinct from n.balance_after
      or b.version is null or b.version < n.account_version
      or (b.version = n.account_version and b.amount <> n.balance_after))
  ) then
    raise exception 'a posting breaks the chain of its account'
      using errcode = '23514', constraint = 'posting_chain';
  end if;
  return null;
end $$;

-- Until the upgrade is finished steps are stored by their names, each in a row of its own, as nodes
-- of 0.2 read them. `holdfast migrate --finish` drops the trigger.
create function store_old_steps() returns trigger language plpgsql as $$
begin
  new.actor := coalesce(new.actor, short_actor(new.actor_client, new.actor_account));
  new.actor_client := null;
  new.actor_account := null;
  if new.moved >= 256 then
    insert into step (workspace, resource_id, version, machine, from_state, event, to_state, at,
        actor, request_id, trace_id)
      values (new.workspace, new.resource_id, new.version - 1, short_move(new.moved >> 8, 1),
        short_move(new.moved >> 8, 2), short_move(new.moved >> 8, 3), short_move(new.moved >> 8, 4),
        new.at, new.actor, new.request_id, new.trace_id);
  end if;
  new.machine := short_move(new.moved & 255, 1);
  new.from_state := short_move(new.moved & 255, 2);
  new.event := short_move(new.moved & 255, 3);
  new.to_state := short_move(new.moved & 255, 4);
  new.moved := null;
  return new;
end $$;
create trigger step_form before insert on step
  for each row when (new.moved is not null) execute function store_old_steps();
