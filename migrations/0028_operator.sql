-- The people who run an installation: who they are, their sessions in the console, and how often a
-- sign-in was tried. They belong to no tenant; what they may see is a list of worlds.

-- One person. Never removed: history and audit name operators by id.
create table operator (
  id uuid primary key,
  -- Keyed hash of the lower-case username: it is looked up, never read.
  username_key text collate "C" not null unique,
  -- A data key, wrapped by a master key; name, username and second factor are sealed with it.
  wrapped_key text not null,
  sealed_name text not null,
  sealed_username text not null,
  sealed_totp text not null,
  -- argon2id, peppered with a key that is not in this database.
  password_hash text not null,
  -- True until the person chose a password of their own.
  password_initial boolean not null,
  roles text[] not null check (roles <@ array['viewer', 'reviewer', 'supervisor', 'operator']
    and cardinality(roles) >= 1),
  -- Null: every tenant there is or will be.
  worlds integer[] check (cardinality(worlds) >= 1),
  -- The last 30 s step whose code was used; no code of it or before it opens anything again.
  totp_step bigint not null default 0,
  disabled timestamptz,
  -- Who made this one at the console, and who else last reset their access there: both saw how to
  -- sign in as them. Null: nobody, or the command line.
  made_by uuid references operator,
  reset_by uuid references operator,
  created timestamptz not null default clock_timestamp()
);
create trigger operator_kept before delete or truncate on operator
  for each statement execute function refuse_change();

-- A signed-in browser. Ends 30 minutes after its last request, and 12 hours after it began.
create table operator_session (
  -- Hash of the token in the cookie.
  token_hash text collate "C" primary key,
  id uuid not null unique,
  operator_id uuid not null references operator,
  created timestamptz not null default clock_timestamp(),
  seen timestamptz not null default clock_timestamp(),
  expires timestamptz not null,
  -- Which tenant is looked at; null: none was chosen.
  world integer,
  -- JSON of what the next page says once, and how.
  flash text
);
create index operator_session_operator on operator_session (operator_id, created);

-- How often a name, known or not, and an address were tried since a sign-in went well. Kept for a
-- day after the last try.
create table operator_throttle (
  -- Keyed hash of the name or of the address.
  subject text collate "C" primary key,
  tries integer not null check (tries >= 0),
  -- Until then nothing is tried; null: not held up.
  until timestamptz,
  updated timestamptz not null default clock_timestamp()
);
create index operator_throttle_updated on operator_throttle (updated);
