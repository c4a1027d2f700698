-- Adds a limit of mails to one address.

-- A keyed hash of the address that a mail was asked for, or was sent to; null: not known yet.
alter table mail add column address_key text collate "C";
-- True where a program asked for it: its mails do not count as the person's own.
alter table mail add column by_client boolean not null default false;
-- How many mails went to an address lately, over all accounts.
create index mail_of_address on mail (workspace, address_key, at) where address_key is not null;
