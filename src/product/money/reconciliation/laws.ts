// Invariants between the processor's statement and our books that `verify` checks: each query gives
// the rows that break one. An open item breaks none: it is shown. [M18]
import type { Proof } from '../../../core/proof.ts';

export const laws: readonly Proof[] = [
  {
    name: 'matched_lines_agree',
    law: 'A matched statement row agrees with its charge, outbound transfer or chargeback.',
    text: `select l.id::text as what from statement_line l
      left join attempt a on a.world = l.world and a.id = l.subject
      left join remittance r on r.world = l.world and r.id = l.subject
      left join reversal v on v.world = l.world and v.reference = l.reference
      where l.verdict = 'matched' and not coalesce(case
        when l.why = 'captured' then l.kind = 'capture' and a.state in ('captured', 'reversing',
          'reversed', 'parked') and (a.amount, a.currency) = (l.amount, l.currency)
        when l.why in ('paid', 'returned') then r.state in ('paid', 'returned')
          and (r.amount, r.currency) = (l.amount, l.currency)
        when l.why = 'reversal' then (v.amount, v.currency, v.attempt_id)
          = (l.amount, l.currency, l.subject)
        when l.why = 'dispute' then (v.amount, v.currency) = (l.amount, l.currency)
          and exists (select from dispute p where p.world = l.world and p.reference = l.reference
            and (l.kind = 'dispute_under_review' or l.kind = 'dispute_' || p.state))
        when l.why = 'reversed' then a.state = 'reversed'
        else l.why = 'parked' end, false)`,
  },
  {
    name: 'differences_are_shown',
    law: 'Each deviating statement row has a discrepancy; no other row has an open one.',
    text: `select l.id::text as what from statement_line l
      left join difference d on d.world = l.world and d.id = l.id
      where (l.verdict = 'difference' and d.id is null)
        or (l.verdict <> 'difference' and d.state <> 'explained')`,
  },
  {
    name: 'unexplained_is_on_its_way_back',
    law: 'Unexplained money is what was captured twice and has not been returned.',
    text: `select coalesce(b.world, o.world) || ' ' || coalesce(b.currency, o.currency) as what
      from (select p.world, p.currency, sum(p.amount) as held from posting p
        join ledger_account a on a.world = p.world and a.id = p.account_id
          and a.kind = 'unexplained' group by p.world, p.currency) b
      full join (select world, currency, sum(amount) as held from difference
        where state = 'returning' group by world, currency) o
        on o.world = b.world and o.currency = b.currency
      where coalesce(b.held, 0) <> coalesce(o.held, 0)`,
  },
  {
    name: 'clearing_is_what_was_exchanged',
    law: 'The processor account holds captures, outbound transfers and chargebacks only.',
    text: `with said as (
        select p.world, p.resource_id, p.currency, p.amount from posting p
          join ledger_account a on a.world = p.world and a.id = p.account_id
            and a.kind = 'processor_clearing'
        union all select t.world, t.resource_id, t.currency, t.amount from attempt t
          left join invoice i on i.world = t.world and i.id = t.resource_id
          left join deposit d on d.world = t.world and d.id = t.resource_id
          where t.state = 'captured' and coalesce(i.state, d.state) = 'success'
        union all select r.world, r.resource_id, r.currency, -r.amount from remittance r
          left join invoice i on i.world = r.world and i.id = r.resource_id
          where r.state = 'paid' and coalesce(i.state, '') <> 'processing'
        union all select p.world, p.resource_id, p.currency, p.amount from posting p
          join ledger_account a on a.world = p.world and a.id = p.account_id
            and a.kind = 'integrator_share'
          join remittance r on r.world = p.world and r.id = p.resource_id
            and r.state = 'paid' and r.failure_code is not null
          where r.amount <= (select sum(v.amount) from reversal v
            where v.world = r.world and v.attempt_id::text = r.target)
        union all select v.world, v.id, v.currency, -v.amount from reversal v
          where v.state <> 'given_back'
        union all select d.world, d.id, d.currency, d.amount from difference d
          where exists (select from step s where s.world = d.world and s.resource_id = d.id
            and s.to_state = 'returning'))
      select resource_id::text as what from said
      group by world, resource_id, currency having sum(amount) <> 0`,
  },
];
