-- What goes from an escrow in parts, and what ends a freeze, is guarded against SQL typed by hand
-- too; and the sellers of one are noted without reading all of its terms. [G-94, G-95, G-96]

-- The id of the invoice of an escrow's part: the one that ends it as a commit (2) or a cancel (3)
-- would, one before has its number, from 0, in four digits as well.
create function escrow_part_invoice(escrow text, part integer, ending integer) returns uuid
  language sql immutable strict parallel safe as $$
  select (left(escrow, 24)
    || lpad(to_hex(('x' || substr(escrow, 25, 4))::bit(16)::int
      # case when ending > 0 then 0 else part + 1 end), 4, '0')
    || substr(escrow, 29, 7)
    || to_hex(('x' || right(escrow, 1))::bit(4)::int
      # case when ending > 0 then ending else 4 end))::uuid
$$;

-- Parts are only added, each with its own invoice; with what disputes took they never exceed the
-- sale, line by line, and are all of it at the end. A milestone is released once. While an escrow
-- is frozen nothing goes, unless what froze it ends with that.
create function check_escrow_parts() returns trigger language plpgsql as $$
declare
  before jsonb := coalesce(old.course::jsonb -> 'parts', '[]');
  parts jsonb := coalesce(new.course::jsonb -> 'parts', '[]');
  ended boolean := new.state in ('COMMITTED', 'CANCELLED');
  wrong text;
  sale json;
begin
  if old.time_left is not null and (
    (new.time_left is null and (
      exists (select from disagreement d where d.workspace = new.workspace
        and d.escrow_id = new.id and d.state = 'open')
      or exists (select from dispute d where d.workspace = new.workspace
        and d.escrow_id = new.id and d.state in ('needs_response', 'under_review'))))
    or (new.time_left is not null and parts <> before))
  then
    raise exception 'a frozen escrow moves'
      using errcode = '23514', constraint = 'escrow_frozen';
  end if;
  if parts = before and (not ended or new.course is null) then
    return null;
  end if;
  select sale_terms(d.id::text, d.document) into sale from invoice_document d
    where d.workspace = new.workspace and d.id = (left(new.id::text, 35)
      || to_hex((('x' || right(new.id::text, 1))::bit(4)::int) # 1))::uuid;
  with part as (
    select (n - 1)::integer as n, p ->> 'milestone' as milestone, p ->> 'on' as way,
      p -> 'lines' as lines, coalesce(
        (select sum((l ->> 1)::bigint) from jsonb_array_elements(p -> 'lines') l), 0) as amount
    from jsonb_array_elements(parts) with ordinality as a(p, n)
  ), line as (
    select (l ->> 0)::integer as place, sum((l ->> 1)::bigint) as gone,
      min((l ->> 1)::bigint) as least
    from part, jsonb_array_elements(part.lines) l group by 1
  ), gone as (
    select coalesce(sum(amount), 0) + (select coalesce(sum(value::bigint), 0)
      from json_each_text(new.disputes::json -> 'taken')) as amount from part
  )
  select case
    when exists (select from jsonb_array_elements(before) with ordinality as a(p, n)
      where p is distinct from parts -> (n - 1)::integer) then 'escrow_parts_stay'
    when (select count(milestone) > count(distinct milestone) from part)
      then 'escrow_milestone_once'
    when exists (select from line where least <= 0
      or gone > coalesce((sale #>> array['lines', place::text, 'amount'])::bigint, 0))
      or (select amount > (sale ->> 'total')::bigint
        or (ended and amount <> (sale ->> 'total')::bigint) from gone) then 'escrow_parts_held'
    when exists (select from part
      left join invoice_document d on d.workspace = new.workspace
        and d.id = escrow_part_invoice(new.id::text, part.n, case
          when not ended or part.n < jsonb_array_length(parts) - 1 then 0
          when new.state = 'COMMITTED' then 2 else 3 end)
      where part.n >= jsonb_array_length(before) and (d.id is null
        or sale_term(d.id::text, d.document, 'total')::bigint <> part.amount
        or sale_term(d.id::text, d.document, 'kind')
          <> case part.way when 'return' then 'cancel' else 'commit' end))
      then 'escrow_parts_invoices' end into wrong;
  if wrong is not null then
    raise exception 'the parts of an escrow are wrong'
      using errcode = '23514', constraint = wrong;
  end if;
  return null;
end $$;
create trigger escrow_parts after update on escrow for each row
  when (new.course is distinct from old.course or old.time_left is not null)
  execute function check_escrow_parts();

-- A split is all that was held, and nobody gets less than nothing.
alter table disagreement add constraint disagreement_settlement check (settlement is null or (
  (settlement::json ->> 'to_sellers')::bigint >= 0
  and (settlement::json ->> 'to_buyer')::bigint >= 0
  and (settlement::json ->> 'to_integrator')::bigint >= 0
  and (settlement::json ->> 'to_sellers')::bigint + (settlement::json ->> 'to_buyer')::bigint
    + (settlement::json ->> 'to_integrator')::bigint = held));

-- The wallets that the terms of a sale credit. Of packed terms only these ids are read: unpacking
-- all of them was most of what the payment of an escrow cost the database.
create function sale_wallets(own text, document text) returns setof uuid
  language sql stable parallel safe as $$
  select (r ->> 'wallet')::uuid
  from json_array_elements(case when document like '{%' then document::json -> 'lines' end) l,
    json_array_elements(l -> 'recipients') r
  union all
  select unpacked_id(r -> 2, p.ids, own)::uuid
  from (select v -> 5 as lines, encode(decode(v ->> 0, 'base64'), 'hex') as ids
    from (select case when document not like '{%' then substr(document, 2)::jsonb end as v) s) p,
    jsonb_array_elements(p.lines) l, jsonb_array_elements(l -> 2) r where r -> 2 <> '0'
$$;

-- As before, of either form.
create or replace function note_escrow_sellers() returns trigger language plpgsql as $$
begin
  insert into escrow_seller (workspace, account_id, escrow_id)
  select distinct n.workspace, w.account_id, n.id
  from changed n
  join invoice_document d on d.workspace = n.workspace
    and d.id = (left(n.id::text, 35)
      || to_hex((('x' || right(n.id::text, 1))::bit(4)::int) # 1))::uuid
  cross join lateral sale_wallets(d.id::text, d.document) as s(wallet)
  join wallet w on w.workspace = n.workspace and w.id = s.wallet
  where n.state = 'ESCROWED' and w.account_id is not null
  on conflict do nothing;
  return null;
end $$;
