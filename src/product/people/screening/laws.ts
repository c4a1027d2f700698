// Invariants of screening that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';

export const laws: readonly Proof[] = [
  law('hits_are_decided_by_operators',
    'Every decided hit was decided by an operator; others end with their list alone.',
    `select h.id::text as what from screening_hit h where h.state <> 'open'
      and not (h.state = 'dropped' and exists (select from screening_list l
        where l.list = h.list and l.dropped is not null))
      and not exists (select from history s where s.workspace = h.workspace and s.resource_id = h.id
        and s.to_state = h.state and s.actor like 'operator:%')`),
  law('hits_are_of_the_applicant', 'Every hit is about the account of its application or business.',
    `select h.id::text as what from screening_hit h
      left join kyc_application a on a.workspace = h.workspace and a.id = h.subject_id
      left join entity e on e.workspace = h.workspace and e.id = h.subject_id
      where coalesce(a.account_id, e.account_id) is distinct from h.account_id`),
];
