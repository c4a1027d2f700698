// Invariants between the processor's statement and our books that `verify` checks: each query gives
// the rows that break one. An open item breaks none: it is shown. [M18]
import { law, type Proof } from '../../../core/proof.ts';
import { OWN } from './settlements.ts';

export const laws: readonly Proof[] = [
  law('matched_lines_agree',
    'A matched statement row agrees with its charge, outbound transfer or chargeback.',
    `select l.id::text as what from statement_line l
      left join attempt a on a.workspace = l.workspace and a.id = l.subject
      left join transfer r on r.workspace = l.workspace and r.id = l.subject
      left join reversal v on v.workspace = l.workspace and v.reference = l.reference
      where l.verdict = 'matched' and not coalesce(case
        when l.why = 'captured' then l.kind = 'capture' and a.state in ('captured', 'reversing',
          'reversed', 'parked') and (a.amount, a.currency) = (l.amount, l.currency)
        when l.why in ('paid', 'returned') then r.state in ('paid', 'returned')
          and (r.amount, r.currency) = (l.amount, l.currency)
        when l.why = 'reversal' then (v.amount, v.currency, v.attempt_id)
          = (l.amount, l.currency, l.subject)
        when l.why = 'dispute' then (v.amount, v.currency) = (l.amount, l.currency)
          and exists (select from dispute p where p.workspace = l.workspace
          and p.reference = l.reference
            and (l.kind = 'dispute_under_review' or l.kind = 'dispute_' || p.state))
        when l.why = 'reversed' then a.state = 'reversed'
        when l.why = 'own_money' then l.booked and l.kind in (${OWN})
        else l.why = 'parked' end, false)`),
  law('differences_are_shown',
    'Each deviating statement row has a discrepancy; no other row has an open one.',
    `select l.id::text as what from statement_line l
      left join difference d on d.workspace = l.workspace and d.id = l.id
      where (l.verdict = 'difference' and d.id is null)
        or (l.verdict <> 'difference' and d.state <> 'explained')`),
  law('unexplained_is_on_its_way_back',
    'Unexplained money is what was captured twice and has not been returned.',
    `select coalesce(b.workspace, o.workspace) || ' ' || coalesce(b.currency, o.currency) as
      what
      from (select p.workspace, p.currency, sum(p.amount) as held from posting p
        join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
          and a.kind = 'unexplained' group by p.workspace, p.currency) b
      full join (select workspace, currency, sum(amount) as held from difference
        where state = 'returning' group by workspace, currency) o
        on o.workspace = b.workspace and o.currency = b.currency
      where coalesce(b.held, 0) <> coalesce(o.held, 0)`),
  law('clearing_is_what_was_exchanged',
    'Pending money at the processor is what was exchanged, less what was settled.',
    `with said as (
        select p.workspace, p.resource_id, p.currency, p.amount from posting p
          join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
            and a.kind = 'processor_clearing'
        union all select t.workspace, t.resource_id, t.currency, t.amount from attempt t
          left join invoice i on i.workspace = t.workspace and i.id = t.resource_id
          left join deposit d on d.workspace = t.workspace and d.id = t.resource_id
          where t.state = 'captured' and coalesce(i.state, d.state) = 'success'
        union all select r.workspace, r.resource_id, r.currency, -r.amount from transfer r
          left join invoice i on i.workspace = r.workspace and i.id = r.resource_id
          where r.state = 'paid' and r.rail = 'processor' and coalesce(i.state, '') <> 'processing'
        union all select p.workspace, p.resource_id, p.currency, p.amount from posting p
          join ledger_account a on a.workspace = p.workspace and a.id = p.account_id
            and a.kind = 'integrator_share'
          join transfer r on r.workspace = p.workspace and r.id = p.resource_id
            and r.state = 'paid' and r.failure_code is not null
          where r.amount <= (select sum(v.amount) from reversal v
            where v.workspace = r.workspace and v.attempt_id::text = r.target)
        union all select v.workspace, v.id, v.currency, -v.amount from reversal v
          where v.state <> 'given_back'
        union all select t.workspace, t.id, t.currency,
          -case t.state when 'pending' then t.fee else t.amount end
          from settlement t where t.kind not in (${OWN})
        union all select d.workspace, d.id, d.currency, d.amount from difference d
          where exists (select from history s
            where s.workspace = d.workspace and s.resource_id = d.id
            and s.to_state = 'returning'))
      select resource_id::text as what from said
      group by workspace, resource_id, currency having sum(amount) <> 0`),
];
