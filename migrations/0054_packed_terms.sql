-- Terms of sales in a form without names, which every reader of this release knows. Nothing writes
-- it before the upgrade is finished: nodes of 0.2 may serve until then.

-- A field of packed terms, as JSON after a comma; '' where it is absent.
create function packed_value(name text, v jsonb) returns text
  language sql immutable parallel safe as $$
  select case when v is null or v = '0' then '' else ',"' || name || '":' || v::text end
$$;

-- An id: its place in `ids` (32 digits each), or how far it is from `own`, or a text that is none.
create function unpacked_id(v jsonb, ids text, own text) returns text
  language sql immutable parallel safe as $$
  select case
    when jsonb_typeof(v) = 'string' then v #>> '{}'
    when v::int > 0 then substr(ids, v::int * 32 - 31, 32)::uuid::text
    else left(own, 30) || lpad(to_hex(
      (('x' || right(own, 6))::bit(24)::int - v::int - 1) & 16777215), 6, '0') end
$$;

-- As above, for a field with an id.
create function packed_id(name text, v jsonb, ids text, own text) returns text
  language sql immutable parallel safe as $$
  select case when v is null or v = '0' then ''
    when jsonb_typeof(v) = 'string' then ',"' || name || '":' || v::text
    else ',"' || name || '":"' || unpacked_id(v, ids, own) || '"' end
$$;

-- The time that lies so many microseconds after that of an id.
create function unpacked_time(own text, micros bigint) returns text
  language sql stable parallel safe as $$
  select to_char(timestamp '1970-01-01' + interval '1 microsecond' * (micros
    + ('x' || left(own, 8) || substr(own, 10, 4))::bit(48)::bigint * 1000
      * (('x' || left(own, 8) || substr(own, 10, 4))::bit(48)::bigint <= 9000000000000)::int),
    'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

-- As above, for an account.
create function packed_account(v jsonb) returns text language sql immutable parallel safe as $$
  select case when v is null or v = '0' then ''
    else ',"account_id":"acct_' || (v #>> '{}') || '"' end
$$;

-- What is stated of a sale, a line item or a recipient, from a place on.
create function packed_stated(v jsonb, place int) returns text
  language sql immutable parallel safe as $$
  select packed_value('description', v -> place)
    || packed_value('reference_type', v -> place + 1)
    || packed_value('reference_id', v -> place + 2) || packed_value('metadata', v -> place + 3)
$$;

-- What has no place and is stored by its name.
create function packed_rest(v jsonb) returns text language sql immutable parallel safe as $$
  select case when v is null then '' else ',' || substr(v::text, 2, length(v::text) - 2) end
$$;

-- The part of a payment method, as paid by it or as given back to it.
create function packed_part(v jsonb, last text, ids text, own text) returns text
  language sql immutable parallel safe as $$
  select '{"amount":' || (v -> 0)::text || packed_id('id', v -> 1, ids, own)
    || packed_id('subitem', v -> 2, ids, own) || packed_id('wallet', v -> 3, ids, own) || last
    || packed_rest(v -> 5) || '}'
$$;

-- A seller's part of a line item.
create function packed_recipient(v jsonb, ids text, own text) returns text
  language plpgsql immutable parallel safe as $$
declare
  fee jsonb := v -> 6;
begin
  return '{"amount":' || (v -> 0)::text || packed_id('id', v -> 1, ids, own)
    || packed_id('wallet', v -> 2, ids, own) || packed_id('kept_back', v -> 3, ids, own)
    || packed_account(v -> 4) || packed_id('method', v -> 5, ids, own)
    || case when fee is null or fee = '0' then '' else ',"fee":{"amount":' || (fee -> 0)::text
      || packed_id('id', fee -> 1, ids, own) || packed_value('description', fee -> 2)
      || packed_rest(fee -> 3) || '}' end
    || packed_id('source', v -> 7, ids, own) || packed_stated(v, 8) || packed_rest(v -> 12) || '}';
end $$;

-- A line item.
create function packed_line(v jsonb, ids text, own text) returns text
  language plpgsql immutable parallel safe as $$
declare
  tax jsonb := v -> 8;
  recipients text := '';
begin
  for n in 0 .. jsonb_array_length(v -> 2) - 1 loop
    recipients := recipients || case n when 0 then '' else ',' end
      || packed_recipient(v -> 2 -> n, ids, own);
  end loop;
  return '{"amount":' || (v -> 0)::text || packed_id('id', v -> 1, ids, own)
    || ',"recipients":[' || recipients || ']' || packed_value('product_sku', v -> 3)
    || packed_stated(v, 4)
    || case when tax is null or tax = '0' then '' else ',"tax":{"amount":' || (tax -> 0)::text
      || packed_value('inclusive', tax -> 1) || packed_id('id', tax -> 2, ids, own)
      || packed_value('description', tax -> 3) || packed_rest(tax -> 4) || '}' end
    || packed_id('share', v -> 9, ids, own) || packed_value('type', v -> 10)
    || packed_rest(v -> 11) || '}';
end $$;

-- Packed terms as the JSON of the form before.
create function unpacked_terms(own text, document text) returns json
  language plpgsql immutable strict parallel safe as $$
declare
  v jsonb := substr(document, 2);
  ids text := encode(decode(v ->> 0, 'base64'), 'hex');
  lines text := '';
  methods text := '';
  returns text := '';
begin
  if left(document, 1) <> '1' then
    raise exception 'terms have a form of a later release' using errcode = '22023';
  end if;
  for n in 0 .. jsonb_array_length(v -> 5) - 1 loop
    lines := lines || case n when 0 then '' else ',' end || packed_line(v -> 5 -> n, ids, own);
  end loop;
  for n in 0 .. jsonb_array_length(v -> 6) - 1 loop
    methods := methods || case n when 0 then '' else ',' end
      || packed_part(v -> 6 -> n, packed_value('token', v -> 6 -> n -> 4), ids, own);
  end loop;
  if jsonb_typeof(v -> 16) = 'array' then
    for n in 0 .. jsonb_array_length(v -> 16) - 1 loop
      returns := returns || case n when 0 then '' else ',' end
        || packed_part(v -> 16 -> n, packed_id('charge', v -> 16 -> n -> 4, ids, own), ids, own);
    end loop;
    returns := ',"returns":[' || returns || ']';
  end if;
  return '{"total":' || (v -> 1)::text || packed_value('currency', v -> 2) || ',"created":"'
    || unpacked_time(own, (v -> 3)::bigint) || '"' || packed_account(v -> 4)
    || ',"lines":[' || lines || '],"methods":[' || methods || ']' || packed_stated(v, 7)
    || packed_value('kind', v -> 11) || packed_id('escrow', v -> 12, ids, own)
    || packed_id('of', v -> 13, ids, own) || packed_id('authorized', v -> 14, ids, own)
    || packed_value('reserve', v -> 15) || returns || packed_rest(v -> 17) || '}';
end $$;

-- The terms of the sale with this id as JSON, whatever form they have. All SQL reads them by it, or
-- by the function after it.
create function sale_terms(id text, document text) returns json
  language sql immutable parallel safe as $$
  select case when document like '{%' then document::json else unpacked_terms(id, document) end
$$;

-- An id at a place of packed terms; null where it is absent.
create function packed_id_at(place int, document text, own text) returns text
  language plpgsql immutable parallel safe as $$
declare
  v jsonb := substr(document, 2);
begin
  return case when v -> place <> '0'
    then unpacked_id(v -> place, encode(decode(v ->> 0, 'base64'), 'hex'), own) end;
end $$;

-- One of these facts; what laws and histories ask of many sales is not unpacked with all the rest.
create function sale_term(id text, document text, name text) returns text
  language sql stable parallel safe as $$
  select case when document like '{%' then document::json ->> name else case name
    when 'total' then substr(document, 2)::json ->> 1
    when 'currency' then substr(document, 2)::json ->> 2
    when 'created' then unpacked_time(id, (substr(document, 2)::json ->> 3)::bigint)
    when 'kind' then nullif(substr(document, 2)::json ->> 11, '0')
    when 'escrow' then packed_id_at(12, document, id)
    when 'of' then packed_id_at(13, document, id)
    when 'authorized' then packed_id_at(14, document, id)
    when 'reserve' then nullif(substr(document, 2)::json ->> 15, '0')
    else unpacked_terms(id, document) ->> name end end
$$;

-- True where a line item has tax.
create function sale_has_tax(document text) returns boolean
  language sql immutable parallel safe as $$
  select case when document like '{%' then document like '%"tax":{%'
    else jsonb_path_exists(substr(document, 2)::jsonb,
      'strict $[5][*] ? (@[8].type() == "array")') end
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
  cross join lateral json_array_elements(sale_terms(d.id::text, d.document) -> 'lines') as line
  cross join lateral json_array_elements(line -> 'recipients') as recipient
  join wallet w on w.workspace = n.workspace and w.id = (recipient ->> 'wallet')::uuid
  where n.state = 'ESCROWED' and w.account_id is not null
  on conflict do nothing;
  return null;
end $$;

-- As before, of either form.
create or replace function check_authorized_invoice() returns trigger language plpgsql as $$
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
        and sale_term(d.id::text, d.document, 'authorized') = new.id::text)
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

-- The views as before, of either form.

create or replace view reporting_v1.invoices with (security_barrier) as
select i.id as invoice_id, i.account_id as buyer_account_id,
  w.account_id as seller_account_id, coalesce(d.kind, 'sale') as kind,
  d."of" as original_invoice_id, i.state, i.failure_code, d.total as amount,
  d.currency, d.created, i.updated
from invoice i
join invoice_document t on t.workspace = i.workspace and t.id = i.id
cross join lateral json_to_record(sale_terms(t.id::text, t.document))
  as d(total bigint, currency text, kind text, "of" uuid, created timestamptz, lines json)
left join wallet w on w.workspace = i.workspace
  and w.id = (d.lines #>> '{0,recipients,0,wallet}')::uuid
where i.workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create or replace view reporting_v1.escrows with (security_barrier) as
select e.id as escrow_id, t.id as invoice_id, e.account_id as buyer_account_id,
  w.account_id as seller_account_id, e.state, d.total as amount, d.currency,
  e.time_left is not null as frozen, e.due, e.created, e.updated
from escrow e
join invoice_document t on t.workspace = e.workspace and t.id = (left(e.id::text, 35)
  || to_hex((('x' || right(e.id::text, 1))::bit(4)::int) # 1))::uuid
cross join lateral json_to_record(sale_terms(t.id::text, t.document))
  as d(total bigint, currency text, lines json)
left join wallet w on w.workspace = e.workspace
  and w.id = (d.lines #>> '{0,recipients,0,wallet}')::uuid
where e.workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create or replace view reporting_v1.fees with (security_barrier) as
select 'sale' as kind, s.resource_id, (part ->> 'wallet')::uuid as wallet_id,
  line ->> 'id' as line_item_id,
  (part ->> 'amount')::bigint + (part #>> '{fee,amount}')::bigint as gross_amount,
  (part #>> '{fee,amount}')::bigint as amount, d.currency, s.at
from step s
join invoice_document t on t.workspace = s.workspace and t.id = s.resource_id
cross join lateral json_to_record(sale_terms(t.id::text, t.document))
  as d(currency text, lines json)
cross join lateral json_array_elements(d.lines) as l(line)
cross join lateral json_array_elements(line -> 'recipients') as r(part)
where s.workspace = (select workspace from reporting_v1.bound_workspace)
  and s.machine = 'invoice' and s.event in ('payment_succeeded', 'commit')
  and s.to_state = 'success' and (part #>> '{fee,amount}')::bigint > 0
union all
select a.kind, p.resource_id, null, null, null, p.amount, p.currency, s.at
from ledger_account a
join posting p on p.workspace = a.workspace and p.account_id = a.id
join step s on s.workspace = p.workspace and s.resource_id = p.resource_id and s.version = p.version
where a.workspace = (select workspace from reporting_v1.bound_workspace)
  and a.kind in ('payout_fees', 'processor_fees', 'unreturned_fees', 'dispute_fees', 'bank_fees')
offset 0;

-- Until the upgrade is finished terms are stored in the form that nodes of 0.2 read, whoever
-- writes them. `holdfast migrate --finish` drops the trigger.
create function store_old_terms() returns trigger language plpgsql as $$
begin
  new.document := unpacked_terms(new.id::text, new.document);
  return new;
end $$;
create trigger invoice_document_form before insert on invoice_document
  for each row when (new.document not like '{%') execute function store_old_terms();
