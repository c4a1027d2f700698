-- Money that leaves again: more house accounts, the integrator's balance that refunds are taken
-- from, and what is sent out through the processor: refunds to cards, payouts to banks.

-- Escrows hold money of buyers, refunds and payouts money on its way, reversals a debt.
insert into ledger_account (world, id, kind, currency)
select c.world, (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-8' || substr(h, 14, 3) || '-8'
    || substr(h, 18, 3) || '-' || substr(h, 21, 12))::uuid, k.kind, c.currency
from world_currency c
cross join (values ('escrow'), ('refund_pending'), ('payout_pending'), ('payout_fees'),
  ('reversals'), ('unexplained')) as k(kind)
cross join lateral (select encode(sha256(convert_to(
  'holdfast/ledger/' || c.world || '/' || k.kind || '/' || c.currency, 'UTF8')), 'hex') as h) as n
on conflict do nothing;

-- What refunds and reversals can be taken from: the folded part of the integrator's earnings. What
-- it earned since lies in integrator_credit, so that no sale ever waits for this row. [G-43]
create table integrator_balance (
  world integer not null,
  id uuid not null, -- the ledger account of its share
  amount bigint not null default 0 check (amount >= 0),
  version integer not null default 0,
  updated timestamptz not null default clock_timestamp(),
  primary key (world, id),
  foreign key (world, id) references ledger_account (world, id)
);
create trigger integrator_balance_kept before delete or truncate on integrator_balance
  for each statement execute function refuse_change();

-- Earnings that are not folded yet: one row for each write that had some.
create table integrator_credit (
  world integer not null,
  account_id uuid not null,
  number bigint generated always as identity,
  amount bigint not null check (amount > 0),
  primary key (world, account_id, number)
);

insert into integrator_balance (world, id, amount)
select a.world, a.id, coalesce(sum(p.amount), 0)
from ledger_account a
left join posting p on p.world = a.world and p.account_id = a.id
where a.kind = 'integrator_share' group by a.world, a.id;

-- Every credit of the integrator, whoever writes it, counts toward its balance.
create function collect_integrator_credits() returns trigger language plpgsql as $$
begin
  insert into integrator_credit (world, account_id, amount)
  select n.world, n.account_id, sum(n.amount) from added n
  join ledger_account a on a.world = n.world and a.id = n.account_id
    and a.kind = 'integrator_share'
  where n.account_version is null and n.amount > 0
  group by n.world, n.account_id;
  return null;
end $$;
create trigger posting_collected after insert on posting
  referencing new table as added for each statement execute function collect_integrator_credits();

-- Bank accounts and PayPal-like ones pay, and are paid out to.
alter table payment_method drop constraint payment_method_provider_check;
alter table payment_method add constraint payment_method_provider_check
  check (provider in ('wallet', 'card', 'ach', 'paypal'));

alter table attempt drop constraint attempt_purpose_check;
alter table attempt add constraint attempt_purpose_check
  check (purpose in ('invoice', 'escrow', 'deposit'));

-- Money sent out through the processor: begun with its key, asked, settled. [M12, R5]
create table remittance (
  world integer not null,
  id uuid not null,
  -- The refund invoice, payout or difference that it is sent for.
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
  primary key (world, id)
);
-- A charge is given back once for each purpose; only what was replaced may be sent again. [R2]
create unique index remittance_once on remittance (world, resource_id, target)
  where state not in ('replaced', 'declined', 'returned');
create index remittance_resource on remittance (world, resource_id);
create trigger remittance_kept before delete or truncate on remittance
  for each statement execute function refuse_change();
create trigger remittance_head_insert after insert on remittance
  referencing new table as changed for each statement execute function check_heads();
create trigger remittance_head_update after update on remittance
  referencing new table as changed for each statement execute function check_heads();

-- Work due at the processor for a remittance, as attempt_job for a charge.
create table remittance_job (
  world integer not null,
  remittance_id uuid not null,
  due timestamptz not null,
  tries integer not null default 0,
  lease uuid,
  leased_until timestamptz,
  primary key (world, remittance_id),
  foreign key (world, remittance_id) references remittance (world, id)
);
create index remittance_job_due on remittance_job (due);

-- What waits for the processor, for the sweeper that finds work without a job.
create index attempt_open on attempt (world, id)
  where state in ('authorizing', 'capturing', 'reversing');
create index remittance_open on remittance (world, id) where state in ('sending', 'pending');

-- A job is due in real time: the processor lives outside the sandbox's clock, so a decision, which
-- knows only its world's time, leaves the column to the database.
alter table attempt_job alter column due set default clock_timestamp();
alter table remittance_job alter column due set default clock_timestamp();
