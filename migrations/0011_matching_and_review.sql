-- People who decide: matches between persons, the operators of an installation, and their reviews
-- of identities and businesses.

-- What of a person is compared, and under which hashes of combined fields the person is found. A
-- row goes when the person is erased; until then only newer statements of the same person change
-- it. Written outside the engine under the lock of account_person alone, so it has no references:
-- they would lock in another order than the engine does. [G-53]
create table match_person (
  workspace integer not null,
  id uuid not null, -- the account
  -- The person's latest statements, sealed with the person's key; opened for candidates only.
  sealed bytea not null,
  -- The first eight bytes of each keyed hash.
  keys bigint[] not null check (cardinality(keys) <= 512),
  primary key (workspace, id)
);

-- The same hashes the other way round: who is found under one. Only the function below writes it,
-- from rows that name their account, so it needs no reference of its own.
create table match_key (
  workspace integer not null,
  key bigint not null,
  id uuid not null, -- the account
  primary key (workspace, key, id)
);

-- Everybody is found under their own hashes and under no other; nobody who was erased is. [PD3]
create function spread_match_keys() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    delete from match_key m using unnest(old.keys) as k
    where m.workspace = old.workspace and m.key = k and m.id = old.id
      and (tg_op = 'DELETE' or k <> all (new.keys));
  end if;
  if tg_op <> 'DELETE' then
    if exists (select from account_person p
      where p.workspace = new.workspace and p.id = new.id and p.wrapped_key = 'erased') then
      raise exception 'an erased person is matched again'
        using errcode = '23514', constraint = 'match_person_erased';
    end if;
    insert into match_key (workspace, key, id) select new.workspace, unnest(new.keys), new.id
      on conflict do nothing;
  end if;
  return null;
end $$;
create trigger match_person_keys after insert or update or delete on match_person
  for each row execute function spread_match_keys();
create trigger match_person_kept before truncate on match_person
  for each statement execute function refuse_change();

-- Matches that an application was found to have when it was made. They stay as they were found,
-- until one of the two persons is erased. Without references, for the same reason.
create table match_check (
  workspace integer not null,
  id uuid not null,
  application_id uuid not null,
  account_id uuid not null,
  -- The other person, and which of that person's applications matches.
  matched_account_id uuid not null,
  matched_application_id uuid not null,
  -- In ten-thousandths.
  score integer not null check (score between 1 and 10000),
  created timestamptz not null default clock_timestamp(),
  primary key (workspace, id),
  unique (workspace, application_id, matched_account_id),
  check (account_id <> matched_account_id)
);
create index match_check_account on match_check (workspace, account_id);
create index match_check_matched on match_check (workspace, matched_account_id);

-- A match found once is history, unless it is about somebody who was erased. [PD3]
create function keep_match() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and exists (select from account_person p where p.workspace = old.workspace
    and p.id in (old.account_id, old.matched_account_id) and p.wrapped_key = 'erased') then
    return old;
  end if;
  raise exception 'a match is changed'
    using errcode = '23514', constraint = 'match_check_kept';
end $$;
create trigger match_check_kept before update or delete on match_check
  for each row execute function keep_match();
create trigger match_check_whole before truncate on match_check
  for each statement execute function refuse_change();

-- Applications that were not compared yet: a check at the vendor compares its own first, a round of
-- the worker the rest. Begun with every application that holds a person's data.
create table match_job (
  workspace integer not null,
  application_id uuid not null,
  account_id uuid not null,
  due timestamptz not null default clock_timestamp(),
  primary key (workspace, application_id)
);
create index match_job_due on match_job (due);

-- No application is left out: its job is made in the same commit, whoever makes it.
create function begin_match() returns trigger language plpgsql as $$
begin
  insert into match_job (workspace, application_id, account_id)
    select workspace, id, account_id from added where form <> '' and sealed is not null;
  return null;
end $$;
create trigger kyc_application_match after insert on kyc_application
  referencing new table as added for each statement execute function begin_match();

-- A person who runs the installation. Operators belong to no tenant; what they may see is a list of
-- workspaces. Never removed: history and audit name operators by id.
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
  workspaces integer[] check (cardinality(workspaces) >= 1),
  -- The last 30 s step whose code was used; no code of it or before it opens anything again.
  totp_step bigint not null default 0,
  disabled timestamptz,
  -- Who made this one at the console, and who else last reset their access there: both saw how to
  -- sign in as them. Null: nobody, or the command line.
  made_by uuid references operator,
  reset_by uuid references operator,
  created timestamptz not null default clock_timestamp()
);
select keep_rows('operator');

-- A signed-in browser. Ends 30 minutes after its last request, and 12 hours after it began.
create table operator_session (
  -- Hash of the token in the cookie.
  token_hash text collate "C" primary key,
  id uuid not null unique,
  operator_id uuid not null references operator,
  created timestamptz not null default clock_timestamp(),
  seen timestamptz not null default clock_timestamp(),
  expires timestamptz not null,
  -- Which tenant's data is shown; null: none was chosen.
  workspace integer,
  -- JSON of the message that the next page shows once.
  flash text
);
create index operator_session_operator on operator_session (operator_id, created);

-- How often a sign-in was tried under a name, known or not, and from an address, since one went
-- well. Kept for a day after the last try.
create table operator_throttle (
  -- Keyed hash of the name or of the address.
  subject text collate "C" primary key,
  tries integer not null check (tries >= 0),
  -- Until then no sign-in is tried; null: no wait.
  until timestamptz,
  updated timestamptz not null default clock_timestamp()
);
create index operator_throttle_updated on operator_throttle (updated);

-- Accounts that belong to an operator as a person: about these the operator decides nothing.
create table operator_account (
  workspace integer not null,
  id uuid not null,
  operator_id uuid not null references operator,
  account_id uuid not null,
  created timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id)
);
-- An account is named once for an operator.
create unique index operator_account_workspace_account_id_operator_id_key on operator_account
  (account_id, workspace, operator_id);

-- A grave decision, until another operator confirms or rejects it. Its id follows from the case and
-- its version, so a case has one at a time, and one of an older version has no effect.
create table review_proposal (
  workspace integer not null,
  id uuid not null,
  subject text collate "C" not null check (subject in ('person', 'business')),
  -- The account, or the entity.
  subject_id uuid not null,
  subject_version integer not null,
  account_id uuid not null,
  decision text collate "C" not null check (decision in ('accept', 'deny')),
  -- JSON: codes for the applicant.
  reasons text not null,
  -- Who proposed it; somebody else must confirm.
  operator_id uuid not null,
  state text collate "C" not null,
  version integer not null,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id)
);
create index review_proposal_subject on review_proposal (workspace, subject_id, created);
select guard_lifecycle('review_proposal');

-- Why an operator did something, sealed with the key of the account's person. Never removed; an
-- erasure empties it. [PD3]
create table review_note (
  workspace integer not null,
  id uuid not null,
  account_id uuid not null,
  -- The account, or the entity.
  subject_id uuid not null,
  -- Of the case, after what was done.
  subject_version integer not null,
  act text collate "C" not null check (act in ('propose', 'accept', 'deny', 'ask', 'cancel',
    'check', 'reject', 'open')),
  operator_id uuid not null,
  -- Null once the person was erased.
  sealed text,
  created timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id)
);
create index review_note_subject on review_note (workspace, subject_id, created);
create index review_note_account on review_note (workspace, account_id);
select keep_rows('review_note');

-- Who works on a case at the moment, so that two do not do the same work. It binds nobody.
create table review_claim (
  workspace integer not null,
  subject_id uuid not null,
  operator_id uuid not null,
  until timestamptz not null,
  primary key (workspace, subject_id)
);

-- Documents that an operator may see once, for a reason that was logged before.
create table review_view (
  workspace integer not null,
  -- SHA-256 of the address's token.
  token_hash text collate "C" not null,
  subject_id uuid not null,
  account_id uuid not null,
  document_id uuid not null,
  operator_id uuid not null,
  until timestamptz not null,
  primary key (workspace, token_hash)
);
create index review_view_until on review_view (until);
