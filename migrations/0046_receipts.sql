-- Lets a person ask for a receipt by mail, to an address of their choice, and verify an address.

-- What one mail alone says, such as an address given with a request, sealed with the key of the
-- account's person; null: nothing, or the mail has ended.
alter table mail add column sealed text collate "C";
-- How many mails an account asked for lately.
create index mail_of_account on mail (workspace, account_id, at);

-- A code that was mailed to an address, to be entered by who asked for it. [G-67]
create table email_check (
  workspace integer not null,
  id uuid not null,
  account_id uuid not null,
  -- A keyed hash: six digits could be tried out otherwise.
  code_hash text collate "C" not null,
  -- The address, sealed with the person's key.
  sealed text collate "C" not null,
  -- Of a wrong code; one more than there are, once none is left.
  tries smallint not null default 0,
  -- By the clock of the workspace.
  expires timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account
);
alter table email_check alter column workspace set (n_distinct = 1);
