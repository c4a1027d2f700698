-- Accounts of people and businesses: their sealed data, blocks, erasure, and the terms they signed.

-- An account of the interface: a person or business known to one tenant.
create table account (
  workspace integer not null references workspace,
  id uuid not null,
  -- Keyed hash of the username; the name itself lies in the sealed blob. [G-20]
  username_key text collate "C" not null,
  blocked boolean not null default false,
  created timestamptz not null,
  updated timestamptz not null,
  -- Into which account this one was merged; null for most. Here, under the account's own lock, so
  -- that every decision about the account sees it. [G-22]
  merged_to uuid,
  primary key (workspace, id),
  foreign key (workspace, merged_to) references account (workspace, id),
  constraint account_merged_elsewhere check (merged_to <> id),
  constraint account_merged_is_closed check (merged_to is null or blocked)
);
-- A name is taken once.
create unique index account_workspace_username_key_key on account (username_key, workspace);
-- What was merged into an account.
create index account_merged on account (merged_to, workspace) where merged_to is not null;
select keep_rows('account');
-- What others refer to keeps its key.
create trigger account_key before update on account
  for each row when ((new.workspace, new.id) <> (old.workspace, old.id))
  execute function refuse_change();
-- An account is merged once. [G-22]
create trigger account_merged_once before update of merged_to on account
  for each row when (old.merged_to is not null and new.merged_to is distinct from old.merged_to)
  execute function refuse_change();

-- Personal fields of an account: one sealed blob, opened with the person's own key. [G-20]
create table account_person (
  workspace integer not null,
  id uuid not null,
  -- The person's key, wrapped by a master key (named by its version).
  wrapped_key text not null,
  sealed text not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, id) references account (workspace, id),
  constraint account_person_empty check (wrapped_key <> 'erased' or sealed = '')
);

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

-- What keeps an account from something: one row for each account and capability, lifted and set
-- again in place, so that its versions order the events about it. [G-20]
create table account_block (
  workspace integer not null,
  id uuid not null,
  account_id uuid not null,
  capability text collate "C" not null,
  -- Who set it: an integrator cannot lift what the operator set.
  issuer text collate "C" not null check (issuer in ('integrator', 'operator')),
  reason text collate "C" not null,
  -- Free text about a person, sealed with that person's key; null where none was given.
  sealed_note text,
  state text collate "C" not null check (state in ('ACTIVE', 'LIFTED')),
  version integer not null,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id),
  unique (workspace, account_id, capability)
);
select guard_lifecycle('account_block');

-- A person whose data must stay, whatever the clock or the operator wants. [PD6]
create table legal_hold (
  workspace integer not null,
  id uuid not null, -- the account
  -- A code, such as an authority's order has; never personal data.
  reason text collate "C" not null check (reason ~ '^[a-z][a-z0-9_]*$'),
  created timestamptz not null default clock_timestamp(),
  primary key (workspace, id),
  foreign key (workspace, id) references account (workspace, id)
);

-- An erased person of whom something remains outside the rows that were emptied in the same commit:
-- documents, tokens, what the vendor holds. Done again until nothing remains. [PD3]
create table erasure_job (
  workspace integer not null,
  id uuid not null, -- the account
  due timestamptz not null default clock_timestamp(),
  primary key (workspace, id),
  foreign key (workspace, id) references account (workspace, id)
);
create index erasure_job_due on erasure_job (due);

-- A text of the terms of service that was published; the newest is in force. Append-only, so that
-- what somebody agreed to can be read for ever. [G-21]
create table terms_version (
  version integer primary key check (version >= 1),
  -- Plain text; an empty line parts paragraphs.
  content text not null check (octet_length(content) between 1 and 200000),
  created timestamptz not null default clock_timestamp()
);
select append_only('terms_version');

-- An account agreed to a version; it is asked again when there is a newer one. Append-only. [G-21]
create table terms_signature (
  workspace integer not null,
  account_id uuid not null,
  version integer not null references terms_version,
  -- In the time of the workspace.
  signed timestamptz not null,
  primary key (workspace, account_id, version),
  foreign key (workspace, account_id) references account (workspace, id)
);
select append_only('terms_signature');
