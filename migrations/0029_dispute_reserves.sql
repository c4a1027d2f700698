-- Reserves of sellers against lost disputes, who bears the fee of a dispute, and the warning before
-- the deadline of a response.

-- The share of each seller's earnings that is restricted, and for how long; 0: none. [G-93]
alter table tenant_setting
  add column dispute_fee_bearer text collate "C" not null default 'integrator'
    check (dispute_fee_bearer in ('integrator', 'seller')),
  add column reserve_percent smallint not null default 0 check (reserve_percent between 0 and 100),
  add column reserve_days smallint not null default 0 check (reserve_days between 0 and 180),
  add constraint tenant_setting_reserve check ((reserve_percent = 0) = (reserve_days = 0));

alter table dispute
  -- As the tenant had set it when the dispute was opened.
  add column fee_bearer text collate "C" not null default 'integrator'
    check (fee_bearer in ('integrator', 'seller')),
  -- What the processor kept for it so far, less what it returned. Minor units.
  add column fee bigint not null default 0,
  -- When the clock acts on it next; null: not any more.
  add column due timestamptz;
create index dispute_warned on dispute (workspace, due) where due is not null;
update dispute set due = due_by where state = 'needs_response';

-- What is in reserve of a wallet: a part of its restricted funds, whose ledger account is the key.
-- `held` of the `total` that sales ever restricted is left; the oldest is released or taken first.
create table reserve (
  workspace integer not null,
  id uuid not null, -- the restricted ledger account
  account_id uuid not null,
  wallet_id uuid not null,
  currency text collate "C" not null,
  held bigint not null check (held >= 0),
  total bigint not null check (total >= held),
  -- When the newest part is released; a later one never is before it.
  newest_due timestamptz not null,
  -- When the clock looks next; null: nothing is held.
  due timestamptz,
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, id) references ledger_account (workspace, id),
  foreign key (workspace, wallet_id) references wallet (workspace, id),
  check ((due is null) = (held = 0))
);
create index reserve_due on reserve (workspace, due) where due is not null;
create index reserve_of_account on reserve (account_id, workspace);
select guard_lifecycle('reserve');

-- What one sale restricted. It never changes: what is left of it follows from its place in the
-- `total` of the reserve.
create table reserve_hold (
  workspace integer not null,
  id uuid not null,
  reserve_id uuid not null,
  -- The invoice that was paid, or that paid the sellers of an escrow.
  invoice_id uuid not null,
  amount bigint not null check (amount > 0),
  -- The total of the reserve with it.
  through bigint not null,
  due timestamptz not null,
  created timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, reserve_id) references reserve (workspace, id),
  foreign key (workspace, invoice_id) references invoice (workspace, id)
);
-- The holds of a reserve, in order; each place once. [R2]
create unique index reserve_hold_of on reserve_hold (reserve_id, workspace, through);
select append_only('reserve_hold');

do $$
declare
  one text;
begin
  foreach one in array array['reserve', 'reserve_hold']
  loop
    execute format('alter table %I alter column workspace set (n_distinct = 1)', one);
  end loop;
end $$;
