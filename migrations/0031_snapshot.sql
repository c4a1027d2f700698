-- Snapshots of a sandbox's worlds. Their rows lie on the shelf: tables `shelf_<table>` that a start
-- in staging makes beside the tables they are of, so that production has none of them.

-- A frozen state of a world. Its rows on the shelf carry its number where others carry their world.
create table snapshot (
  id uuid primary key,
  number integer generated always as identity unique,
  integrator uuid not null references tenant,
  -- Of the world that it was taken of: a copy belongs to the same line.
  line integer not null references world,
  -- The wire id of that world.
  world_id uuid not null,
  -- For people.
  name text not null check (octet_length(name) between 1 and 400),
  -- False: nobody asked for it by name. It is how a world began, and goes with the last such world.
  listed boolean not null,
  -- When it was taken, by this database's clock and by the world's.
  taken timestamptz not null,
  taken_virtual timestamptz not null,
  -- The tables that have rows in it; only these take part in a copy.
  tables text[] collate "C" not null,
  -- Accounts, invoices, escrows and the like, each counted once; and rows of any table.
  objects bigint not null check (objects >= 0),
  row_count bigint not null check (row_count >= objects),
  -- Digest of the columns of all copied tables: a release that changed them cannot restore it.
  shape text collate "C" not null
);
create index snapshot_tenant on snapshot (integrator, taken);

-- A world that began as a snapshot which is deleted cannot be reset any more.
alter table world add constraint world_began_as
  foreign key (snapshot_id) references snapshot on delete set null;
create index world_snapshot on world (snapshot_id) where snapshot_id is not null;

-- Of a world, line, tenant and id never change; one that has ended stays so. A copy that is still
-- being made has ended before all time: nobody asks about it until its last transaction.
drop trigger world_kept on world;
create trigger world_kept before update on world
  for each row when (new.line <> old.line or new.integrator <> old.integrator or new.id <> old.id
    or (old.ended > '-infinity' and new.ended is distinct from old.ended))
  execute function keep_world();

alter table processor_charge drop constraint processor_charge_challenge;
-- A copy of a world keeps the pages of its bank, as long as no other live world has them: one
-- address, several rows, the newest is the one that answers.
create unique index processor_charge_challenge on processor_charge (challenge, world);

-- A copy of ten thousand objects writes some hundred thousand rows at once, and five microseconds
-- for each reference were half of its time. What every account has eight or sixteen of holds its
-- references as postings and steps do: by one look-up for each statement, since the rows referred
-- to are never deleted and their keys never change. The same is refused, under the same names.

-- What others refer to keeps its key, and stays.
create trigger world_currency_kept before delete or truncate on world_currency
  for each statement execute function refuse_change();
create trigger world_currency_key before update on world_currency
  for each row when ((new.world, new.currency) <> (old.world, old.currency))
  execute function refuse_change();
create trigger account_key before update on account
  for each row when ((new.world, new.id) <> (old.world, old.id))
  execute function refuse_change();

-- Who refers keeps what it refers to. Ledger accounts and wallets never change at all.
create trigger balance_key before update on balance
  for each row when ((new.world, new.id) <> (old.world, old.id))
  execute function refuse_change();
create trigger payment_method_key before update on payment_method
  for each row when ((new.world, new.id, new.account_id) <> (old.world, old.id, old.account_id)
    or new.wallet_id is distinct from old.wallet_id)
  execute function refuse_change();

-- The refusal of a reference to nothing, named as a foreign key's.
create function refuse_reference(of_constraint text) returns void language plpgsql as $$
begin
  raise exception 'a row refers to what is not there'
    using errcode = '23503', constraint = of_constraint;
end $$;

-- An account of the books is in a currency of its world; so it has a world.
create function check_ledger_accounts() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (select from added n
    left join world_currency c on c.world = n.world and c.currency = n.currency
    where c.world is null) then
    perform refuse_reference('ledger_account_world_currency_fkey');
  end if;
  return null;
end $$;
create trigger ledger_account_references after insert on ledger_account
  referencing new table as added for each statement execute function check_ledger_accounts();
alter table ledger_account drop constraint ledger_account_world_fkey;
alter table ledger_account drop constraint ledger_account_world_currency_fkey;

-- A running balance is of an account of the books.
create function check_balance_accounts() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (select from added n
    left join ledger_account a on a.world = n.world and a.id = n.id
    where a.id is null) then
    perform refuse_reference('balance_world_id_fkey');
  end if;
  return null;
end $$;
create trigger balance_references after insert on balance
  referencing new table as added for each statement execute function check_balance_accounts();
alter table balance drop constraint balance_world_id_fkey;

-- A wallet is an account of the books, and somebody's or the integrator's.
create function check_wallets() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (select from added n
    left join ledger_account a on a.world = n.world and a.id = n.id
    where a.id is null) then
    perform refuse_reference('wallet_world_id_fkey');
  end if;
  if exists (select from added n
    left join account a on a.world = n.world and a.id = n.account_id
    where n.account_id is not null and a.id is null) then
    perform refuse_reference('wallet_world_account_id_fkey');
  end if;
  return null;
end $$;
create trigger wallet_references after insert on wallet
  referencing new table as added for each statement execute function check_wallets();
alter table wallet drop constraint wallet_world_id_fkey;
alter table wallet drop constraint wallet_world_account_id_fkey;

-- A way to pay is somebody's; a wallet's way to pay has its wallet.
create function check_payment_methods() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (select from added n
    left join account a on a.world = n.world and a.id = n.account_id
    where a.id is null) then
    perform refuse_reference('payment_method_world_account_id_fkey');
  end if;
  if exists (select from added n
    left join wallet w on w.world = n.world and w.id = n.wallet_id
    where n.wallet_id is not null and w.id is null) then
    perform refuse_reference('payment_method_world_wallet_id_fkey');
  end if;
  return null;
end $$;
create trigger payment_method_references after insert on payment_method
  referencing new table as added for each statement execute function check_payment_methods();
alter table payment_method drop constraint payment_method_world_account_id_fkey;
alter table payment_method drop constraint payment_method_world_wallet_id_fkey;
