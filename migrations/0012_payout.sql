-- Payouts: money of a wallet that leaves to a bank or PayPal-like account of its owner.

-- A payout: what was asked for, which never changes, and where it stands. [G-43]
create table payout (
  world integer not null,
  id uuid not null,
  account_id uuid not null,
  source_method_id uuid not null,
  source_wallet_id uuid not null,
  destination_method_id uuid not null,
  currency text collate "C" not null,
  -- What leaves the wallet; the receiver gets it less the fee.
  amount bigint not null check (amount > 0),
  fee_amount bigint not null check (fee_amount >= 0),
  state text collate "C" not null,
  version integer not null,
  failure_code text collate "C",
  -- What it is, or was last, sent with; null before the first time.
  remittance_id uuid,
  -- When the clock acts next; null: never. [G-43]
  due timestamptz,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (world, id),
  foreign key (world, account_id) references account (world, id),
  foreign key (world, source_wallet_id) references wallet (world, id),
  foreign key (world, source_method_id) references payment_method (world, id),
  foreign key (world, destination_method_id) references payment_method (world, id),
  foreign key (world, remittance_id) references remittance (world, id),
  check (fee_amount < amount),
  check ((state in ('FAILED', 'SYSTEM-REJECTED')) = (failure_code is not null))
);
create index payout_account on payout (world, account_id, created desc, id desc);
create index payout_due on payout (world, due) where due is not null;
create trigger payout_kept before delete or truncate on payout
  for each statement execute function refuse_change();
create trigger payout_head_insert after insert on payout
  referencing new table as changed for each statement execute function check_heads();
create trigger payout_head_update after update on payout
  referencing new table as changed for each statement execute function check_heads();

drop index remittance_once;
-- A charge is given back once for each purpose; only what was replaced may be sent again. Of all
-- that is sent for one payout at most one is under way or paid: what is parked does not count
-- there, since the book may contradict an old refusal after the payout was sent anew. [R2]
create unique index remittance_once on remittance (world, resource_id, target)
  where state not in ('replaced', 'declined', 'returned')
    and not (purpose = 'payout' and state = 'parked');
