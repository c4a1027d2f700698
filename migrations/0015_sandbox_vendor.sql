-- The book of the sandbox identity vendor. It plays a foreign system: nothing of ours refers to
-- these tables and they refer to nothing of ours. No personal data is in them: of what was handed
-- in there is a keyed digest, made under a key that the database does not have.

-- One check for each key of the caller; the primary key is what makes it happen once. A key that
-- was to be forgotten stays as a name without anything, so that a call that comes late finds it.
create table vendor_check (
  world integer not null,
  key text collate "C" not null,
  -- Keyed digest of world, key, person and files: another person under the key is found out.
  digest text collate "C",
  -- Name of a row of the list of test persons, or of how everybody else is decided.
  person text collate "C",
  reference text collate "C",
  state text collate "C" not null
    check (state in ('pending', 'accepted', 'denied', 'review', 'incomplete', 'forgotten')),
  -- Codes of what was wrong, and results of rules as `<rule>:<digit>`.
  reasons text[] not null default '{}',
  rules text[] not null default '{}',
  created timestamptz not null default clock_timestamp(),
  updated timestamptz not null default clock_timestamp(),
  primary key (world, key),
  unique (world, reference),
  check ((state = 'forgotten') = (digest is null)),
  check (num_nulls(digest, person, reference) in (0, 3)),
  check (state not in ('pending', 'forgotten') or (reasons = '{}' and rules = '{}'))
);

-- A vendor may change its mind, but not about whom; what was forgotten is not remembered.
create function check_vendor_check() returns trigger language plpgsql as $$
begin
  if (old.world, old.key) is distinct from (new.world, new.key) or old.state = 'forgotten'
  or (new.state <> 'forgotten' and (old.digest, old.person, old.reference) is distinct from
    (new.digest, new.person, new.reference))
  or (new.state = 'pending' and old.state <> 'pending') then
    raise exception 'a check of the sandbox vendor breaks its lifecycle'
      using errcode = '23514', constraint = 'vendor_check_legal';
  end if;
  return new;
end $$;
create trigger vendor_check_legal before update on vendor_check
  for each row execute function check_vendor_check();
create trigger vendor_check_kept before delete or truncate on vendor_check
  for each statement execute function refuse_change();

-- How often each question was asked under a key: a test person misbehaves the first time only.
create table vendor_exchange (
  world integer not null,
  key text collate "C" not null,
  operation text collate "C" not null check (operation in ('begin', 'look', 'forget')),
  -- The person of `vendor_check`, also where no check was made.
  token text collate "C" not null,
  times integer not null default 1 check (times >= 1),
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  primary key (world, key, operation)
);

-- Scripted exchanges that wait for their turn, oldest first; they go before what a person does.
create table vendor_script (
  world integer not null,
  number bigint generated always as identity,
  operation text collate "C" not null check (operation in ('begin', 'look', 'forget')),
  -- The person that it is for; '' for whoever comes next.
  token text collate "C" not null default '',
  exchange text collate "C" not null,
  -- How many exchanges it still governs.
  remaining integer not null check (remaining >= 0),
  primary key (world, number)
);
create index vendor_script_waiting on vendor_script (world, operation, number)
  where remaining > 0;

-- Notices to be posted; each is repeated until it was taken, or given up.
create table vendor_notice (
  world integer not null,
  number bigint generated always as identity,
  key text collate "C" not null,
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
create index vendor_notice_due on vendor_notice (ordinary, due) where remaining > 0;
create index vendor_notice_key on vendor_notice (world, key);

-- What becomes of a check by itself, later.
create table vendor_due (
  world integer not null,
  key text collate "C" not null,
  event text collate "C" not null check (event in ('accept', 'deny', 'review', 'ask')),
  due timestamptz not null,
  primary key (world, key, event)
);
