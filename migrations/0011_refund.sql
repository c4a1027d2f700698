-- Refunds of invoices, what of a charge has gone back in sum, and what buyers' banks took back.

-- What of an invoice's charge has gone back or is about to: the cap that every refund is decided
-- under. Made with the first refund or reversal, under the invoice's lock. [M12]
create table refund_tally (
  world integer not null,
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
  primary key (world, id),
  foreign key (world, id) references invoice (world, id),
  check (refunded <= charged)
);
create trigger refund_tally_kept before delete or truncate on refund_tally
  for each statement execute function refuse_change();

-- A refund of an invoice or of a part of one of its lines. What was agreed never changes.
create table refund (
  world integer not null,
  id uuid not null,
  invoice_id uuid not null,
  -- The invoice that gives the money back; made when the money moves. [G-43]
  refund_invoice_id uuid not null,
  -- Null for a refund of all that is left.
  line_item_id uuid,
  currency text collate "C" not null,
  amount bigint not null check (amount > 0),
  -- How much of it counts in the tally: nothing once rejected, what has left once failed.
  counted bigint not null check (counted >= 0 and counted <= amount),
  reason text collate "C" not null
    check (reason in ('billing', 'fraud', 'product_related', 'other')),
  sub_reason text not null,
  note text not null,
  -- JSON: which charge is given back by how much, and minor units by line item id.
  parts text not null,
  lines text not null,
  created timestamptz not null,
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  primary key (world, id),
  foreign key (world, invoice_id) references refund_tally (world, id),
  check (case state when 'REFUND-FAILED' then counted < amount
    when 'REFUND-REJECTED' then counted = 0 else counted = amount end)
);
-- A refund has a refund invoice of its own. [R2]
create unique index refund_once on refund (world, refund_invoice_id);
create index refund_of_invoice on refund (world, invoice_id);
-- What waits for the integrator's money, oldest first. [G-43]
create index refund_waiting on refund (world, currency, created)
  where state = 'REFUND-WAITING-FUNDS';
create trigger refund_kept before delete or truncate on refund
  for each statement execute function refuse_change();
create trigger refund_head_insert after insert on refund
  referencing new table as changed for each statement execute function check_heads();
create trigger refund_head_update after update on refund
  referencing new table as changed for each statement execute function check_heads();

-- The tally is what the refunds say, also to SQL typed by hand.
create function check_refund_tally() returns trigger language plpgsql as $$
begin
  if exists (
    select from changed n
    left join lateral (select sum(r.counted) as counted from refund r
      where r.world = n.world and r.invoice_id = n.id) s on true
    where n.refunded <> coalesce(s.counted, 0)
  ) then
    raise exception 'a tally differs from its refunds'
      using errcode = '23514', constraint = 'refund_tally_sum';
  end if;
  return null;
end $$;
create trigger refund_tally_sum_insert after insert on refund_tally
  referencing new table as changed for each statement execute function check_refund_tally();
create trigger refund_tally_sum_update after update on refund_tally
  referencing new table as changed for each statement execute function check_refund_tally();

-- Money of a charge that the processor took back: a dispute of a card, a bank debit that came back
-- unpaid. The charge's own invoice or deposit stays as it was; the integrator bears it. [M15]
create table reversal (
  world integer not null,
  id uuid not null,
  attempt_id uuid not null,
  -- The invoice or deposit that was charged.
  resource_id uuid not null,
  kind text collate "C" not null check (kind in ('chargeback', 'return')),
  -- The processor's own; the same again is the same reversal. [R2]
  reference text collate "C" not null,
  amount bigint not null check (amount > 0),
  currency text collate "C" not null,
  created timestamptz not null,
  state text collate "C" not null,
  version integer not null,
  updated timestamptz not null,
  primary key (world, id),
  unique (world, reference),
  foreign key (world, attempt_id) references attempt (world, id)
);
create index reversal_of_resource on reversal (world, resource_id);
create index reversal_waiting on reversal (world, currency, created) where state = 'received';
create trigger reversal_kept before delete or truncate on reversal
  for each statement execute function refuse_change();
create trigger reversal_head_insert after insert on reversal
  referencing new table as changed for each statement execute function check_heads();
create trigger reversal_head_update after update on reversal
  referencing new table as changed for each statement execute function check_heads();
