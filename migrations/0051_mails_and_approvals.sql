-- Adds mails to operators, a limit of mails to one address, and secrets that wait for two.

-- A keyed hash of the address that a mail was asked for, or was sent to; null: not known yet.
alter table mail add column address_key text collate "C";
-- True where a program asked for it: its mails do not count as the person's own.
alter table mail add column by_client boolean not null default false;
-- Not led by the workspace any more: wider rows made it look as cheap as the key to read one by.
drop index mail_of_account;
-- How many mails an account asked for lately.
create index mail_of_account on mail (account_id, at);
-- How many mails went to an address lately, over all accounts.
create index mail_of_address on mail (workspace, address_key, at) where address_key is not null;

-- A secret of a client with scopes beyond its maker's role, until a second person confirms it.
alter table client add column pending_secret_hash text collate "C";
-- Who made it, and in real time when.
alter table client add column pending_by uuid references operator;
alter table client add column pending_since timestamptz;
-- For how many seconds the secret before stays valid then; null: there is none, the client is new.
alter table client add column pending_overlap integer;
alter table client add constraint client_pending
  check (num_nulls(pending_secret_hash, pending_by, pending_since) in (0, 3));

-- Where an operator is mailed, sealed as their name is; null: nowhere.
alter table operator add column sealed_email text collate "C";

-- A browser in which an operator has signed in, by the keyed hash of its cookie.
create table operator_device (
  operator_id uuid not null references operator,
  device_key text collate "C" not null,
  seen timestamptz not null default clock_timestamp(),
  primary key (operator_id, device_key)
);

-- One mail to one operator. Neither its address nor a link is here: both are made to send it.
create table operator_mail (
  id uuid primary key,
  operator_id uuid not null references operator,
  kind text collate "C" not null check (kind in ('invited', 'signed_in')),
  -- `none`: nobody waits for it any more.
  state text collate "C" not null default 'pending'
    check (state in ('pending', 'sent', 'none', 'bounced', 'refused')),
  tries smallint not null default 0,
  -- When it is to be tried, or when the lease ends.
  due timestamptz not null default clock_timestamp(),
  lease uuid,
  reason text collate "C",
  -- What it says, until it has ended; sealed with the operator's key.
  sealed text collate "C",
  -- The message that a sandbox captured, sealed alike.
  captured text collate "C",
  at timestamptz not null default clock_timestamp()
);
create index operator_mail_due on operator_mail (due) where state = 'pending';
create index operator_mail_of on operator_mail (operator_id, at);
