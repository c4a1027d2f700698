-- What a person's history is read by: the invoices of a buyer, and the escrows whose money a seller
-- waits for. Sales that were paid are found by the postings of the seller's wallet.

-- Both columns never change, so that moving an invoice does not touch the index.
create index invoice_account on invoice (world, account_id, id);

-- Which sellers an escrow pays once it is committed; there since its money is held. Append-only.
-- The function below alone writes it, from rows that never change: it needs no foreign keys, whose
-- locks on accounts would order themselves otherwise than the engine's.
create table escrow_seller (
  world integer not null,
  account_id uuid not null,
  escrow_id uuid not null,
  primary key (world, account_id, escrow_id)
);
create trigger escrow_seller_append_only before update or delete or truncate on escrow_seller
  for each statement execute function refuse_change();

-- The sellers are those whose wallets the escrow's invoice names.
create function note_escrow_sellers() returns trigger language plpgsql as $$
begin
  insert into escrow_seller (world, account_id, escrow_id)
  select distinct n.world, w.account_id, n.id
  from changed n
  join invoice_document d on d.world = n.world
    and d.id = (left(n.id::text, 35)
      || to_hex((('x' || right(n.id::text, 1))::bit(4)::int) # 1))::uuid
  cross join lateral json_array_elements(d.document::json -> 'lines') as line
  cross join lateral json_array_elements(line -> 'recipients') as recipient
  join wallet w on w.world = n.world and w.id = (recipient ->> 'wallet')::uuid
  where n.state = 'ESCROWED' and w.account_id is not null
  on conflict do nothing;
  return null;
end $$;
create trigger escrow_sellers after update on escrow
  referencing new table as changed for each statement execute function note_escrow_sellers();

insert into escrow_seller (world, account_id, escrow_id)
select distinct e.world, w.account_id, e.id
from escrow e
join invoice_document d on d.world = e.world
  and d.id = (left(e.id::text, 35)
    || to_hex((('x' || right(e.id::text, 1))::bit(4)::int) # 1))::uuid
cross join lateral json_array_elements(d.document::json -> 'lines') as line
cross join lateral json_array_elements(line -> 'recipients') as recipient
join wallet w on w.world = e.world and w.id = (recipient ->> 'wallet')::uuid
where e.state in ('ESCROWED', 'COMMITTED', 'CANCELLED') and w.account_id is not null;
