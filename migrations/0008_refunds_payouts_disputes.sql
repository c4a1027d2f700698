-- Money that goes back or out: refunds of invoices, payouts of wallets, and what cardholders and
-- banks took back.

-- What of an invoice's charge has gone back or is about to: the cap that every refund is decided
-- under. Made with the first refund or chargeback, under the invoice's lock. [M12]
create table refunded_amounts (
  workspace integer not null,
  id uuid not null, -- the invoice
  currency text collate "C" not null,
  charged bigint not null check (charged > 0),
  refunded bigint not null check (refunded >= 0),
  charged_back bigint not null check (charged_back >= 0),
  -- JSON: minor units refunded by line item id.
  lines text not null,
  -- JSON: minor units refunded and charged back by payment subitem id.
  methods text not null,
  version integer not null,
  primary key (workspace, id),
  foreign key (workspace, id) references invoice (workspace, id),
  check (refunded <= charged)
);
select keep_rows('refunded_amounts');

-- A refund of an invoice or of a part of one of its line items. What was asked for never changes.
create table refund (
  workspace integer not null,
  id uuid not null,
  invoice_id uuid not null,
  -- The invoice that gives the money back; made when the money moves. [G-43]
  refund_invoice_id uuid not null,
  -- Null for a refund of all that remains.
  line_item_id uuid,
  currency text collate "C" not null,
  amount bigint not null check (amount > 0),
  -- How much of it counts as refunded: nothing once rejected, what was sent once failed.
  counted bigint not null check (counted >= 0 and counted <= amount),
  reason text collate "C" not null
    check (reason in ('billing', 'fraud', 'product_related', 'other')),
  sub_reason text not null,
  -- JSON: which charge is given back by how much, and minor units by line item id.
  parts text not null,
  lines text not null,
  created timestamptz not null,
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  -- A note about it, sealed with the buyer's key; null where none was given.
  sealed_note text,
  primary key (workspace, id),
  foreign key (workspace, invoice_id) references refunded_amounts (workspace, id),
  check (case state when 'REFUND-FAILED' then counted < amount
    when 'REFUND-REJECTED' then counted = 0 else counted = amount end)
);
-- A refund has a refund invoice of its own. [R2]
create unique index refund_once on refund (refund_invoice_id, workspace);
-- The refunds of an invoice.
create index refund_of_invoice on refund (invoice_id, workspace);
-- What waits for the integrator's money, oldest first. [G-43]
create index refund_waiting on refund (workspace, currency, created)
  where state = 'REFUND-WAITING-FUNDS';
select guard_lifecycle('refund');

-- The refunded amount is what the refunds say, also to SQL typed by hand.
create function check_refunded_amounts() returns trigger language plpgsql as $$
begin
  if exists (
    select from changed n
    left join lateral (select sum(r.counted) as counted from refund r
      where r.workspace = n.workspace and r.invoice_id = n.id) s on true
    where n.refunded <> coalesce(s.counted, 0)
  ) then
    raise exception 'a refundedAmounts differs from its refunds'
      using errcode = '23514', constraint = 'refunded_amounts_sum';
  end if;
  return null;
end $$;
create trigger refunded_amounts_sum_insert after insert on refunded_amounts
  referencing new table as changed for each statement execute function check_refunded_amounts();
create trigger refunded_amounts_sum_update after update on refunded_amounts
  referencing new table as changed for each statement execute function check_refunded_amounts();

-- Money of a charge that the processor took back: a chargeback of a card, or a bank return of a
-- debit. The charge's own invoice or deposit stays as it was; the integrator bears it. [M15]
create table reversal (
  workspace integer not null,
  id uuid not null,
  attempt_id uuid not null,
  -- The invoice or deposit that was charged.
  resource_id uuid not null,
  kind text collate "C" not null check (kind in ('chargeback', 'return')),
  -- The processor's own; the same again is the same chargeback or bank return. [R2]
  reference text collate "C" not null,
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  created timestamptz not null,
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  -- What of it was taken out of the money that an escrow held; the integrator bears the rest.
  -- [G-93]
  secured bigint not null default 0,
  primary key (workspace, id),
  unique (workspace, reference),
  foreign key (workspace, attempt_id) references attempt (workspace, id),
  constraint reversal_secured check (secured >= 0 and secured <= amount),
  constraint reversal_escrowed check (state <> 'escrowed' or secured = amount)
);
create index reversal_of_resource on reversal (workspace, resource_id);
create index reversal_waiting on reversal (workspace, currency, created) where state = 'received';
select guard_lifecycle('reversal');

-- A payout: money of a wallet that leaves to a bank or PayPal-like account of its owner. What was
-- asked for never changes. [G-43]
create table payout (
  workspace integer not null,
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
  transfer_id uuid,
  -- When the clock acts next; null: never. [G-43]
  due timestamptz,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id),
  foreign key (workspace, source_wallet_id) references wallet (workspace, id),
  foreign key (workspace, source_method_id) references payment_method (workspace, id),
  foreign key (workspace, destination_method_id) references payment_method (workspace, id),
  foreign key (workspace, transfer_id) references transfer (workspace, id),
  check (fee_amount < amount),
  check ((state in ('FAILED', 'SYSTEM-REJECTED')) = (failure_code is not null))
);
create index payout_account on payout (workspace, account_id, created desc, id desc);
create index payout_due on payout (workspace, due) where due is not null;
select guard_lifecycle('payout');

-- A dispute: what the processor says of one charge that was taken back. What it said at the opening
-- never changes; the money is the reversal's. [G-93]
create table dispute (
  workspace integer not null,
  id uuid not null,
  account_id uuid not null, -- who was charged
  reversal_id uuid not null,
  -- The invoice or deposit that was charged, and the escrow that the invoice is of.
  resource_id uuid not null,
  purpose text collate "C" not null check (purpose in ('invoice', 'escrow', 'deposit')),
  escrow_id uuid check ((escrow_id is not null) = (purpose = 'escrow')),
  -- The processor's own; the same again is the same dispute. [R2]
  reference text collate "C" not null,
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  reason text collate "C" not null,
  -- Until when the processor takes an answer; null where it takes none.
  due_by timestamptz,
  created timestamptz not null,
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  primary key (workspace, id),
  unique (reference, workspace),
  foreign key (workspace, reversal_id) references reversal (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id)
);
create index dispute_of_resource on dispute (resource_id, workspace);
create index dispute_of_account on dispute (account_id, workspace, created, id);
create index dispute_open on dispute (workspace, created)
  where state in ('needs_response', 'under_review');
select guard_lifecycle('dispute');
