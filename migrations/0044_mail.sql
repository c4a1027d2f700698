-- Adds mails to the people who pay and are paid.

-- Whether a tenant's people are sent mails; null: in a sandbox yes, in production no.
alter table tenant_setting add column mail_enabled boolean;
-- The sender as people read it; '': the tenant's name.
alter table tenant_setting add column mail_from_name text not null default '';
-- Where answers go, and how people reach the tenant; '': nowhere.
alter table tenant_setting add column mail_reply_to text collate "C" not null default '';

-- Whether an account's sealed fields have an e-mail address, so that nobody without one is queued;
-- null: written by a node of 0.2.0, and not known.
alter table account_person add column has_email boolean;

-- How far the sealed events of a workspace have become mails.
create table mail_cursor (
  workspace integer primary key references workspace,
  sequence bigint not null
);
alter table mail_cursor alter column workspace set (n_distinct = 1);
-- What happened before this release is mailed to nobody.
insert into mail_cursor (workspace, sequence) select workspace, sequence from seal;

-- One mail to one person. Its address is not here: it is opened to be sent to.
create table mail (
  workspace integer not null references workspace,
  -- Follows from the event, the kind and the account: one mail for all three, whoever is killed.
  id uuid not null,
  kind text collate "C" not null,
  account_id uuid not null,
  -- What it is about, such as an invoice.
  transaction_id uuid,
  -- `none`: there is no address. `refused`: given up, or not taken.
  state text collate "C" not null default 'pending'
    check (state in ('pending', 'sent', 'none', 'bounced', 'refused')),
  tries smallint not null default 0,
  -- In real time: when it is to be tried, or when the lease ends.
  due timestamptz not null default clock_timestamp(),
  lease uuid,
  reason text collate "C",
  -- By the clock of the workspace.
  at timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account
);
create index mail_due on mail (due) where state = 'pending';
-- Mails of a tenant by their time, as pages list them.
create index mail_newest on mail (workspace, at, id);
alter table mail alter column workspace set (n_distinct = 1);

-- An address that bounced is not mailed to again: a keyed hash, so that another one is.
create table mail_bounce (
  workspace integer not null references workspace,
  address_key text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  primary key (workspace, address_key)
);
alter table mail_bounce alter column workspace set (n_distinct = 1);

-- A mail that the sandbox captured: nobody got it. Sealed with the key of the account's person.
create table captured_mail (
  workspace integer not null,
  id uuid not null,
  address_key text collate "C" not null,
  account_id uuid not null,
  sealed text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  primary key (workspace, id),
  foreign key (workspace, id) references mail on delete cascade
);
create index captured_mail_at on captured_mail (workspace, at);
alter table captured_mail alter column workspace set (n_distinct = 1);
