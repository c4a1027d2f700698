// Invariants of refunds and reversals that `verify` checks: each query gives the rows that break
// one.
import { law, type Proof } from '../../../core/proof.ts';
import { events } from '../../events.ts';

export const laws: readonly Proof[] = [
  law('refunded_amounts_is_its_refunds',
    'The refunded amounts of an invoice are the sum of its refunds, by line item and method.',
    `select t.id::text as what from refunded_amounts t
      left join (select workspace, invoice_id, sum(counted) as counted from refund
        group by workspace, invoice_id) r on r.workspace = t.workspace and r.invoice_id = t.id
      where t.refunded <> coalesce(r.counted, 0)
        or t.refunded <> (select coalesce(sum(value::bigint), 0)
          from json_each_text(t.lines::json))
        or t.refunded <> (select coalesce(sum((value ->> 'refunded')::bigint), 0)
          from json_each(t.methods::json))`),
  law('refunds_stay_within_charge',
    'No invoice, line item or method is refunded beyond its charge; unpaid ones not at all.',
    `select t.id::text as what from refunded_amounts t
      join invoice i on i.workspace = t.workspace and i.id = t.id
      join invoice_document d on d.workspace = t.workspace and d.id = t.id
      where t.charged <> sale_term(d.id::text, d.document, 'total')::bigint
        or t.refunded > t.charged
        or (t.refunded > 0 and i.state <> 'success')
        or exists (select from json_each_text(t.lines::json) b
          left join json_array_elements(sale_terms(d.id::text, d.document) -> 'lines') l
            on l ->> 'id' = b.key
          where b.value::bigint < 0
            or b.value::bigint > coalesce((l ->> 'amount')::bigint, 0))
        or exists (select from json_each(t.methods::json) b
          left join json_array_elements(sale_terms(d.id::text, d.document) -> 'methods') m
            on m ->> 'subitem' = b.key
          where (b.value ->> 'refunded')::bigint < 0
            or (b.value ->> 'refunded')::bigint > coalesce((m ->> 'amount')::bigint, 0))`),
  law('refunds_count_what_moved',
    'A refund that moved money counts what its refund invoice returned or still owes.',
    `select r.id::text as what from refund r
      left join invoice i on i.workspace = r.workspace and i.id = r.refund_invoice_id
      left join (select p.workspace, p.resource_id, sum(p.amount) as paid from posting p
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
          and a.kind in ('integrator_share', 'tax_collected')
        group by p.workspace, p.resource_id) x
        on x.workspace = r.workspace and x.resource_id = r.refund_invoice_id
      left join (select p.workspace, p.resource_id, sum(p.amount) as back from posting p
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
          and a.kind in ('integrator_share', 'tax_collected')
        group by p.workspace, p.resource_id) y
        on y.workspace = r.workspace and y.resource_id = r.id
      where case r.state when 'REFUND-SUCCESS' then 'success'
          when 'REFUND-PENDING' then 'processing' when 'REFUND-FAILED' then 'failed' end
          is distinct from i.state
        or (i.id is not null and r.counted <> -coalesce(x.paid, 0) - coalesce(y.back, 0))`),
  law('tax_is_collected_less_returned',
    'Tax kept for the integrator is that of paid sales and commits less what refunds returned.',
    `select coalesce(h.workspace, e.workspace) || ' ' || coalesce(h.currency, e.currency) as
      what
      from (select p.workspace, p.currency, sum(p.amount) as held from posting p
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
          and a.kind = 'tax_collected' group by p.workspace, p.currency) h
      full join (select workspace, currency, sum(tax) as tax from (
          select d.workspace, sale_term(d.id::text, d.document, 'currency') as currency,
            (l -> 'tax' ->> 'amount')::bigint as tax
          from invoice_document d
          join invoice i on i.workspace = d.workspace and i.id = d.id and i.state = 'success'
          cross join lateral json_array_elements(sale_terms(d.id::text, d.document) -> 'lines') l
          where sale_has_tax(d.document) and l -> 'tax' is not null
            and coalesce(sale_term(d.id::text, d.document, 'kind'), 'commit') = 'commit'
          union all select t.workspace, t.currency, -value::bigint
            from refunded_amounts t cross join lateral json_each_text(t.taxes::json)
          union all select r.workspace, r.currency, value::bigint
            from refund r cross join lateral json_each_text(r.taxes::json)
            where r.state = 'REFUND-WAITING-FUNDS') one
        group by workspace, currency) e
        on e.workspace = h.workspace and e.currency = h.currency
      where coalesce(h.held, 0) <> coalesce(e.tax, 0)`),
  law('tax_is_returned_with_its_line',
    'Of no line item more tax is returned than it has; one returned in full returns all of it.',
    `select t.id::text as what from refunded_amounts t
      join invoice_document d on d.workspace = t.workspace and d.id = t.id
      where exists (
        select from json_array_elements(sale_terms(d.id::text, d.document) -> 'lines') l
        cross join lateral (select (l ->> 'amount')::bigint as amount,
          coalesce((l -> 'tax' ->> 'amount')::bigint, 0) as tax,
          coalesce((t.lines::json ->> (l ->> 'id'))::bigint, 0) as back,
          coalesce((t.taxes::json ->> (l ->> 'id'))::bigint, 0) as tax_back) n
        where n.tax_back not between 0 and n.tax or n.tax_back > n.back
          or n.back - n.tax_back > n.amount - n.tax)`),
  law('refund_ends_are_announced',
    'Each finished refund has exactly one refund-completed event, any other none.',
    `select r.id::text as what from refund r
      left join (select workspace, resource_id from event
          where name = '${events.refundCompleted.name}'
        union all select workspace, resource_id from outbox
          where name = '${events.refundCompleted.name}') e on e.workspace = r.workspace
        and e.resource_id = r.id
      group by r.workspace, r.id, r.state
      having count(e.resource_id) <> case when r.state in
        ('REFUND-SUCCESS', 'REFUND-FAILED', 'REFUND-REJECTED') then 1 else 0 end`),
  law('reversals_are_owed',
    'Uncovered chargebacks are the sum of the chargebacks received and not covered.',
    `select coalesce(b.workspace, r.workspace) || ' ' || coalesce(b.currency, r.currency) as
      what
      from (select p.workspace, p.currency, sum(p.amount) as held from posting p
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
          and a.kind = 'reversals' group by p.workspace, p.currency) b
      full join (select workspace, currency, sum(amount - secured) as owed from reversal
        where state = 'received' group by workspace, currency) r
        on r.workspace = b.workspace and r.currency = b.currency
      where coalesce(b.held, 0) + coalesce(r.owed, 0) <> 0`),
  law('reversals_are_counted',
    'The charged-back amount of an invoice is what banks took from its charges and kept.',
    `select coalesce(t.id, r.resource_id)::text as what from refunded_amounts t
      full join (select v.workspace, v.resource_id, sum(v.amount) as amount from reversal v
        join attempt a on a.workspace = v.workspace and a.id = v.attempt_id
          and a.purpose <> 'deposit' and a.currency = v.currency
        where v.state <> 'given_back' group by v.workspace, v.resource_id) r
        on r.workspace = t.workspace and r.resource_id = t.id
      where coalesce(t.charged_back, 0) <> coalesce(r.amount, 0)`),
];
