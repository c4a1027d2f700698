-- Adds a limit of mails to one address, and clients that a second person confirms.

-- A keyed hash of the address that a mail was asked for, or was sent to; null: not known yet.
alter table mail add column address_key text collate "C";
-- True where a program asked for it: its mails do not count as the person's own.
alter table mail add column by_client boolean not null default false;
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
