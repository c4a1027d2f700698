-- Payouts by bank file: accounts known by their IBAN, the rail of an outbound transfer, and the
-- files that operators hand to a bank.

-- An account by IBAN is a way to be paid that no processor knows.
alter table payment_method drop constraint payment_method_provider_check,
  add constraint payment_method_provider_check
    check (provider in ('wallet', 'card', 'ach', 'paypal', 'bank'));

-- The holder and IBAN of a bank account, sealed with its owner's key; emptied with an erasure. The
-- id is the payment method's. What a stored payout file says of it can be made again, so it never
-- changes otherwise.
create table payout_destination (
  workspace integer not null,
  id uuid not null,
  sealed text not null,
  primary key (workspace, id),
  foreign key (workspace, id) references payment_method (workspace, id)
);
alter table payout_destination alter column workspace set (n_distinct = 1);
select keep_rows('payout_destination');

-- What a bank repeats of our own ids in its statements.
create index bank_entry_ours on bank_entry (end_to_end_id, workspace)
  where end_to_end_id ~* '^[0-9a-f]{32}$';

-- Which way a transfer leaves: through the processor, or in a file that operators hand to a bank.
-- One in a file waits until it is collected and has no job.
alter table transfer add column rail text collate "C" not null default 'processor'
  constraint transfer_rail check (rail in ('processor', 'file')),
  add constraint transfer_rail_state
    check (rail = 'file' or state not in ('waiting', 'handed_over'));
create index transfer_waiting on transfer (workspace, currency, id) where state = 'waiting';
-- By what the bank calls them.
create index transfer_bank_reference on transfer (processor_reference, workspace)
  where rail = 'file' and processor_reference is not null;
create index transfer_handed_over on transfer (workspace, currency) where state = 'handed_over';

-- A file of payouts in one currency, from one account of the tenant. Its bytes are made from its
-- rows, always the same, and their digest is stored. Who made it does not confirm it.
create table payout_file (
  workspace integer not null,
  id uuid not null,
  currency text collate "C" not null,
  format text collate "C" not null check (format in ('pain.001', 'csv')),
  state text collate "C" not null,
  version integer not null,
  -- Operators.
  made_by uuid not null,
  confirmed_by uuid,
  transactions integer not null check (transactions > 0),
  -- Minor units.
  total bigint not null check (total > 0),
  -- Of the file's bytes, as 64 hexadecimal digits.
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- What the bytes say beside the payouts, as JSON: the debtor, the date, the columns of a CSV.
  terms text not null,
  -- When it was drafted: the moment that the file names.
  drafted timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  constraint payout_file_second_person check (confirmed_by <> made_by),
  constraint payout_file_confirmed
    check (state in ('collected', 'cancelled') or confirmed_by is not null)
);
alter table payout_file alter column workspace set (n_distinct = 1);
select guard_lifecycle('payout_file');

-- A payout in a file. It stays in the list of a cancelled file, but is not live there any more.
create table payout_file_item (
  workspace integer not null,
  id uuid not null,
  file_id uuid not null,
  transfer_id uuid not null,
  -- Its place in the file, from 1.
  number integer not null check (number > 0),
  live boolean not null,
  primary key (workspace, id),
  foreign key (workspace, file_id) references payout_file (workspace, id),
  foreign key (workspace, transfer_id) references transfer (workspace, id)
);
-- A transfer is in one live file at most.
create unique index payout_file_item_once on payout_file_item (transfer_id, workspace) where live;
-- A place in a file is taken once.
create unique index payout_file_item_place on payout_file_item (file_id, number, workspace);
create index payout_file_item_transfer on payout_file_item (transfer_id, workspace);
alter table payout_file_item alter column workspace set (n_distinct = 1);
select keep_rows('payout_file_item');

-- When payouts are requested by the clock: a tenant's default for a currency (no account), or an
-- account's own destination with its deviations from the default. [G-91]
create table payout_schedule (
  workspace integer not null,
  id uuid not null,
  account_id uuid,
  currency text collate "C" not null,
  -- Null: as the tenant's default.
  interval text collate "C" check (interval in ('manual', 'daily', 'weekly')),
  -- 1 is Monday.
  weekday smallint check (weekday between 1 and 7),
  -- Minor units; null: as the tenant's default.
  minimum bigint check (minimum >= 0),
  destination_method_id uuid,
  -- When the clock acts next; null: never.
  due timestamptz,
  -- What came of the last time: 'requested', 'too_little' or the code of a refusal; '' before.
  outcome text collate "C" not null default '',
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id),
  foreign key (workspace, destination_method_id) references payment_method (workspace, id),
  constraint payout_schedule_week
    check ((weekday is not null) = (coalesce(interval, '') = 'weekly')),
  constraint payout_schedule_of check (case when account_id is null
    then interval is not null and minimum is not null and destination_method_id is null
      and due is null
    else destination_method_id is not null end)
);
create index payout_schedule_due on payout_schedule (workspace, due) where due is not null;
create index payout_schedule_account on payout_schedule (account_id, workspace);
alter table payout_schedule alter column workspace set (n_distinct = 1);
select keep_rows('payout_schedule');
