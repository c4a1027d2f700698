-- Adds what analysts read: views of one tenant's money without personal data, for roles of the
-- database that are each bound to one tenant.

-- Which tenant a role reads. Written by the owner, on the command line.
create table reporting_role (
  role text collate "C" primary key,
  integrator uuid not null references tenant,
  created timestamptz not null default clock_timestamp()
);

-- It acts as the owner, so whoever may connect must not call it; the server's role gets the right
-- with all others.
revoke execute on function turn_generation(text) from public;

-- An id as the interface writes it, such as acct_01h455vb4pex5vsknk084sn02q: a prefix, and the UUID
-- in 26 digits of base 32.
create function wire_id(prefix text, id uuid) returns text
  language sql immutable parallel safe as $$
  select prefix || '_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
    substr(bits, n * 5 + 1, 5)::bit(5)::integer + 1, 1), '' order by n)
  from (select '00' || ('x' || replace(id::text, '-', ''))::bit(128)::text as bits) b
  cross join generate_series(0, 25) n
$$;

-- The first version. Columns may be added at the end; nothing else changes while it is there.
create schema reporting_v1;

-- The workspace that the role of the connection reads: none, unless a row binds it.
create view reporting_v1.bound_workspace with (security_barrier) as
select w.workspace from workspace w join reporting_role r on r.integrator = w.integrator
where r.role = current_user and w.main and w.ended is null;

-- Each view ends with `offset 0`: no condition of a reader is looked at before the rows are those
-- of the tenant, and no statistics of the tables answer for them in a plan.

create view reporting_v1.invoices with (security_barrier) as
select i.id as invoice_id, i.account_id as buyer_account_id,
  w.account_id as seller_account_id, coalesce(d.kind, 'sale') as kind,
  d."of" as original_invoice_id, i.state, i.failure_code, d.total as amount,
  d.currency, d.created, i.updated
from invoice i
join invoice_document t on t.workspace = i.workspace and t.id = i.id
cross join lateral json_to_record(t.document::json) as d(total bigint, currency text, kind text,
  "of" uuid, created timestamptz, lines json)
left join wallet w on w.workspace = i.workspace
  and w.id = (d.lines #>> '{0,recipients,0,wallet}')::uuid
where i.workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create view reporting_v1.escrows with (security_barrier) as
select e.id as escrow_id, t.id as invoice_id, e.account_id as buyer_account_id,
  w.account_id as seller_account_id, e.state, d.total as amount, d.currency,
  e.time_left is not null as frozen, e.due, e.created, e.updated
from escrow e
join invoice_document t on t.workspace = e.workspace and t.id = (left(e.id::text, 35)
  || to_hex((('x' || right(e.id::text, 1))::bit(4)::int) # 1))::uuid
cross join lateral json_to_record(t.document::json) as d(total bigint, currency text, lines json)
left join wallet w on w.workspace = e.workspace
  and w.id = (d.lines #>> '{0,recipients,0,wallet}')::uuid
where e.workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create view reporting_v1.refunds with (security_barrier) as
select id as refund_id, invoice_id, refund_invoice_id, line_item_id, amount,
  counted as refunded_amount, currency, reason, state, created, updated
from refund where workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create view reporting_v1.payouts with (security_barrier) as
select id as payout_id, account_id, source_wallet_id as wallet_id, transfer_id, amount, fee_amount,
  currency, state, failure_code, due, created, updated
from payout where workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create view reporting_v1.disputes with (security_barrier) as
select id as dispute_id, account_id as buyer_account_id, purpose, resource_id, escrow_id, amount,
  currency, reason, state, reference as processor_reference, due_by, created, updated
from dispute where workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create view reporting_v1.payment_attempts with (security_barrier) as
select a.id as attempt_id, a.resource_id, a.purpose, m.provider as method, m.method_class, a.amount,
  a.currency, a.state, a.failure_code, a.processor_reference, s.at as created, a.updated
from attempt a
join step s on s.workspace = a.workspace and s.resource_id = a.id and s.version = 1
left join payment_method m on m.workspace = a.workspace and m.id = a.payment_method_id
where a.workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create view reporting_v1.transfers with (security_barrier) as
select t.id as transfer_id, t.resource_id, t.purpose, t.kind, t.rail, t.amount, t.currency, t.state,
  t.failure_code, t.processor_reference, s.at as created, t.updated
from transfer t
join step s on s.workspace = t.workspace and s.resource_id = t.id and s.version = 1
where t.workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create view reporting_v1.ledger_accounts with (security_barrier) as
select a.id as ledger_account_id, a.kind, a.currency,
  coalesce(w.account_id, k.account_id) as account_id
from ledger_account a
left join wallet w on w.workspace = a.workspace and w.id = a.id
left join wallet k on k.workspace = a.workspace and k.kept_back_id = a.id
where a.workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create view reporting_v1.ledger_entries with (security_barrier) as
select p.resource_id, p.version, p.line, p.account_id as ledger_account_id, p.amount, p.currency,
  s.machine as resource, s.event, s.at
from posting p
join step s on s.workspace = p.workspace and s.resource_id = p.resource_id and s.version = p.version
where p.workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create view reporting_v1.events with (security_barrier) as
select sequence, event_id, name, resource_id, at
from event where workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create view reporting_v1.fees with (security_barrier) as
select 'sale' as kind, s.resource_id, (part ->> 'wallet')::uuid as wallet_id,
  line ->> 'id' as line_item_id,
  (part ->> 'amount')::bigint + (part #>> '{fee,amount}')::bigint as gross_amount,
  (part #>> '{fee,amount}')::bigint as amount, d.currency, s.at
from step s
join invoice_document t on t.workspace = s.workspace and t.id = s.resource_id
cross join lateral json_to_record(t.document::json) as d(currency text, lines json)
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

-- Everybody who may connect may ask; a role that no row binds finds nothing.
grant usage on schema reporting_v1 to public;
grant select on all tables in schema reporting_v1 to public;
revoke all on reporting_v1.bound_workspace from public;
