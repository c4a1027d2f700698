-- The core: worlds, lifecycles with their history, the ledger, invoices, idempotency, the outbox.
-- The tenancy key of every table is `world`; it leads every key, so a row cannot refer across
-- tenants. Rows that many writers meet (posting, step, invoice) hold their references by
-- statement-level triggers: the rows referred to are never deleted, so a look-up without a lock is
-- proof enough, and no batch locks another's parent row.

-- A customer of this installation; its id is the `integrator` of the interface.
create table tenant (
  integrator uuid primary key,
  name text not null,
  created timestamptz not null default clock_timestamp()
);

-- A tenant's state at large; in staging a tenant may have several (snapshots, forks).
create table world (
  world integer generated always as identity primary key,
  integrator uuid not null references tenant,
  -- Virtual time: what the sandbox's clock adds to the database's. Zero in production.
  clock_offset interval not null default '0',
  created timestamptz not null default clock_timestamp()
);

-- Currencies that a world has enabled. [G-30]
create table world_currency (
  world integer not null references world,
  currency text collate "C" not null check (currency ~ '^[A-Z]{3,10}$'),
  digits smallint not null check (digits between 0 and 8),
  primary key (world, currency)
);

-- What the installation is: one row per fact, such as the environment the data belongs to. [G-04]
create table installation (
  name text collate "C" primary key,
  value text not null
);

-- Legal moves of every lifecycle, loaded from the code's rows at start; staging has its own arrows.
create table machine_move (
  machine text collate "C" not null,
  from_state text collate "C" not null, -- '' is birth
  event text collate "C" not null,
  to_state text collate "C" not null,
  primary key (machine, from_state, event, to_state)
);

-- History: one row for each move of each resource; append-only.
create table step (
  world integer not null,
  resource_id uuid not null,
  version integer not null check (version >= 1),
  machine text collate "C" not null,
  from_state text collate "C" not null,
  event text collate "C" not null,
  to_state text collate "C" not null,
  at timestamptz not null,
  actor text collate "C" not null,
  -- JSON facts of the move, such as a failure code; never personal data.
  detail text,
  primary key (world, resource_id, version)
);

-- What was written stays: the function behind every `..._append_only` and `..._kept`.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name
    using errcode = '23514', constraint = tg_table_name || '_append_only';
end $$;

-- A step is an arrow of its lifecycle, starts where the last one ended, and is not before it.
create function check_steps() returns trigger language plpgsql as $$
begin
  if exists (
    select from added n
    left join step p
      on p.world = n.world and p.resource_id = n.resource_id and p.version = n.version - 1
    left join machine_move m
      on m.machine = n.machine and m.from_state = n.from_state
      and m.event = n.event and m.to_state = n.to_state
    where m.machine is null
      or (n.version = 1) <> (n.from_state = '')
      or (n.version > 1 and (
        p.to_state is distinct from n.from_state
        or p.machine is distinct from n.machine
        or p.at > n.at))
  ) then
    raise exception 'a step breaks its lifecycle'
      using errcode = '23514', constraint = 'step_legal';
  end if;
  return null;
end $$;

create trigger step_legal after insert on step
  referencing new table as added for each statement execute function check_steps();
create trigger step_append_only before update or delete or truncate on step
  for each statement execute function refuse_change();

-- Every part of a write touches as many rows as were read under lock; the engine's one statement
-- for a batch ends with this. [R1]
create function assert_counts(expected bigint[], touched bigint[]) returns void
language plpgsql as $$
begin
  if expected <> touched then
    raise exception 'a write touched another number of rows than were read'
      using errcode = '23514', constraint = 'write_count';
  end if;
end $$;

-- A resource's head row says what its last step says. One function for every table with the columns
-- world, id, state, version.
create function check_heads() returns trigger language plpgsql as $$
begin
  if exists (
    select from changed n
    left join step s on s.world = n.world and s.resource_id = n.id and s.version = n.version
    left join step l on l.world = n.world and l.resource_id = n.id and l.version = n.version + 1
    where s.to_state is distinct from n.state or l.version is not null
  ) then
    raise exception '% contradicts its history', tg_table_name
      using errcode = '23514', constraint = tg_table_name || '_head';
  end if;
  return null;
end $$;

-- The chart: accounts of the books. Wallets and money kept back carry a running balance (below);
-- all others are sums of their postings, because no decision can overdraw them.
create table ledger_account (
  world integer not null references world,
  id uuid not null,
  kind text collate "C" not null,
  currency text collate "C" not null,
  primary key (world, id),
  foreign key (world, currency) references world_currency (world, currency)
);
create trigger ledger_account_append_only before update or delete or truncate on ledger_account
  for each statement execute function refuse_change();

-- Running balances, the hottest rows; nothing refers to them. Never below zero. [M3]
create table balance (
  world integer not null,
  id uuid not null,
  amount bigint not null default 0 check (amount >= 0),
  -- Number of postings so far; the newest posting carries it as account_version.
  version integer not null default 0 check (version >= 0),
  -- False while the owner must pass verification first: credits are then kept back. [G-38]
  accrues boolean not null default true,
  updated timestamptz not null default clock_timestamp(),
  primary key (world, id),
  foreign key (world, id) references ledger_account (world, id)
) with (fillfactor = 60);

-- Movements of money: signed lines that sum to zero per resource, version and currency. Each entry
-- belongs to the step of the resource that caused it. Append-only. [M1, M2]
create table posting (
  world integer not null,
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
  primary key (world, resource_id, version, line),
  check ((account_version is null) = (balance_after is null))
);
-- The postings of an account with a running balance are numbered, each number once.
create unique index posting_chain on posting (world, account_id, account_version)
  where account_version is not null;

-- Lines sum to zero; each belongs to a step and to an account of its currency; running balances add
-- up.
create function check_postings() returns trigger language plpgsql as $$
begin
  if exists (
    select from added group by world, resource_id, version, currency having sum(amount) <> 0
  ) then
    raise exception 'postings do not balance'
      using errcode = '23514', constraint = 'posting_balanced';
  end if;
  if exists (
    select from added n
    left join step s
      on s.world = n.world and s.resource_id = n.resource_id and s.version = n.version
    left join ledger_account a on a.world = n.world and a.id = n.account_id
    where s.version is null or a.currency is distinct from n.currency
      or (a.kind in ('wallet', 'kept_back')) <> (n.account_version is not null)
  ) then
    raise exception 'a posting has no step, or no account of its currency'
      using errcode = '23514', constraint = 'posting_references';
  end if;
  if exists (
    select from added n
    left join posting p on p.world = n.world and p.account_id = n.account_id
      and p.account_version = n.account_version - 1
    left join balance b on b.world = n.world and b.id = n.account_id
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
create trigger posting_append_only before update or delete or truncate on posting
  for each statement execute function refuse_change();

-- A balance is what its newest posting says, also to SQL typed by hand.
create function check_balances() returns trigger language plpgsql as $$
begin
  if exists (
    select from changed n
    left join posting p on p.world = n.world and p.account_id = n.id
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
create trigger balance_kept before delete or truncate on balance
  for each statement execute function refuse_change();

-- An account of the interface: a person or business known to one tenant.
create table account (
  world integer not null references world,
  id uuid not null,
  -- Keyed hash of the username; the name itself lies in the sealed blob. [G-20]
  username_key text collate "C" not null,
  blocked boolean not null default false,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (world, id),
  unique (world, username_key)
);
create trigger account_kept before delete or truncate on account
  for each statement execute function refuse_change();

-- Personal fields of an account: one sealed blob, opened with the person's own key. [G-20]
create table account_person (
  world integer not null,
  id uuid not null,
  -- The person's key, wrapped by a master key (named by its version).
  wrapped_key text not null,
  sealed text not null,
  updated timestamptz not null,
  primary key (world, id),
  foreign key (world, id) references account (world, id)
);

-- Identity state of an account: one head row for each account, its history in step. [G-50, G-51]
create table kyc (
  world integer not null,
  id uuid not null, -- the account's id; the resource of the history is this row
  state text collate "C" not null,
  version integer not null,
  pii_level text collate "C" not null check (pii_level in ('NONE', 'BASIC', 'FULL')),
  requirements text collate "C" not null check (requirements in ('NONE', 'FULL_KYC', 'TAX_UPDATE')),
  -- Id of the latest application; null until there is one.
  application_id uuid,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (world, id),
  foreign key (world, id) references account (world, id)
);
create trigger kyc_kept before delete or truncate on kyc
  for each statement execute function refuse_change();
create trigger kyc_head_insert after insert on kyc
  referencing new table as changed for each statement execute function check_heads();
create trigger kyc_head_update after update on kyc
  referencing new table as changed for each statement execute function check_heads();

-- A wallet; immutable. Its id is also its ledger account's. account_id is null for the integrator's
-- own.
create table wallet (
  world integer not null,
  id uuid not null,
  account_id uuid,
  currency text collate "C" not null,
  -- The ledger account that receives credits while the owner may not accrue; null for the
  -- integrator's.
  kept_back_id uuid,
  payment_method_id uuid,
  created timestamptz not null,
  primary key (world, id),
  foreign key (world, id) references ledger_account (world, id),
  foreign key (world, account_id) references account (world, id),
  unique (world, account_id, currency)
);
create trigger wallet_append_only before update or delete or truncate on wallet
  for each statement execute function refuse_change();

-- A way to pay or be paid. A card's number exists at the processor only; here lies its token.
create table payment_method (
  world integer not null,
  id uuid not null,
  account_id uuid not null,
  provider text collate "C" not null check (provider in ('wallet', 'card')),
  method_class text collate "C" not null,
  display_string text not null,
  currency text collate "C" not null,
  pm_state text collate "C" not null check (pm_state in ('ACTIVE', 'INACTIVE', 'UNVERIFIED')),
  wallet_id uuid,
  -- The processor's token for a card; '' for a wallet.
  processor_token text collate "C" not null default '',
  created timestamptz not null,
  updated timestamptz not null,
  primary key (world, id),
  foreign key (world, account_id) references account (world, id),
  foreign key (world, wallet_id) references wallet (world, id),
  check ((provider = 'wallet') = (wallet_id is not null))
);
create index payment_method_account on payment_method (world, account_id);

-- An invoice: the moving part. What was agreed at creation lies in invoice_document.
create table invoice (
  world integer not null,
  id uuid not null,
  account_id uuid not null,
  state text collate "C" not null,
  version integer not null,
  failure_code text collate "C",
  updated timestamptz not null,
  primary key (world, id),
  check ((state = 'failed') = (failure_code is not null))
) with (fillfactor = 80);

-- An invoice has its buyer and its document.
create function check_invoice_account() returns trigger language plpgsql as $$
begin
  if exists (
    select from added n
    left join account a on a.world = n.world and a.id = n.account_id
    left join invoice_document d on d.world = n.world and d.id = n.id
    where a.id is null or d.id is null
  ) then
    raise exception 'an invoice has no account, or no document'
      using errcode = '23503', constraint = 'invoice_references';
  end if;
  return null;
end $$;

-- What an invoice says from its creation on; immutable, read back for answers and events.
create table invoice_document (
  world integer not null,
  id uuid not null,
  -- JSON of what was agreed: every fact once; the record and the money plan derive from it.
  document text not null,
  primary key (world, id)
);
create trigger invoice_document_append_only before update or delete or truncate on invoice_document
  for each statement execute function refuse_change();
create trigger invoice_references after insert on invoice
  referencing new table as added for each statement execute function check_invoice_account();
create trigger invoice_head_insert after insert on invoice
  referencing new table as changed for each statement execute function check_heads();
create trigger invoice_head_update after update on invoice
  referencing new table as changed for each statement execute function check_heads();
create trigger invoice_kept before delete or truncate on invoice
  for each statement execute function refuse_change();

-- A deposit: money into a wallet from a card or, in the sandbox, from nowhere. [G-49]
create table deposit (
  world integer not null,
  id uuid not null,
  account_id uuid not null,
  wallet_id uuid not null,
  payment_method_id uuid,
  currency text collate "C" not null,
  amount bigint not null check (amount > 0),
  state text collate "C" not null,
  version integer not null,
  failure_code text collate "C",
  created timestamptz not null,
  updated timestamptz not null,
  primary key (world, id),
  foreign key (world, account_id) references account (world, id),
  foreign key (world, wallet_id) references wallet (world, id),
  check ((state = 'failed') = (failure_code is not null))
);
create trigger deposit_kept before delete or truncate on deposit
  for each statement execute function refuse_change();
create trigger deposit_head_insert after insert on deposit
  referencing new table as changed for each statement execute function check_heads();
create trigger deposit_head_update after update on deposit
  referencing new table as changed for each statement execute function check_heads();

-- One exchange of a card payment with the processor: begun, asked, settled. [R5, R6]
create table attempt (
  world integer not null,
  id uuid not null,
  -- The invoice or deposit that it pays for.
  resource_id uuid not null,
  purpose text collate "C" not null check (purpose in ('invoice', 'deposit')),
  payment_method_id uuid not null,
  processor_token text collate "C" not null,
  currency text collate "C" not null,
  amount bigint not null check (amount > 0),
  state text collate "C" not null,
  version integer not null,
  -- The processor's reference once it is known.
  processor_reference text collate "C",
  failure_code text collate "C",
  updated timestamptz not null,
  primary key (world, id),
  unique (world, resource_id, payment_method_id)
);
create trigger attempt_kept before delete or truncate on attempt
  for each statement execute function refuse_change();
create trigger attempt_head_insert after insert on attempt
  referencing new table as changed for each statement execute function check_heads();
create trigger attempt_head_update after update on attempt
  referencing new table as changed for each statement execute function check_heads();

-- Work due at the processor: one row while an attempt waits to be asked about. No decide reads it.
create table attempt_job (
  world integer not null,
  attempt_id uuid not null,
  due timestamptz not null,
  tries integer not null default 0,
  lease uuid,
  leased_until timestamptz,
  primary key (world, attempt_id),
  foreign key (world, attempt_id) references attempt (world, id)
);
create index attempt_job_due on attempt_job (due);

-- Answers of commands that committed effects, by the caller's key. [G-44]
create table idempotency (
  world integer not null,
  scope text collate "C" not null,
  fingerprint text collate "C" not null,
  status smallint not null,
  -- The record that the answer showed, composed again on replay; or the answer itself.
  record text collate "C",
  record_id uuid,
  record_version integer,
  answer text,
  created timestamptz not null default clock_timestamp(),
  primary key (world, scope)
);
create index idempotency_created on idempotency using brin (created);

-- Events of committed steps that have no sequence number yet; emptied by the sealing loop.
create table outbox (
  world integer not null,
  resource_id uuid not null,
  resource_version integer not null,
  event_id uuid not null,
  name text collate "C" not null,
  at timestamptz not null,
  -- The record to compose the message from, or the message itself.
  record text collate "C",
  message text,
  -- In the order in which the sealing loop takes them.
  primary key (world, at, resource_id, resource_version, event_id)
);

-- The sealed stream: gapless per world, append-only, the exact bytes that are delivered. [G-60]
create table event (
  world integer not null,
  sequence bigint not null check (sequence >= 1),
  event_id uuid not null,
  name text collate "C" not null,
  resource_id uuid not null,
  resource_version integer not null,
  at timestamptz not null,
  -- The bytes, for an event that carries its message; else null.
  body text,
  -- Kind of record at resource_version from which the body is composed; else null.
  record text collate "C",
  primary key (world, sequence),
  check ((body is null) <> (record is null))
);
-- An event is sealed once, whatever happens to the loop that seals it.
create unique index event_by_id on event (world, event_id);
create trigger event_append_only before update or delete or truncate on event
  for each statement execute function refuse_change();

-- Where the sealing loop of each world stands; touched by that loop alone.
create table seal (
  world integer primary key references world,
  sequence bigint not null default 0
);
