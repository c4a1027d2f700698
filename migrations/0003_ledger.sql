-- The books: ledger accounts, running balances and the entries that move money between accounts.

-- The chart of accounts. Wallets and restricted funds carry a running balance (below); all others
-- are sums of their entries, because no decision can overdraw them.
create table ledger_account (
  workspace integer not null,
  id uuid not null,
  kind text collate "C" not null,
  currency text collate "C" not null,
  primary key (workspace, id)
);
select append_only('ledger_account');

-- A ledger account is in a currency of its workspace.
create function check_ledger_accounts() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (select from added n
    left join workspace_currency c on c.workspace = n.workspace and c.currency = n.currency
    where c.workspace is null) then
    perform refuse_reference('ledger_account_workspace_currency_fkey');
  end if;
  return null;
end $$;
create trigger ledger_account_references after insert on ledger_account
  referencing new table as added for each statement execute function check_ledger_accounts();

-- Running balances, the rows that are written most; nothing refers to them. Never below zero. [M3]
create table balance (
  workspace integer not null,
  id uuid not null,
  amount bigint not null default 0 check (amount >= 0),
  -- Number of entries so far; the newest carries it as account_version.
  version integer not null default 0 check (version >= 0),
  -- False while the owner must pass verification first: credits are then restricted. [G-38]
  accrues boolean not null default true,
  updated timestamptz not null default clock_timestamp(),
  primary key (workspace, id)
) with (fillfactor = 60);
select keep_rows('balance');
-- A balance stays with its account.
create trigger balance_key before update on balance
  for each row when ((new.workspace, new.id) <> (old.workspace, old.id))
  execute function refuse_change();

-- A running balance is of a ledger account.
create function check_balance_accounts() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (select from added n
    left join ledger_account a on a.workspace = n.workspace and a.id = n.id
    where a.id is null) then
    perform refuse_reference('balance_workspace_id_fkey');
  end if;
  return null;
end $$;
create trigger balance_references after insert on balance
  referencing new table as added for each statement execute function check_balance_accounts();

-- Movements of money: signed ledger entries that sum to zero for each resource, version and
-- currency. Each belongs to the step of the resource that caused it. Append-only. [M1, M2]
create table posting (
  workspace integer not null,
  resource_id uuid not null,
  version integer not null,
  line smallint not null,
  account_id uuid not null,
  currency text collate "C" not null,
  amount bigint not null check (amount <> 0),
  -- For accounts with a running balance: its number in the account's chain and the balance after
  -- it.
  account_version integer check (account_version >= 1),
  balance_after bigint check (balance_after >= 0),
  primary key (workspace, resource_id, version, line),
  check ((account_version is null) = (balance_after is null))
);
-- The entries of an account with a running balance are numbered, each number once.
create unique index posting_chain on posting (workspace, account_id, account_version)
  where account_version is not null;
select append_only('posting');

-- Entries sum to zero; each belongs to a step and to an account of its currency; running balances
-- add up.
create function check_postings() returns trigger language plpgsql as $$
begin
  if exists (
    select from added group by workspace, resource_id, version, currency having sum(amount) <> 0
  ) then
    raise exception 'postings do not balance'
      using errcode = '23514', constraint = 'posting_balanced';
  end if;
  if exists (
    select from added n
    left join step s
      on s.workspace = n.workspace and s.resource_id = n.resource_id and s.version = n.version
    left join ledger_account a on a.workspace = n.workspace and a.id = n.account_id
    where s.version is null or a.currency is distinct from n.currency
      or (a.kind in ('wallet', 'kept_back')) <> (n.account_version is not null)
  ) then
    raise exception 'a posting has no step, or no account of its currency'
      using errcode = '23514', constraint = 'posting_references';
  end if;
  if exists (
    select from added n
    left join posting p on p.workspace = n.workspace and p.account_id = n.account_id
      and p.account_version = n.account_version - 1
    left join balance b on b.workspace = n.workspace and b.id = n.account_id
    where n.account_version is not null and (
      case when n.account_version = 1 then 0 else p.balance_after end + n.amount
        is distinct from n.balance_after
      or b.version is null or b.version < n.account_version
      or (b.version = n.account_version and b.amount <> n.balance_after))
  ) then
    raise exception 'a posting breaks the chain of its account'
      using errcode = '23514', constraint = 'posting_chain';
  end if;
  return null;
end $$;
create trigger posting_balanced after insert on posting
  referencing new table as added for each statement execute function check_postings();

-- A balance is what its newest entry says, also to SQL typed by hand.
create function check_balances() returns trigger language plpgsql as $$
begin
  if exists (
    select from changed n
    left join posting p on p.workspace = n.workspace and p.account_id = n.id
      and p.account_version = n.version
    where p.balance_after is distinct from n.amount and not (n.version = 0 and n.amount = 0)
  ) then
    raise exception 'a balance differs from its postings'
      using errcode = '23514', constraint = 'balance_posted';
  end if;
  return null;
end $$;
create trigger balance_posted_insert after insert on balance
  referencing new table as changed for each statement execute function check_balances();
create trigger balance_posted_update after update on balance
  referencing new table as changed for each statement execute function check_balances();

-- What refunds and chargebacks can be taken from: the part of the integrator's earnings that was
-- added up so far. What it earned since lies in integrator_credit, so that no sale waits for this
-- row. [G-43]
create table integrator_balance (
  workspace integer not null,
  id uuid not null, -- the ledger account of its share
  amount bigint not null default 0 check (amount >= 0),
  version integer not null default 0,
  updated timestamptz not null default clock_timestamp(),
  primary key (workspace, id),
  foreign key (workspace, id) references ledger_account (workspace, id)
);
select keep_rows('integrator_balance');

-- Earnings that are not added up yet: one row for each write that had some.
create table integrator_credit (
  workspace integer not null,
  account_id uuid not null,
  number bigint generated always as identity,
  amount bigint not null check (amount > 0),
  primary key (workspace, account_id, number)
);

-- Every credit of the integrator, whoever writes it, counts toward its balance.
create function collect_integrator_credits() returns trigger language plpgsql as $$
begin
  insert into integrator_credit (workspace, account_id, amount)
  select n.workspace, n.account_id, sum(n.amount) from added n
  join ledger_account a on a.workspace = n.workspace and a.id = n.account_id
    and a.kind = 'integrator_share'
  where n.account_version is null and n.amount > 0
  group by n.workspace, n.account_id;
  return null;
end $$;
create trigger posting_collected after insert on posting
  referencing new table as added for each statement execute function collect_integrator_credits();

-- A debit that takes the integrator's wallet from at or above a threshold to below it is announced,
-- in its own commit. The balances before and after it count the earnings that are not added up yet:
-- credits only lift a balance, and debits of a wallet go one after the other, so each fall is
-- announced once. Runs at the end of the commit, when all its rows are there; a sale has no debit
-- and pays nothing for this. [G-61]
create function announce_low_wallet() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  alert record;
  waiting bigint;
  held bigint;
begin
  select a.* into alert
  from wallet w
  join tenant_setting s on s.workspace = w.workspace
  cross join jsonb_to_recordset(s.wallet_alerts)
    as a(currency text, warning bigint, critical bigint)
  where w.workspace = new.workspace and w.id = new.id and a.currency = w.currency;
  if not found then
    return null;
  end if;
  select coalesce(sum(c.amount), 0) into waiting from integrator_credit c
  where c.workspace = new.workspace and c.account_id = new.id;
  held := new.amount + waiting;
  if (held < alert.warning and old.amount + waiting >= alert.warning)
    or (held < alert.critical and old.amount + waiting >= alert.critical) then
    insert into outbox (workspace, resource_id, resource_version, event_id, name, at, message)
    select new.workspace, new.id, new.version, gen_random_uuid(), 'wallet-balance-alert',
    new.updated,
      row_to_json(m)
    from (select new.id as wallet_id, alert.currency || ' wallet' as description, held as balance,
      held < alert.warning as warning, held < alert.critical as critical) m;
  end if;
  return null;
end $$;
create constraint trigger integrator_balance_low after update on integrator_balance
  deferrable initially deferred
  for each row when (new.amount < old.amount) execute function announce_low_wallet();
