-- Cards and accounts that a person enters in the processor's own frame. What is typed there never
-- comes to us; we learn a token, a brand and four digits. [PD4]

-- An entry that an account has begun, and the one payment method that came of it.
create table method_entry (
  world integer not null,
  id uuid not null,
  account_id uuid not null,
  kind text collate "C" not null check (kind in ('card', 'bank', 'paypal')),
  -- The processor's id of it; no secret: the page is known by another one.
  processor_entry text collate "C" not null,
  -- In the time of the world.
  expires timestamptz not null,
  payment_method_id uuid,
  created timestamptz not null,
  primary key (world, id),
  foreign key (world, account_id) references account (world, id),
  foreign key (world, payment_method_id) references payment_method (world, id),
  -- One method for each thing that was entered.
  unique (world, processor_entry),
  unique (world, payment_method_id)
);
create index method_entry_account on method_entry (world, account_id);

-- What an entry has become stays so.
create function check_method_entry() returns trigger language plpgsql as $$
begin
  if old.payment_method_id is not null
    or (old.world, old.id, old.account_id, old.kind, old.processor_entry)
      is distinct from (new.world, new.id, new.account_id, new.kind, new.processor_entry) then
    raise exception 'an entry leads to one payment method'
      using errcode = '23514', constraint = 'method_entry_once';
  end if;
  return new;
end $$;
create trigger method_entry_once before update on method_entry
  for each row execute function check_method_entry();

-- How often a payment method was changed: the version that its events carry.
alter table payment_method add column version integer not null default 1 check (version >= 1);

-- The sandbox processor's side, a foreign system's as its other tables: a page on which a person
-- enters a test card or account. Its number is never stored.
create table processor_entry (
  world integer not null,
  id text collate "C" not null,
  -- Hash of the secret in the address of the page.
  secret_hash text collate "C" not null unique,
  kind text collate "C" not null check (kind in ('card', 'bank', 'paypal')),
  state text collate "C" not null default 'open' check (state in ('open', 'stored', 'cancelled')),
  -- The page that frames it and is told of it, and every page that may stand around that one.
  parent_origin text not null,
  ancestors text[] not null,
  -- Where a login that leaves its page comes back to; null for what is framed.
  return_url text,
  background text not null check (background ~ '^#[0-9a-f]{6}$'),
  primary_colour text not null check (primary_colour ~ '^#[0-9a-f]{6}$'),
  dir text not null check (dir in ('ltr', 'rtl')),
  -- For whom it is saved, as the person reads it.
  label text not null,
  token text collate "C",
  expires timestamptz not null,
  primary key (world, id),
  check ((state = 'stored') = (token is not null)),
  check ((kind = 'paypal') = (return_url is not null)),
  foreign key (world, token) references processor_card (world, token)
);
create index processor_entry_expires on processor_entry (expires);
