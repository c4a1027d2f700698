-- Who may call: clients, the keys that sign tokens, refresh tokens, revocations, one-time links.
-- Client ids, token ids and hashes of nonces are global directories: a caller knows no tenant
-- before they are looked up, so these tables are not led by `world`.

-- A client of a tenant. Its secret is kept as a keyed hash only; it is shown once. [G-04, ID8]
create table client (
  client_id uuid primary key,
  -- The world it speaks for; a roll back of a sandbox points it to another.
  world integer not null references world,
  name text not null check (length(name) between 1 and 255),
  scopes text[] not null,
  secret_hash text collate "C" not null,
  -- While a secret is rotated the one before it is valid too, until this moment.
  previous_secret_hash text collate "C",
  previous_until timestamptz,
  disabled boolean not null default false,
  created timestamptz not null default clock_timestamp(),
  check ((previous_secret_hash is null) = (previous_until is null))
);
create index client_world on client (world);

-- A key that signs tokens. The private half lies sealed under a data key that a master key wraps.
create table signing_key (
  kid text collate "C" primary key,
  public_jwk text not null,
  wrapped_key text not null,
  sealed_jwk text not null,
  created timestamptz not null default clock_timestamp(),
  -- From then on it signs nothing; what it signed stays verifiable until it is deleted.
  retired timestamptz
);
-- One key signs at a time, also when two processes start at once.
create unique index signing_key_active on signing_key ((retired is null)) where retired is null;

-- A refresh token of a user, by the hash of its text. Each is used once; its successor belongs to
-- the same family, and a second use revokes the family. [G-10]
create table refresh_token (
  token_hash text collate "C" primary key,
  family uuid not null,
  client_id uuid not null references client,
  world integer not null references world,
  account_id uuid not null,
  scopes text[] not null,
  -- Seconds that access tokens of the family live.
  access_seconds integer not null check (access_seconds between 1 and 86400),
  created timestamptz not null default clock_timestamp(),
  expires timestamptz not null,
  used_at timestamptz,
  foreign key (world, account_id) references account (world, id)
);
create index refresh_token_expires on refresh_token (expires);

-- What is no longer honoured before its time: a token by its id, or a family of user tokens.
-- Verifiers read what was added lately; a row may go once everything it names has expired. [ID2]
create table revoked_token (
  kind text collate "C" not null check (kind in ('token', 'family')),
  id text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  expires timestamptz not null,
  primary key (kind, id)
);
create index revoked_token_at on revoked_token (at);

-- A one-time link into a web flow, by the hash of its nonce; 24 hours by this clock. [G-13, ID1]
create table link (
  nonce_hash text collate "C" primary key,
  -- The nonce_auth_id of the interface.
  id uuid not null unique,
  world integer not null references world,
  client_id uuid not null references client,
  account_id uuid not null,
  mechanism text collate "C" not null,
  flow text collate "C",
  scopes text[] not null,
  -- Seconds that the session lives which the link opens.
  session_seconds integer not null check (session_seconds between 1 and 86400),
  created timestamptz not null default clock_timestamp(),
  expires timestamptz not null,
  used_at timestamptz,
  foreign key (world, account_id) references account (world, id)
);
create index link_expires on link (expires);
