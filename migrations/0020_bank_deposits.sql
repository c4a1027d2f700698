-- Deposits by bank transfer: the bank accounts of a tenant, their statements row by row, and what
-- became of each incoming transfer. [G-91]

-- A bank account of the tenant, as deposit instructions name it. One that was replaced stays, for
-- statements that come late.
create table bank_account (
  workspace integer not null,
  id uuid not null,
  currency text collate "C" not null,
  -- An IBAN without blanks, or the number that a bank without IBANs gave.
  number text collate "C" not null,
  bic text collate "C" not null,
  holder text not null,
  bank_name text not null,
  -- JSON: which column of a CSV file says what; null where the bank sends camt.053.
  columns text,
  active boolean not null,
  created timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, currency) references workspace_currency (workspace, currency)
);
-- A bank account is stored once in each currency.
create unique index bank_account_number on bank_account (number, currency, workspace);
-- A currency has one bank account that instructions name.
create unique index bank_account_active on bank_account (currency, workspace) where active;
select keep_rows('bank_account');
alter table bank_account alter column workspace set (n_distinct = 1);

-- A statement file that was read whole. Its text is not kept.
create table bank_statement (
  workspace integer not null,
  id uuid not null,
  bank_account_id uuid not null,
  -- SHA-256 of the file in hex.
  digest text collate "C" not null,
  format text collate "C" not null check (format in ('camt.053', 'csv')),
  -- Seals what the payers of its rows wrote.
  wrapped_key text not null,
  -- Minor units; null where the file states no balance.
  opening bigint,
  closing bigint,
  created timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, bank_account_id) references bank_account (workspace, id)
);
create index bank_statement_latest on bank_statement (bank_account_id, workspace, created);
-- The same file again changes nothing.
create unique index bank_statement_once on bank_statement (digest, bank_account_id, workspace);
select keep_rows('bank_statement');
alter table bank_statement alter column workspace set (n_distinct = 1);

-- One booked row of a statement, as the bank stated it.
create table bank_entry (
  workspace integer not null,
  id uuid not null,
  bank_account_id uuid not null,
  -- The file that had it first.
  statement_id uuid not null,
  -- Hash of its facts and its number among rows that are alike.
  key text collate "C" not null,
  direction text collate "C" not null check (direction in ('credit', 'debit')),
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  -- Days, as YYYY-MM-DD.
  booked text collate "C" not null check (booked ~ '^\d{4}-\d\d-\d\d$'),
  value_date text collate "C" not null check (value_date ~ '^\d{4}-\d\d-\d\d$'),
  -- The bank's own reference; '' for none.
  bank_reference text collate "C" not null,
  -- What the sender of a payment numbered it with; '' for none.
  end_to_end_id text collate "C" not null,
  -- The creditor reference that it names; '' for none, or for more than one.
  reference text collate "C" not null,
  -- A payment of ours that came back, or a booking that the bank reversed.
  returned boolean not null,
  -- What it settled, where it is no incoming transfer; null for a row that nothing explains.
  settles text collate "C"
    check (settles in ('provider_payout', 'payout', 'returned_transfer', 'bank_fee', 'own_payment',
      'reversal')),
  -- The bank calls it a charge or interest of its own.
  charge boolean not null default false,
  -- Who paid, and what they wrote, under the key of its statement.
  sealed text not null,
  created timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, statement_id) references bank_statement (workspace, id)
);
-- A row that overlapping files repeat is stored once.
create unique index bank_entry_once on bank_entry (key, bank_account_id, workspace);
create index bank_entry_open on bank_entry (workspace, direction, booked) where settles is null;
select keep_rows('bank_entry');
alter table bank_entry alter column workspace set (n_distinct = 1);

-- Money that came in at the bank, from a statement or recorded by a person, until it is in a wallet
-- or was sent back.
create table incoming_transfer (
  workspace integer not null,
  id uuid not null,
  bank_account_id uuid not null,
  -- Its row of the statement; null until one is there.
  entry_id uuid,
  -- The bank account, while a transfer that a person recorded or proposed has no row yet.
  awaits uuid check (awaits is null or (entry_id is null and awaits = bank_account_id)),
  bank_reference text collate "C" not null,
  currency text collate "C" not null,
  amount bigint not null check (amount > 0),
  value_date text collate "C" not null check (value_date ~ '^\d{4}-\d\d-\d\d$'),
  -- The wallet that it is for, or that a person proposed; null also where it is for the opening
  -- balances that moved in with accounts.
  wallet_id uuid,
  -- Why nobody was credited by itself; null where somebody was.
  why text collate "C",
  -- The operator who recorded it, or who proposed its wallet.
  operator_id uuid,
  state text collate "C" not null,
  version integer not null,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, bank_account_id) references bank_account (workspace, id),
  foreign key (workspace, entry_id) references bank_entry (workspace, id),
  foreign key (workspace, wallet_id) references wallet (workspace, id),
  check (case state when 'credited' then wallet_id is not null
    when 'covered' then wallet_id is null else true end)
);
-- A row of the statement is one transfer.
create unique index incoming_transfer_entry on incoming_transfer (entry_id, workspace)
  where entry_id is not null;
create index incoming_transfer_reference on incoming_transfer (bank_reference, workspace);
create index incoming_transfer_awaits on incoming_transfer (workspace, awaits)
  where awaits is not null;
create index incoming_transfer_ended on incoming_transfer (workspace, created)
  where state in ('credited', 'covered', 'returned', 'duplicate', 'rejected');
create index incoming_transfer_open on incoming_transfer (workspace, created)
  where state in ('proposed', 'unallocated', 'allocating', 'returning');
select guard_lifecycle('incoming_transfer');
alter table incoming_transfer alter column workspace set (n_distinct = 1);

-- What an operator said that a row of a statement is which settles nothing of ours: a fee of the
-- bank, a payment of the tenant itself, or a credit that the bank took back.
create table bank_booking (
  workspace integer not null,
  id uuid not null,
  entry_id uuid not null,
  kind text collate "C" not null check (kind in ('bank_fee', 'own_payment', 'reversal')),
  -- The credit that was taken back, or the transfer that the row was until then.
  transfer_id uuid,
  currency text collate "C" not null,
  -- Minor units; negative: out.
  amount bigint not null check (amount <> 0),
  -- Who said so first.
  operator_id uuid not null,
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, entry_id) references bank_entry (workspace, id),
  foreign key (workspace, transfer_id) references incoming_transfer (workspace, id),
  check (kind <> 'reversal' or (amount < 0 and transfer_id is not null))
);
-- A row is one thing.
create unique index bank_booking_entry on bank_booking (entry_id, workspace)
  where state <> 'rejected';
-- A credit is taken back once.
create unique index bank_booking_transfer on bank_booking (transfer_id, workspace)
  where transfer_id is not null and state <> 'rejected';
create index bank_booking_of_entry on bank_booking (entry_id, workspace);
create index bank_booking_of_transfer on bank_booking (transfer_id, workspace);
select guard_lifecycle('bank_booking');
alter table bank_booking alter column workspace set (n_distinct = 1);

-- The transfer that a deposit came with; null for a card and for sandbox money.
alter table deposit add column incoming_transfer_id uuid;
-- A transfer is credited once.
create unique index deposit_of_transfer on deposit (incoming_transfer_id, workspace)
  where incoming_transfer_id is not null;
alter table deposit add constraint deposit_transfer foreign key (workspace, incoming_transfer_id)
  references incoming_transfer (workspace, id);

-- The 16 digits that stand for a wallet or a returned transfer in a creditor reference (ISO 11649),
-- after the check digits. The same in every clone. No card number begins with one of these four.
create function reference_digits(of uuid) returns text
language sql immutable strict parallel safe as $$
  select substr('0179', (drawn % 4)::integer + 1, 1)
    || lpad((drawn / 4 % 1000000000000000)::text, 15, '0')
  from (select ('x' || left(encode(sha256(uuid_send(of)), 'hex'), 15))::bit(60)::bigint) d (drawn)
$$;
create index wallet_reference on wallet (reference_digits(id), workspace);
