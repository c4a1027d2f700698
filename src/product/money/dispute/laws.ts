// Invariants of disputes that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';
import { events } from '../../events.ts';

export const laws: readonly Proof[] = [
  law('disputes_are_their_money',
    'A dispute holds the money taken back; it is returned if won or withdrawn, else not.',
    `select d.id::text as what from dispute d
      left join reversal v on v.workspace = d.workspace and v.id = d.reversal_id
      where (v.reference, v.amount, v.currency, v.resource_id)
          is distinct from (d.reference, d.amount, d.currency, d.resource_id)
        or (v.kind = 'return') <> (d.state = 'returned')
        or (v.state = 'given_back') <> (d.state in ('won', 'withdrawn'))`),
  law('frozen_escrows_are_disputed',
    'An escrow is frozen exactly while a dispute is open, or its sides disagree.',
    `select e.id::text as what from escrow e
      left join (select workspace, escrow_id, count(*) as open from dispute
        where state in ('needs_response', 'under_review') group by workspace, escrow_id) o
        on o.workspace = e.workspace and o.escrow_id = e.id
      where (e.time_left is not null) <> (e.state = 'ESCROWED'
          and (o.open is not null or e.disputes::json ->> 'disagreement' is not null))
        or (e.time_left is not null
          and (e.disputes::json ->> 'open')::bigint <> coalesce(o.open, 0))`),
  law('dispute_moves_are_announced',
    'Each step of a dispute that names an event has it; new evidence and a lapse have none.',
    `select s.resource_id::text || ' v' || s.version as what from history s
      left join (select workspace, resource_id, resource_version, name from event
          where name like 'dispute-%'
        union all select workspace, resource_id, resource_version, name from outbox
          where name like 'dispute-%') e on e.workspace = s.workspace
        and e.resource_id = s.resource_id and e.resource_version = s.version
        and e.name = case s.event when 'open' then '${events.disputeCreated.name}'
          when 'close' then '${events.disputeClosed.name}'
          when 'warn' then '${events.disputeDue.name}' else '${events.disputeUpdated.name}' end
      where s.machine = 'dispute' and s.event not in ('add_evidence', 'lapse')
      group by s.workspace, s.resource_id, s.version having count(e.resource_id) <> 1`),
  law('evidence_is_submitted_once',
    'A dispute has an answer for each time it was submitted, and only one not declined.',
    `select d.id::text as what from dispute d
      left join (select workspace, resource_id, count(*) filter (where event = 'submit') as given,
          count(*) filter (where event = 'add_evidence') as added
        from history where machine = 'dispute' group by workspace, resource_id) s
        on s.workspace = d.workspace and s.resource_id = d.id
      left join (select workspace, dispute_id, count(*) as answers,
          count(*) filter (where state <> 'declined') as standing
        from dispute_answer group by workspace, dispute_id) a
        on a.workspace = d.workspace and a.dispute_id = d.id
      where s.given <> coalesce(a.answers, 0) or coalesce(a.standing, 0) > 1
        or s.added <> (select count(*) from dispute_evidence e
          join history p on p.workspace = e.workspace and p.resource_id = e.dispute_id
            and p.version = e.version and p.event = 'add_evidence'
          where e.workspace = d.workspace and e.dispute_id = d.id)`),
];
