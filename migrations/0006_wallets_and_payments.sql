-- Wallets, ways to pay and be paid, and money that goes through the card processor: payment
-- attempts in, outbound transfers out.

-- A wallet; immutable. Its id is also its ledger account's. account_id is null for the
-- integrator's own.
create table wallet (
  workspace integer not null,
  id uuid not null,
  account_id uuid,
  currency text collate "C" not null,
  -- The ledger account that receives credits while the owner may not accrue; null for the
  -- integrator's.
  kept_back_id uuid,
  payment_method_id uuid,
  created timestamptz not null,
  primary key (workspace, id)
);
-- An account has one wallet of a currency.
create unique index wallet_workspace_account_id_currency_key
on wallet (account_id, workspace, currency);
-- The id leads, so that no planner takes this index for the workspace alone.
create index wallet_kept_back on wallet (kept_back_id, workspace);
select append_only('wallet');

-- A wallet has its ledger account, and belongs to an account or the integrator.
create function check_wallets() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (select from added n
    left join ledger_account a on a.workspace = n.workspace and a.id = n.id
    where a.id is null) then
    perform refuse_reference('wallet_workspace_id_fkey');
  end if;
  if exists (select from added n
    left join account a on a.workspace = n.workspace and a.id = n.account_id
    where n.account_id is not null and a.id is null) then
    perform refuse_reference('wallet_workspace_account_id_fkey');
  end if;
  return null;
end $$;
create trigger wallet_references after insert on wallet
  referencing new table as added for each statement execute function check_wallets();

-- A way to pay or be paid. A card's number exists at the processor only; here lies its token.
create table payment_method (
  workspace integer not null,
  id uuid not null,
  account_id uuid not null,
  provider text collate "C" not null check (provider in ('wallet', 'card', 'ach', 'paypal')),
  method_class text collate "C" not null,
  display_string text not null,
  currency text collate "C" not null,
  pm_state text collate "C" not null check (pm_state in ('ACTIVE', 'INACTIVE', 'UNVERIFIED')),
  wallet_id uuid,
  -- The processor's token for a card; '' for a wallet.
  processor_token text collate "C" not null default '',
  created timestamptz not null,
  updated timestamptz not null,
  -- How often it was changed: the version that its events carry.
  version integer not null default 1 check (version >= 1),
  primary key (workspace, id),
  check ((provider = 'wallet') = (wallet_id is not null))
);
-- The ways to pay of an account.
create index payment_method_account on payment_method (account_id, workspace);
-- Owner and wallet of a way to pay never change.
create trigger payment_method_key before update on payment_method
  for each row when ((new.workspace, new.id, new.account_id) <> (old.workspace, old.id,
  old.account_id)
    or new.wallet_id is distinct from old.wallet_id)
  execute function refuse_change();

-- A way to pay has an account, and where it is a wallet's, that wallet.
create function check_payment_methods() returns trigger language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  if exists (select from added n
    left join account a on a.workspace = n.workspace and a.id = n.account_id
    where a.id is null) then
    perform refuse_reference('payment_method_workspace_account_id_fkey');
  end if;
  if exists (select from added n
    left join wallet w on w.workspace = n.workspace and w.id = n.wallet_id
    where n.wallet_id is not null and w.id is null) then
    perform refuse_reference('payment_method_workspace_wallet_id_fkey');
  end if;
  return null;
end $$;
create trigger payment_method_references after insert on payment_method
  referencing new table as added for each statement execute function check_payment_methods();

-- A card or account that a person enters in the processor's own frame, and the one payment method
-- that came of it. What is typed there never comes to us: we learn a token, a brand and four
-- digits. [PD4]
create table method_entry (
  workspace integer not null,
  id uuid not null,
  account_id uuid not null,
  kind text collate "C" not null check (kind in ('card', 'bank', 'paypal')),
  -- The processor's id of it; no secret: the page is known by another one.
  processor_entry text collate "C" not null,
  -- In the time of the workspace.
  expires timestamptz not null,
  payment_method_id uuid,
  created timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id),
  foreign key (workspace, payment_method_id) references payment_method (workspace, id),
  -- One method for each thing that was entered.
  unique (workspace, processor_entry),
  unique (workspace, payment_method_id)
);
create index method_entry_account on method_entry (workspace, account_id);

-- What an entry has become stays so.
create function check_method_entry() returns trigger language plpgsql as $$
begin
  if old.payment_method_id is not null
    or (old.workspace, old.id, old.account_id, old.kind, old.processor_entry)
      is distinct from (new.workspace, new.id, new.account_id, new.kind, new.processor_entry) then
    raise exception 'an entry leads to one payment method'
      using errcode = '23514', constraint = 'method_entry_once';
  end if;
  return new;
end $$;
create trigger method_entry_once before update on method_entry
  for each row execute function check_method_entry();

-- A deposit: money into a wallet from a card or, in the sandbox, from nowhere. One to the
-- integrator's own wallet has no account. [G-49]
create table deposit (
  workspace integer not null,
  id uuid not null,
  account_id uuid,
  wallet_id uuid not null,
  payment_method_id uuid,
  currency text collate "C" not null,
  amount bigint not null check (amount > 0),
  state text collate "C" not null,
  version integer not null,
  failure_code text collate "C",
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id),
  foreign key (workspace, wallet_id) references wallet (workspace, id),
  check ((state = 'failed') = (failure_code is not null))
);
select guard_lifecycle('deposit');

-- One payment of a charge through the processor: begun, asked for, settled. [R5, R6]
create table attempt (
  workspace integer not null,
  id uuid not null,
  -- The invoice or deposit that it pays for.
  resource_id uuid not null,
  purpose text collate "C" not null check (purpose in ('invoice', 'escrow', 'deposit')),
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
  -- The page at which the buyer confirms at the bank (3-D Secure); kept when the payment goes on.
  authentication_url text,
  primary key (workspace, id),
  constraint attempt_challenged
    check (state <> 'challenged' or authentication_url is not null)
);
-- One thing is paid for with one method once.
create unique index attempt_workspace_resource_id_payment_method_id_key on attempt
  (resource_id, workspace, payment_method_id);
-- What waits for the processor or the buyer, for the sweeper that finds work without a job.
create index attempt_open on attempt (workspace, id)
  where state in ('authorizing', 'challenged', 'capturing', 'reversing');
-- What waits for a buyer, for the clock that ends it.
create index attempt_challenged_at on attempt (workspace, updated) where state = 'challenged';
-- What people must decide.
create index attempt_parked on attempt (workspace, id) where state = 'parked';
-- What must be in the processor's statement by now.
create index attempt_taken on attempt (workspace, updated) where state in ('captured', 'reversed');
select guard_lifecycle('attempt');

-- Work due at the processor: one row while a payment attempt is pending there. Due in real time,
-- because the processor does not follow the sandbox's clock; a decision knows only its workspace's
-- time and leaves the column to the database. No decision reads it.
create table attempt_job (
  workspace integer not null,
  attempt_id uuid not null,
  due timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  lease uuid,
  leased_until timestamptz,
  -- Why it waits: `pending` and `challenged` wait for somebody else, and are queried only in case a
  -- provider webhook was lost; null before the first answer.
  pause text collate "C",
  -- True where a provider webhook came while the job was being done: then it is done again at once.
  again boolean not null default false,
  primary key (workspace, attempt_id),
  foreign key (workspace, attempt_id) references attempt (workspace, id)
);
create index attempt_job_due on attempt_job (due);

-- Outbound transfers: money sent out through the processor, refunds to cards and payouts to banks;
-- begun with its key, asked for, settled. [M12, R5]
create table transfer (
  workspace integer not null,
  id uuid not null,
  -- The refund invoice, payout or discrepancy that it is sent for.
  resource_id uuid not null,
  purpose text collate "C" not null
    check (purpose in ('escrow_cancel', 'refund', 'payout', 'double_capture')),
  kind text collate "C" not null check (kind in ('refund', 'payout')),
  -- Of a refund the key of the charge, of a payout the processor's token of the account.
  target text collate "C" not null,
  payment_method_id uuid not null,
  currency text collate "C" not null,
  amount bigint not null check (amount > 0),
  state text collate "C" not null,
  version integer not null,
  processor_reference text collate "C",
  failure_code text collate "C",
  updated timestamptz not null,
  primary key (workspace, id)
);
-- Of all that is sent back of one charge for one purpose at most one is under way or paid. What is
-- in manual review does not count: a person has it sent anew in the commit that ends the old one.
-- [R2]
create unique index transfer_once on transfer (workspace, resource_id, target)
  where state not in ('replaced', 'declined', 'returned', 'parked');
-- What is sent for a resource.
create index transfer_resource on transfer (resource_id, workspace);
-- What waits for the processor, for the sweeper that finds work without a job.
create index transfer_open on transfer (workspace, id) where state in ('sending', 'pending');
-- What people must decide.
create index transfer_parked on transfer (workspace, id) where state = 'parked';
-- What must be in the processor's statement by now.
create index transfer_paid on transfer (workspace, updated) where state = 'paid';
select guard_lifecycle('transfer');

-- Work due at the processor for an outbound transfer, as attempt_job for a payment attempt.
create table transfer_job (
  workspace integer not null,
  transfer_id uuid not null,
  due timestamptz not null default clock_timestamp(),
  tries integer not null default 0,
  lease uuid,
  leased_until timestamptz,
  pause text collate "C",
  again boolean not null default false,
  primary key (workspace, transfer_id),
  foreign key (workspace, transfer_id) references transfer (workspace, id)
);
create index transfer_job_due on transfer_job (due);
