-- Escrows: money of a buyer that is held until it is committed to sellers or goes back.

-- An escrow: the moving part. What was agreed lies in the document of its invoice, whose id, like
-- those of its commit and cancel invoices, follows from the escrow's own: one outcome each. [M10]
create table escrow (
  world integer not null,
  id uuid not null,
  account_id uuid not null,
  state text collate "C" not null,
  version integer not null,
  -- How long the money may be held, agreed at creation. [G-42]
  hold_seconds integer not null check (hold_seconds > 0),
  -- When the clock acts next: warns first, then cancels; null while nothing is held.
  due timestamptz,
  warned boolean not null default false,
  created timestamptz not null,
  updated timestamptz not null,
  primary key (world, id),
  check ((state = 'ESCROWED') = (due is not null))
) with (fillfactor = 80);
create index escrow_due on escrow (world, due) where due is not null;

-- An escrow has its invoice.
create function check_escrow_invoice() returns trigger language plpgsql as $$
begin
  if exists (
    select from added n
    left join invoice i on i.world = n.world and i.account_id = n.account_id
      and i.id = (left(n.id::text, 35)
        || to_hex((('x' || right(n.id::text, 1))::bit(4)::int) # 1))::uuid
    where i.id is null
  ) then
    raise exception 'an escrow has no invoice'
      using errcode = '23503', constraint = 'escrow_references';
  end if;
  return null;
end $$;
create trigger escrow_references after insert on escrow
  referencing new table as added for each statement execute function check_escrow_invoice();
create trigger escrow_head_insert after insert on escrow
  referencing new table as changed for each statement execute function check_heads();
create trigger escrow_head_update after update on escrow
  referencing new table as changed for each statement execute function check_heads();
create trigger escrow_kept before delete or truncate on escrow
  for each statement execute function refuse_change();
