-- Who may call: clients, the keys that sign tokens, refresh tokens, revocations, magic links and
-- consents. Client ids, token ids and hashes of nonces are global directories: before they are
-- looked up no tenant is known, so these tables are not led by `workspace`.

-- A client of a tenant. Its secret is kept as a keyed hash only; it is shown once. [G-04, ID8]
create table client (
  client_id uuid primary key,
  -- The workspace it speaks for; a roll back of a sandbox points it to another.
  workspace integer not null references workspace,
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
create index client_workspace on client (workspace);

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
  workspace integer not null references workspace,
  account_id uuid not null,
  scopes text[] not null,
  -- Seconds that access tokens of the family live.
  access_seconds integer not null check (access_seconds between 1 and 86400),
  created timestamptz not null default clock_timestamp(),
  expires timestamptz not null,
  used_at timestamptz,
  foreign key (workspace, account_id) references account (workspace, id)
);
create index refresh_token_expires on refresh_token (expires);
-- The tokens of an account are found when its access is ended.
create index refresh_token_account on refresh_token (workspace, account_id);

-- What is revoked before its time: a token by its id, or a family of user tokens. Verifiers read
-- what was added lately; a row may go once everything it names has expired. [ID2]
create table revoked_token (
  kind text collate "C" not null check (kind in ('token', 'family')),
  id text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  expires timestamptz not null,
  primary key (kind, id)
);
create index revoked_token_at on revoked_token (at);

-- A magic link into a web flow, by the hash of its nonce; 24 hours by this clock. Once a person has
-- opened it, it is a session in one browser. [G-13, G-14, ID1]
create table link (
  nonce_hash text collate "C" primary key,
  -- The nonce_auth_id of the interface.
  id uuid not null,
  workspace integer not null references workspace,
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
  -- The authorized invoice that a checkout link is about; the session may act on no other. [G-12]
  authorized_invoice_id uuid,
  -- Whether that one holds the money in escrow.
  is_escrow boolean not null default false,
  -- Hash of a secret that the browser was given when it opened the link: with it a reload goes on,
  -- without it the link is used. Null before.
  resume_hash text collate "C",
  -- When the person ended the session; nothing goes on after that.
  ended_at timestamptz,
  -- Whether opening narrows the scopes to those of its flow; false where the caller named scopes or
  -- a flow. [G-12]
  by_flow boolean not null default false,
  foreign key (workspace, account_id) references account (workspace, id),
  -- A browser is bound and a session ends only once a link was used.
  constraint link_opened
    check (used_at is not null or (resume_hash is null and ended_at is null))
);
create index link_expires on link (expires);
-- A link's id is its own. The workspace is part of the key: a clone makes a link of its own where
-- the same submission is repeated there.
create unique index link_id_key on link (id, workspace);
-- The links of an account are found when its access is ended.
create index link_account on link (account_id, workspace);

-- What people allowed a tenant to see and do on their behalf, and took back: one consent of an
-- account to a set of scopes. It says for ever what was given and when; to be taken back is its
-- only change. [G-12]
create table consent (
  workspace integer not null,
  id uuid not null,
  account_id uuid not null,
  -- The program that asked; it is the tenant that may.
  client_id uuid not null references client,
  -- In the order of their bytes, each once.
  scopes text[] collate "C" not null check (cardinality(scopes) >= 1),
  given timestamptz not null,
  revoked timestamptz check (revoked >= given),
  -- Whose word it is: the person's in a flow, or that of a tenant that asks for a user token and
  -- thereby attests that its person agreed. [G-16]
  given_by text collate "C" not null default 'person'
    check (given_by in ('person', 'integrator')),
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id)
);
-- The same consent stands once for each of the two who can say it.
create unique index consent_active on consent (workspace, account_id, scopes, given_by)
  where revoked is null;
select keep_rows('consent');

-- A consent is taken back once, and nothing else about it changes.
create function check_consent_change() returns trigger language plpgsql as $$
begin
  if old.revoked is not null or new.revoked is null
    or (new.workspace, new.id, new.account_id, new.client_id, new.scopes, new.given, new.given_by)
      <> (old.workspace, old.id, old.account_id, old.client_id, old.scopes, old.given, old.given_by)
  then
    raise exception 'a consent is only taken back, and once'
      using errcode = '23514', constraint = 'consent_only_revoked';
  end if;
  return new;
end $$;
create trigger consent_only_revoked before update on consent
  for each row execute function check_consent_change();

-- Ends the sessions and the user tokens of an account: those that hold one of the scopes, or all of
-- them where none is named. Links that nobody opened stay; whoever opens one at this moment is
-- waited for, or waits and then finds what is true by then. [G-16]
create function end_access(of_workspace integer, of_account uuid, held text[]) returns void
language plpgsql as $$
begin
  perform 1 from link where workspace = of_workspace and account_id = of_account
    and expires > workspace_now(of_workspace) order by nonce_hash for update;
  -- A session's tokens end by real time, however far the clock of its workspace has gone.
  with ended as (
    update link set ended_at = clock_timestamp()
    where workspace = of_workspace and account_id = of_account and used_at is not null
      and ended_at is null and (held is null or scopes && held)
    returning nonce_hash, session_seconds)
  insert into revoked_token (kind, id, expires)
    select 'family', nonce_hash, clock_timestamp() + make_interval(secs => session_seconds + 60)
    from ended
  on conflict (kind, id) do nothing;
  -- An access token may outlive its refresh token by a day.
  insert into revoked_token (kind, id, expires)
    select 'family', family::text, max(expires) + interval '2 days' from refresh_token
    where workspace = of_workspace and account_id = of_account and (held is null or scopes && held)
    group by family having max(expires) > clock_timestamp()
  on conflict (kind, id) do nothing;
end $$;

-- What rested on a consent ends when it is taken back.
create function end_access_of_consent() returns trigger language plpgsql as $$
begin
  perform end_access(new.workspace, new.account_id, new.scopes);
  return null;
end $$;
create trigger consent_ends_access after update on consent
  for each row execute function end_access_of_consent();

-- A blocked account has no access, and none from before when it is unblocked.
create function end_access_of_account() returns trigger language plpgsql as $$
begin
  perform end_access(new.workspace, new.id, null);
  return null;
end $$;
create trigger account_block_ends_access after update of blocked on account
  for each row when (new.blocked and not old.blocked) execute function end_access_of_account();
