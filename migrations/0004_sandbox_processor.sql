-- The book of the sandbox card processor. It plays a foreign system: nothing of ours refers to
-- these tables and they refer to nothing of ours, not even to `world`, so that its writes lock no
-- row that the money's own transactions meet. Only src/adapters/sandbox-processor touches them.

-- A card that was shown to the processor. Its number, expiry check and code are never stored: what
-- remains is how the card behaves.
create table processor_card (
  world integer not null,
  token text collate "C" not null,
  brand text collate "C" not null,
  last4 text collate "C" not null check (last4 ~ '^[0-9]{4}$'),
  expiry_month smallint not null check (expiry_month between 1 and 12),
  expiry_year smallint not null check (expiry_year between 2000 and 9999),
  -- Name of a row of the list of test cards.
  behaviour text collate "C" not null,
  created timestamptz not null default clock_timestamp(),
  primary key (world, token)
);
create trigger processor_card_append_only before update or delete or truncate on processor_card
  for each statement execute function refuse_change();

-- One charge for each key of the caller; the primary key is what makes every effect happen once.
create table processor_charge (
  world integer not null,
  key text collate "C" not null,
  token text collate "C" not null,
  reference text collate "C" not null,
  state text collate "C" not null
    check (state in ('authorized', 'captured', 'reversed', 'declined')),
  -- What the first call asked for; minor units.
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  -- What was taken, which a scripted processor may get wrong; null until a capture.
  captured_amount bigint check (captured_amount > 0),
  captured_currency text collate "C",
  -- True when the key was given up before it was ever authorised: it can never be charged again.
  barred boolean not null default false,
  failure_code text collate "C",
  created timestamptz not null default clock_timestamp(),
  updated timestamptz not null default clock_timestamp(),
  primary key (world, key),
  unique (world, reference),
  check ((state = 'declined') = (failure_code is not null)),
  check ((captured_amount is null) = (captured_currency is null)),
  -- Captured money is known by its amount; a refund keeps it readable.
  check (state <> 'captured' or captured_amount is not null),
  check (state not in ('authorized', 'declined') or captured_amount is null),
  check (not barred or (state = 'reversed' and captured_amount is null))
);

-- A charge moves along its lifecycle only, and what was agreed or taken never changes.
create function check_processor_charge() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (
    ('authorized', 'captured'), ('authorized', 'reversed'), ('authorized', 'declined'),
    ('captured', 'reversed')
  ) or (old.world, old.key, old.token, old.reference, old.amount, old.currency, old.barred)
    is distinct from
    (new.world, new.key, new.token, new.reference, new.amount, new.currency, new.barred)
  or (old.captured_amount is not null and (old.captured_amount, old.captured_currency)
    is distinct from (new.captured_amount, new.captured_currency)) then
    raise exception 'a charge of the sandbox processor breaks its lifecycle'
      using errcode = '23514', constraint = 'processor_charge_legal';
  end if;
  return new;
end $$;
create trigger processor_charge_legal before update on processor_charge
  for each row execute function check_processor_charge();
create trigger processor_charge_kept before delete or truncate on processor_charge
  for each statement execute function refuse_change();

-- The processor's own statement, line by line: what reconciliation compares our books with. [M18]
create table processor_statement (
  world integer not null,
  line bigint generated always as identity,
  key text collate "C" not null,
  reference text collate "C" not null,
  kind text collate "C" not null check (kind in ('capture', 'refund')),
  -- 1; a scripted processor that captures twice under one key writes a second part.
  part smallint not null default 1 check (part >= 1),
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  primary key (world, line),
  -- The second home of "one capture and one refund for each key".
  unique (world, key, kind, part),
  foreign key (world, key) references processor_charge (world, key)
);
create trigger processor_statement_append_only
  before update or delete or truncate on processor_statement
  for each statement execute function refuse_change();

-- How often each question was asked under a key: a test card misbehaves the first time only, and
-- the story of a payment shows the exchanges.
create table processor_exchange (
  world integer not null,
  key text collate "C" not null,
  operation text collate "C" not null
    check (operation in ('authorize', 'capture', 'reverse', 'look')),
  token text collate "C" not null,
  times integer not null default 1 check (times >= 1),
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  primary key (world, key, operation)
);

-- Scripted exchanges that wait for their turn, oldest first; they go before the card's behaviour.
create table processor_script (
  world integer not null,
  number bigint generated always as identity,
  operation text collate "C" not null
    check (operation in ('authorize', 'capture', 'reverse', 'look')),
  -- The card that it is for; '' for whichever card comes next.
  token text collate "C" not null default '',
  exchange text collate "C" not null,
  -- How many exchanges it still governs.
  remaining integer not null check (remaining >= 0),
  primary key (world, number)
);
create index processor_script_waiting on processor_script (world, operation, number)
  where remaining > 0;
