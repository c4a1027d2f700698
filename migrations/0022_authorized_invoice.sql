-- Authorized invoices: sales that an integrator prepared, so that the buyer can pay them in a flow.

-- A sale as it was authorized; invoices or escrows are made of it, one after another. [G-45]
create table authorized_invoice (
  world integer not null,
  id uuid not null,
  -- The buyer.
  account_id uuid not null,
  is_escrow boolean not null,
  -- JSON of the sale: the body of a creation without payment methods.
  document text not null,
  created timestamptz not null default clock_timestamp(),
  -- By this clock, like its link; nothing is made of it afterwards.
  expires timestamptz not null,
  -- The invoice made of it last, the only one that can be paid. An escrow's id follows from its
  -- invoice's.
  latest_invoice_id uuid,
  -- How many were made of it: each choice of a method makes one, and a session is no way to fill
  -- the tables.
  made integer not null default 0 constraint authorized_invoice_limit check (made between 0 and 20),
  primary key (world, id),
  foreign key (world, account_id) references account (world, id)
) with (fillfactor = 80);

-- What was authorized never changes. The invoice made of it last says so itself, and replaces none
-- that is being paid or was; each is counted. [G-45]
create function check_authorized_invoice() returns trigger language plpgsql as $$
begin
  if (old.world, old.id, old.account_id, old.is_escrow, old.document, old.created, old.expires)
    is distinct from
    (new.world, new.id, new.account_id, new.is_escrow, new.document, new.created, new.expires)
  then
    raise exception 'what was authorized has changed'
      using errcode = '23514', constraint = 'authorized_invoice_fixed';
  end if;
  if new.latest_invoice_id is distinct from old.latest_invoice_id and (
    not exists (
      select from invoice_document d
      where d.world = new.world and d.id = new.latest_invoice_id
        and d.document::json ->> 'authorized' = new.id::text)
    or exists (
      select from invoice i
      where i.world = old.world and i.id = old.latest_invoice_id
        and i.state not in ('open', 'failed'))
  ) then
    raise exception 'the invoice of an authorized one is another''s, or was being paid already'
      using errcode = '23514', constraint = 'authorized_invoice_latest';
  end if;
  if new.made <> old.made + (new.latest_invoice_id is distinct from old.latest_invoice_id)::integer
  then
    raise exception 'the invoices made of an authorized one are not counted'
      using errcode = '23514', constraint = 'authorized_invoice_counted';
  end if;
  return null;
end $$;
create trigger authorized_invoice_guard after update on authorized_invoice
  for each row execute function check_authorized_invoice();
create trigger authorized_invoice_kept before truncate on authorized_invoice
  for each statement execute function refuse_change();
-- Only what nothing was made of is forgotten, and not before its link may be.
create trigger authorized_invoice_forgotten before delete on authorized_invoice
  for each row when (old.latest_invoice_id is not null
    or old.expires > clock_timestamp() - interval '30 days')
  execute function refuse_change();

-- What is to be forgotten is found by its time; almost all others have an invoice.
create index authorized_invoice_unused on authorized_invoice (expires)
  where latest_invoice_id is null;
