-- Invoices, escrows, and sales that an integrator prepared for a buyer to pay in a flow.

-- The terms of an invoice, from its creation on; immutable, read back for answers and events.
create table invoice_document (
  workspace integer not null,
  id uuid not null,
  -- JSON of the terms: every fact once; the record and the allocation derive from it.
  document text not null,
  primary key (workspace, id)
);
select append_only('invoice_document');

-- An invoice: the moving part. Its terms lie in invoice_document.
create table invoice (
  workspace integer not null,
  id uuid not null,
  account_id uuid not null,
  state text collate "C" not null,
  version integer not null,
  failure_code text collate "C",
  updated timestamptz not null,
  primary key (workspace, id),
  check ((state = 'failed') = (failure_code is not null))
) with (fillfactor = 80);
-- A buyer's history is read by it. Both columns never change, so that moving an invoice does not
-- touch the index.
create index invoice_account on invoice (workspace, account_id, id);
select guard_lifecycle('invoice');

-- An invoice has its buyer and its terms.
create function check_invoice_account() returns trigger language plpgsql as $$
begin
  if exists (
    select from added n
    left join account a on a.workspace = n.workspace and a.id = n.account_id
    left join invoice_document d on d.workspace = n.workspace and d.id = n.id
    where a.id is null or d.id is null
  ) then
    raise exception 'an invoice has no account, or no document'
      using errcode = '23503', constraint = 'invoice_references';
  end if;
  return null;
end $$;
create trigger invoice_references after insert on invoice
  referencing new table as added for each statement execute function check_invoice_account();

-- An escrow: the moving part of money that is held until it is committed to sellers or goes back.
-- The terms lie in the document of its invoice, whose id, like those of its commit and cancel
-- invoices, follows from the escrow's own: one outcome each. [M10]
create table escrow (
  workspace integer not null,
  id uuid not null,
  account_id uuid not null,
  state text collate "C" not null,
  version integer not null,
  -- How long the money may be held, as set at creation. [G-42]
  hold_seconds integer not null check (hold_seconds > 0),
  -- When the clock acts next: warns first, then cancels; null while nothing is held.
  due timestamptz,
  warned boolean not null default false,
  created timestamptz not null,
  updated timestamptz not null,
  -- Seconds that the clock had left when the first dispute froze the escrow; null while it runs.
  time_left integer check (time_left >= 0),
  -- JSON: how many disputes are open, and what they took of each charge; null without any.
  -- [G-93]
  disputes text,
  primary key (workspace, id),
  constraint escrow_clock check (
    (state = 'ESCROWED') = (due is not null or time_left is not null)
      and (due is null or time_left is null)),
  constraint escrow_disputes check (time_left is null or disputes is not null)
) with (fillfactor = 80);
create index escrow_due on escrow (workspace, due) where due is not null;
create index escrow_frozen on escrow (workspace, account_id) where time_left is not null;
select guard_lifecycle('escrow');

-- An escrow has its invoice.
create function check_escrow_invoice() returns trigger language plpgsql as $$
begin
  if exists (
    select from added n
    left join invoice i on i.workspace = n.workspace and i.account_id = n.account_id
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

-- Which sellers an escrow pays once it is committed, for the history of a seller; there since its
-- money is held. Append-only. The function below alone writes it, from rows that never change: it
-- needs no foreign keys, which would lock accounts in another order than the engine does.
create table escrow_seller (
  workspace integer not null,
  account_id uuid not null,
  escrow_id uuid not null,
  primary key (workspace, account_id, escrow_id)
);
select append_only('escrow_seller');

-- The sellers are those whose wallets the escrow's invoice names.
create function note_escrow_sellers() returns trigger language plpgsql as $$
begin
  insert into escrow_seller (workspace, account_id, escrow_id)
  select distinct n.workspace, w.account_id, n.id
  from changed n
  join invoice_document d on d.workspace = n.workspace
    and d.id = (left(n.id::text, 35)
      || to_hex((('x' || right(n.id::text, 1))::bit(4)::int) # 1))::uuid
  cross join lateral json_array_elements(d.document::json -> 'lines') as line
  cross join lateral json_array_elements(line -> 'recipients') as recipient
  join wallet w on w.workspace = n.workspace and w.id = (recipient ->> 'wallet')::uuid
  where n.state = 'ESCROWED' and w.account_id is not null
  on conflict do nothing;
  return null;
end $$;
create trigger escrow_sellers after update on escrow
  referencing new table as changed for each statement execute function note_escrow_sellers();

-- A sale as an integrator authorized it; invoices or escrows are made of it, one after another.
-- [G-45]
create table authorized_invoice (
  workspace integer not null,
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
  primary key (workspace, id),
  foreign key (workspace, account_id) references account (workspace, id)
) with (fillfactor = 80);
-- What is to be deleted is found by its time; almost all others have an invoice.
create index authorized_invoice_unused on authorized_invoice (expires)
  where latest_invoice_id is null;

-- What was authorized never changes. The invoice made of it last says so itself, and replaces none
-- that is being paid or was; each is counted. [G-45]
create function check_authorized_invoice() returns trigger language plpgsql as $$
begin
  if (old.workspace, old.id, old.account_id, old.is_escrow, old.document, old.created, old.expires)
    is distinct from
    (new.workspace, new.id, new.account_id, new.is_escrow, new.document, new.created, new.expires)
  then
    raise exception 'what was authorized has changed'
      using errcode = '23514', constraint = 'authorized_invoice_fixed';
  end if;
  if new.latest_invoice_id is distinct from old.latest_invoice_id and (
    not exists (
      select from invoice_document d
      where d.workspace = new.workspace and d.id = new.latest_invoice_id
        and d.document::json ->> 'authorized' = new.id::text)
    or exists (
      select from invoice i
      where i.workspace = old.workspace and i.id = old.latest_invoice_id
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
-- Only what nothing was made of is deleted, and not before its link may be.
create trigger authorized_invoice_forgotten before delete on authorized_invoice
  for each row when (old.latest_invoice_id is not null
    or old.expires > clock_timestamp() - interval '30 days')
  execute function refuse_change();
