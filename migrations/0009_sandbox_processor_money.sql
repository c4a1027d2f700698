-- What else money can do at the sandbox card processor: it is sent out, settles later, comes back,
-- is disputed, and the processor tells of it. As before, these tables are a foreign system's.

-- A bank debit is `pending` between its capture and its settlement.
alter table processor_charge drop constraint processor_charge_state_check;
alter table processor_charge
  add constraint processor_charge_state_check
    check (state in ('authorized', 'pending', 'captured', 'reversed', 'declined')),
  -- How often the money is held under the key: 1, more only where the processor errs.
  add column parts smallint not null default 1 check (parts between 1 and 9),
  -- What remittances gave back of it, or are about to; minor units.
  add column refunded bigint not null default 0,
  -- Who took it back without asking us.
  add column taken_back text collate "C" check (taken_back in ('chargeback', 'return')),
  add constraint processor_charge_pending
    check (state <> 'pending' or captured_amount is null),
  add constraint processor_charge_refunded
    check (refunded between 0 and coalesce(captured_amount * parts, 0)),
  add constraint processor_charge_taken_back
    check (taken_back is null or captured_amount is not null);

-- A charge moves along its lifecycle only, and what was agreed or taken never changes. What was
-- given back grows while it is captured; a refund that fails makes it less.
create or replace function check_processor_charge() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (
    ('authorized', 'authorized'), ('authorized', 'pending'), ('authorized', 'captured'),
    ('authorized', 'reversed'), ('authorized', 'declined'), ('pending', 'captured'),
    ('pending', 'reversed'), ('pending', 'declined'), ('captured', 'captured'),
    ('captured', 'reversed'), ('reversed', 'reversed')
  ) or (old.world, old.key, old.token, old.reference, old.amount, old.currency, old.barred)
    is distinct from
    (new.world, new.key, new.token, new.reference, new.amount, new.currency, new.barred)
  or (old.captured_amount is not null and (old.captured_amount, old.captured_currency)
    is distinct from (new.captured_amount, new.captured_currency))
  or new.parts < old.parts or (new.parts > old.parts and old.state <> 'authorized')
  or (old.taken_back is not null and new.taken_back is distinct from old.taken_back)
  or (new.refunded > old.refunded and new.state <> 'captured') then
    raise exception 'a charge of the sandbox processor breaks its lifecycle'
      using errcode = '23514', constraint = 'processor_charge_legal';
  end if;
  return new;
end $$;

-- Money sent out, once for each key of the caller: a refund of a charge, or a payout.
create table processor_remittance (
  world integer not null,
  key text collate "C" not null,
  kind text collate "C" not null check (kind in ('refund', 'payout')),
  -- Of a refund the key of the charge, of a payout the token of the account.
  target text collate "C" not null,
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  reference text collate "C" not null,
  state text collate "C" not null default 'pending'
    check (state in ('pending', 'paid', 'returned', 'declined')),
  failure_code text collate "C",
  created timestamptz not null default clock_timestamp(),
  updated timestamptz not null default clock_timestamp(),
  primary key (world, key),
  unique (world, reference),
  check ((state = 'declined') = (failure_code is not null))
);

-- A remittance moves along its lifecycle only, and what was ordered never changes.
create function check_processor_remittance() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (
    ('pending', 'paid'), ('pending', 'declined'), ('paid', 'returned')
  ) or (new.state = 'returned' and new.kind <> 'payout')
  or (old.world, old.key, old.kind, old.target, old.amount, old.currency, old.reference)
    is distinct from
    (new.world, new.key, new.kind, new.target, new.amount, new.currency, new.reference) then
    raise exception 'a remittance of the sandbox processor breaks its lifecycle'
      using errcode = '23514', constraint = 'processor_remittance_legal';
  end if;
  return new;
end $$;
create trigger processor_remittance_legal before update on processor_remittance
  for each row execute function check_processor_remittance();
create trigger processor_remittance_kept before delete or truncate on processor_remittance
  for each statement execute function refuse_change();

-- A line is about the key of a charge or of a remittance.
alter table processor_statement drop constraint processor_statement_world_key_fkey;
alter table processor_statement drop constraint processor_statement_kind_check;
alter table processor_statement add constraint processor_statement_kind_check
  check (kind in ('capture', 'refund', 'payout', 'payout_return', 'chargeback', 'return'));

alter table processor_exchange drop constraint processor_exchange_operation_check;
alter table processor_exchange add constraint processor_exchange_operation_check
  check (operation in ('authorize', 'capture', 'reverse', 'look', 'remit', 'look_remittance'));
alter table processor_script drop constraint processor_script_operation_check;
alter table processor_script add constraint processor_script_operation_check
  check (operation in ('authorize', 'capture', 'reverse', 'look', 'remit', 'look_remittance'));

-- Notices to be posted to the merchant; each is repeated until it was taken, or given up.
create table processor_notice (
  world integer not null,
  number bigint generated always as identity,
  key text collate "C" not null,
  about text collate "C" not null check (about in ('charge', 'remittance', 'statement')),
  -- True when the answer of a call has told the same: it may be left unsent where there are many.
  ordinary boolean not null,
  -- How many times it is still to be taken.
  remaining smallint not null check (remaining >= 0),
  sent smallint not null default 0,
  tries smallint not null default 0,
  due timestamptz not null,
  created timestamptz not null default clock_timestamp(),
  primary key (world, number)
);
create index processor_notice_due on processor_notice (ordinary, due) where remaining > 0;

-- What a scripted exchange makes happen after its answer.
create table processor_due (
  world integer not null,
  key text collate "C" not null,
  event text collate "C" not null check (event in ('settle', 'fail', 'return', 'chargeback')),
  due timestamptz not null,
  primary key (world, key, event)
);
