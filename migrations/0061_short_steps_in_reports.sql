-- The views of reports as before, of either form of steps. Apart from the form itself, so that no
-- reader of a report and the upgrade wait for each other.

create or replace view reporting_v1.ledger_entries with (security_barrier) as
select p.resource_id, p.version, p.line, p.account_id as ledger_account_id, p.amount, p.currency,
  s.machine as resource, s.event, s.at
from posting p
join history s
  on s.workspace = p.workspace and s.resource_id = p.resource_id and s.version = p.version
where p.workspace = (select workspace from reporting_v1.bound_workspace)
offset 0;

create or replace view reporting_v1.fees with (security_barrier) as
select 'sale' as kind, s.resource_id, (part ->> 'wallet')::uuid as wallet_id,
  line ->> 'id' as line_item_id,
  (part ->> 'amount')::bigint + (part #>> '{fee,amount}')::bigint as gross_amount,
  (part #>> '{fee,amount}')::bigint as amount, d.currency, s.at
from history s
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
join history s
  on s.workspace = p.workspace and s.resource_id = p.resource_id and s.version = p.version
where a.workspace = (select workspace from reporting_v1.bound_workspace)
  and a.kind in ('payout_fees', 'processor_fees', 'unreturned_fees', 'dispute_fees', 'bank_fees')
offset 0;
