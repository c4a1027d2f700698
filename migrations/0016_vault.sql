-- The vault: what keeps a person's data from being erased, what is left to do after an erasure, and
-- rows that may go when they are old enough. Notes about refunds lie sealed.

-- A person whose data must stay, whatever the clock or the operator wants. [PD6]
create table legal_hold (
  world integer not null,
  id uuid not null, -- the account
  -- A code, such as an authority's order has; never personal data.
  reason text collate "C" not null check (reason ~ '^[a-z][a-z0-9_]*$'),
  created timestamptz not null default clock_timestamp(),
  primary key (world, id),
  foreign key (world, id) references account (world, id)
);

-- An erased person of whom something is left outside the rows that were emptied in the same commit:
-- documents, tokens, what the vendor holds. Done again until nothing is left. [PD3]
create table erasure_job (
  world integer not null,
  id uuid not null, -- the account
  due timestamptz not null default clock_timestamp(),
  primary key (world, id),
  foreign key (world, id) references account (world, id)
);
create index erasure_job_due on erasure_job (due);

-- An erased person stays erased: nothing is sealed for it again, no key is put back. [PD3]
create function check_erased() returns trigger language plpgsql as $$
begin
  if old.wrapped_key = 'erased' and (new.wrapped_key, new.sealed) <> ('erased', '') then
    raise exception 'an erased person is written again'
      using errcode = '23514', constraint = 'account_person_erased';
  end if;
  return new;
end $$;
create trigger account_person_erased before update on account_person
  for each row execute function check_erased();
alter table account_person add constraint account_person_empty
  check (wrapped_key <> 'erased' or sealed = '');

-- A note about a refund is sealed with the buyer's key; null where none was given.
alter table refund drop column note, add column sealed_note text;

-- Rows that may go once they are old enough in the time of their world, never before. The trigger
-- names the days and the column that says how old a row is; a delivery is as old as its event.
-- [PD6]
create function refuse_early_delete() returns trigger language plpgsql as $$
declare
  age timestamptz;
begin
  if tg_table_name = 'delivery' then
    select at into age from event where world = old.world and sequence = old.sequence;
  else
    age := old.at;
  end if;
  if age is null or age > clock_timestamp() - tg_argv[0]::interval
    + (select clock_offset from world where world = old.world) then
    raise exception '% is kept longer', tg_table_name
      using errcode = '23514', constraint = tg_table_name || '_kept';
  end if;
  return old;
end $$;
drop trigger delivery_kept on delivery;
create trigger delivery_kept before truncate on delivery
  for each statement execute function refuse_change();
create trigger delivery_old before delete on delivery
  for each row when (old.state <> 'pending') execute function refuse_early_delete('90 days');
create trigger delivery_pending before delete on delivery
  for each row when (old.state = 'pending') execute function refuse_change();
drop trigger delivery_attempt_append_only on delivery_attempt;
create trigger delivery_attempt_append_only before update or truncate on delivery_attempt
  for each statement execute function refuse_change();
create trigger delivery_attempt_old before delete on delivery_attempt
  for each row execute function refuse_early_delete('30 days');
create index delivery_attempt_at on delivery_attempt using brin (at);
