-- Where money lies: system accounts for each place and cost, settlements of statement rows, funds
-- that payouts wait for, and the settlement terms of the sandbox's processor.

-- Workspaces from before get the new system accounts; their ids are hashed as in the code.
insert into ledger_account (workspace, id, kind, currency)
select workspace, (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-8' || substr(hex, 14, 3)
    || '-8' || substr(hex, 18, 3) || '-' || substr(hex, 21, 12))::uuid, kind, currency
from (
  select c.workspace, k.kind, c.currency, encode(sha256(convert_to(
    'holdfast/ledger/' || w.lineage || '/' || k.kind || '/' || c.currency, 'UTF8')), 'hex') as hex
  from workspace_currency c
  join workspace w on w.workspace = c.workspace
  cross join (values ('processor_available'), ('in_transit'), ('bank'), ('bank_unallocated'),
    ('payout_handed_over'), ('processor_fees'), ('unreturned_fees'), ('dispute_fees'),
    ('bank_fees'), ('own_payments'), ('bank_reversals')) as k (kind)
) as named;

-- What the processor kept of a movement, and when the money is available; rows about our own money
-- there. `booked`: its settlement is made.
alter table statement_line
  add column fee bigint not null default 0,
  add column available_at timestamptz,
  add column booked boolean not null default false,
  drop constraint statement_line_kind_check,
  add constraint statement_line_kind_check check (kind in ('capture', 'refund', 'payout',
    'payout_return', 'chargeback', 'return', 'dispute_under_review', 'dispute_won', 'dispute_lost',
    'dispute_withdrawn', 'fee', 'provider_payout', 'provider_payout_returned'));
create index statement_line_unbooked on statement_line (workspace, line) where not booked;
-- Rows that open the funds of their currency.
create index statement_line_opening on statement_line (workspace, currency) where not booked
  and (fee <> 0 or available_at is not null
    or kind in ('fee', 'provider_payout', 'provider_payout_returned'));
create index statement_line_own on statement_line (workspace, reference)
  where kind in ('fee', 'provider_payout', 'provider_payout_returned');

-- What the processor wrote never changes, of fees and dates neither. What was matched stays so, and
-- what is booked too.
create or replace function check_statement_line() returns trigger language plpgsql as $$
begin
  if (old.verdict, new.verdict) not in (
    ('waiting', 'waiting'), ('waiting', 'matched'), ('waiting', 'difference'),
    ('difference', 'difference'), ('difference', 'matched'), ('matched', 'matched')
  ) or (old.verdict = 'matched' and old.why is distinct from new.why)
    or (old.workspace, old.id, old.line, old.key, old.reference, old.kind, old.part, old.amount,
      old.currency, old.seen)
    is distinct from (new.workspace, new.id, new.line, new.key, new.reference, new.kind, new.part,
      new.amount, new.currency, new.seen)
    or (old.subject, old.reason, old.due_by, old.fee, old.available_at)
      is distinct from (new.subject, new.reason, new.due_by, new.fee, new.available_at)
    or (old.booked and not new.booked) then
    raise exception 'a statement line breaks its rule'
      using errcode = '23514', constraint = 'statement_line_legal';
  end if;
  return new;
end $$;

-- A statement row as it is booked: its fee, and where its money lies. [G-91]
create table settlement (
  workspace integer not null,
  id uuid not null,
  line_id uuid not null,
  kind text collate "C" not null,
  -- The charge that was captured or refunded; null for everything else.
  charge_id uuid,
  -- The processor's; of a transfer to our bank, what the bank's statement shows.
  reference text collate "C" not null,
  currency text collate "C" not null,
  -- What moved, without the fee: negative: out.
  amount bigint not null,
  -- What the processor kept; negative: gave back.
  fee bigint not null,
  -- Of a captured payment: the part of its fee that was lost with refunds.
  unreturned bigint not null default 0,
  -- When its money becomes available; null unless that is still to come.
  due timestamptz,
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, line_id) references statement_line (workspace, id),
  foreign key (workspace, currency) references workspace_currency (workspace, currency),
  check ((state = 'pending') = (due is not null))
);
alter table settlement alter column workspace set (n_distinct = 1);
-- A statement row is booked once.
create unique index settlement_line on settlement (workspace, line_id);
create index settlement_due on settlement (workspace, due) where due is not null;
create index settlement_charge on settlement (workspace, charge_id) where charge_id is not null;
create index settlement_reference on settlement (workspace, reference) where charge_id is null;
create index settlement_in_transit on settlement (workspace, currency, amount)
  where state = 'in_transit';
select guard_lifecycle('settlement');

-- What is available of one currency at one place, and how much of it payouts hold. Below zero where
-- the place took back more than there was. [G-91]
create table funds (
  workspace integer not null,
  id uuid not null,
  place text collate "C" not null check (place in ('processor', 'bank')),
  currency text collate "C" not null,
  available bigint not null,
  held bigint not null check (held >= 0),
  version integer not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, currency) references workspace_currency (workspace, currency)
);
alter table funds alter column workspace set (n_distinct = 1);
-- One row for each place and currency.
create unique index funds_of_place on funds (workspace, place, currency);
select keep_rows('funds');

-- Money that an outbound transfer takes from funds until the place reports it gone. Its id is the
-- transfer's. [G-91]
create table funds_hold (
  workspace integer not null,
  id uuid not null,
  funds_id uuid not null,
  amount bigint not null check (amount > 0),
  state text collate "C" not null check (state in ('held', 'spent', 'released')),
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, funds_id) references funds (workspace, id)
);
alter table funds_hold alter column workspace set (n_distinct = 1);
create index funds_hold_open on funds_hold (workspace, funds_id) where state = 'held';
select keep_rows('funds_hold');

-- The settlement terms of the sandbox's processor in a workspace; without a row there are no fees,
-- money is available at once and stays there.
create table processor_terms (
  workspace integer primary key,
  -- Of each captured payment: hundredths of a percent, and minor units.
  fee_basis_points integer not null check (fee_basis_points between 0 and 10000),
  fee_fixed bigint not null check (fee_fixed >= 0),
  -- Of each payment that its holder or bank takes back; minor units.
  dispute_fee bigint not null check (dispute_fee >= 0),
  -- True: it is returned when the dispute is won or withdrawn.
  returns_dispute_fee boolean not null default false,
  -- In each currency that moved, at the first midnight of a month; minor units.
  monthly_fee bigint not null check (monthly_fee >= 0),
  -- Days by the workspace's clock until what was captured is available.
  delay_days integer not null check (delay_days between 0 and 90),
  -- Sends what is available to our bank at each midnight by the workspace's clock, but for this
  -- much, which stays; null: never.
  bank_above bigint check (bank_above >= 0),
  -- Rows from before have no terms; a copied row keeps those that it was written under.
  since timestamptz not null,
  -- Midnights until then are over.
  swept timestamptz not null
);
alter table processor_terms alter column workspace set (n_distinct = 1);

-- What the sandbox's processor keeps of a movement, when its money is available, and the movements
-- of our own money there.
alter table processor_statement
  add column fee bigint not null default 0,
  add column available_at timestamptz,
  drop constraint processor_statement_kind_check,
  add constraint processor_statement_kind_check check (kind in ('capture', 'refund', 'payout',
    'payout_return', 'chargeback', 'return', 'dispute_under_review', 'dispute_won', 'dispute_lost',
    'dispute_withdrawn', 'fee', 'provider_payout', 'provider_payout_returned'));

-- A row of the simulator's statement gets its fee and date by the terms of its workspace.
create function apply_processor_terms() returns trigger language plpgsql as $$
declare
  terms processor_terms;
begin
  select * into terms from processor_terms where workspace = new.workspace;
  if not found or new.at < terms.since or new.available_at is not null then
    return new;
  end if;
  new.available_at := new.at;
  if new.kind = 'capture' then
    new.fee := least(new.amount,
      round(new.amount * terms.fee_basis_points / 10000.0)::bigint + terms.fee_fixed);
    new.available_at := new.at + make_interval(days => terms.delay_days);
  elsif new.kind in ('chargeback', 'return') then
    new.fee := terms.dispute_fee;
  elsif new.kind in ('dispute_won', 'dispute_withdrawn') and terms.returns_dispute_fee then
    new.fee := -coalesce((select s.fee from processor_statement s where s.workspace = new.workspace
      and s.key = new.key and s.kind = 'chargeback'), 0);
  end if;
  return new;
end $$;
create trigger processor_statement_terms before insert on processor_statement
  for each row execute function apply_processor_terms();
