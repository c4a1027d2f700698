-- Moving in from another service: which account or method came of which row of a file, and opening
-- balances with the second person who confirms them.

-- What became of a row of an imported file. The id is a keyed hash of the reference under which
-- the other service knew it, so a reference stands for one thing for ever.
create table imported (
  workspace integer not null references workspace,
  id uuid not null,
  -- The account that it is, or that it belongs to.
  account_id uuid not null,
  -- The payment method; null for an account.
  payment_method_id uuid,
  -- Keyed hash of the row, which tells a repetition from another row; '' once the person is erased.
  fingerprint text collate "C" not null,
  created timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id),
  foreign key (workspace, payment_method_id) references payment_method (workspace, id)
);
-- What was imported of an account.
create index imported_account on imported (account_id, workspace);
select keep_rows('imported');

-- A reference keeps what it stands for; only the fingerprint is emptied, once.
create function check_imported() returns trigger language plpgsql as $$
begin
  if (old.workspace, old.id, old.account_id, old.created)
      is distinct from (new.workspace, new.id, new.account_id, new.created)
    or old.payment_method_id is distinct from new.payment_method_id
    or new.fingerprint not in (old.fingerprint, '') then
    raise exception 'a reference stands for one thing'
      using errcode = '23514', constraint = 'imported_once';
  end if;
  return new;
end $$;
create trigger imported_once before update on imported
  for each row execute function check_imported();

-- A file of opening balances in one currency: prepared by one operator, confirmed by another, then
-- booked in blocks. Its lines are booked in their order; `booked` of them are, up to `last_line`.
create table opening (
  workspace integer not null references workspace,
  id uuid not null,
  currency text collate "C" not null,
  -- What the operator stated, and what the lines were found to have.
  total bigint not null check (total > 0),
  lines integer not null check (lines > 0),
  booked integer not null check (booked between 0 and lines),
  last_line integer not null,
  -- SHA-256 of the file, in hexadecimal; '' until it was read.
  digest text collate "C" not null,
  prepared_by uuid not null,
  confirmed_by uuid,
  created timestamptz not null,
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  primary key (workspace, id),
  constraint opening_second_person check (confirmed_by <> prepared_by),
  constraint opening_confirmed
    check (state not in ('confirmed', 'booking', 'booked') or confirmed_by is not null),
  constraint opening_booked check ((state = 'booked') = (booked = lines))
);
-- What is to be booked.
create index opening_open on opening (workspace, id) where state in ('confirmed', 'booking');
select guard_lifecycle('opening');

-- One opening balance of a file. Only what was cancelled is removed.
create table opening_line (
  workspace integer not null,
  opening_id uuid not null,
  -- The line of the file.
  line integer not null,
  wallet_id uuid not null,
  amount bigint not null check (amount > 0),
  primary key (workspace, opening_id, line),
  -- A trial reads a file without an opening, and is rolled back.
  foreign key (workspace, opening_id) references opening (workspace, id)
    deferrable initially deferred,
  foreign key (workspace, wallet_id) references wallet (workspace, id)
);
-- A wallet is opened once. [M2]
create unique index opening_line_once on opening_line (wallet_id, workspace);

-- Lines never change once they are read, and go with a cancelled file only.
create function check_opening_lines() returns trigger language plpgsql as $$
begin
  if exists (select from removed l
    join opening o on o.workspace = l.workspace and o.id = l.opening_id
    where o.state <> 'cancelled') then
    raise exception 'a line of an opening is removed'
      using errcode = '23514', constraint = 'opening_line_kept';
  end if;
  return null;
end $$;
create trigger opening_line_kept after delete on opening_line
  referencing old table as removed for each statement execute function check_opening_lines();
create trigger opening_line_change before update or truncate on opening_line
  for each statement execute function refuse_change();

alter table imported alter column workspace set (n_distinct = 1);
alter table opening alter column workspace set (n_distinct = 1);
alter table opening_line alter column workspace set (n_distinct = 1);
