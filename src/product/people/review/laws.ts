// Invariants of reviews that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';

export const laws: readonly Proof[] = [
  law('two_pairs_of_eyes', 'No operator confirmed or rejected their own proposal.',
    `select s.resource_id || ' v' || s.version as what from history s
      join history p on p.workspace = s.workspace and p.resource_id = s.resource_id
        and p.version = s.version - 1
      where s.machine = 'review_proposal' and s.event in ('confirm', 'reject')
        and s.actor = p.actor`),
  law('confirmed_is_decided', 'Every confirmed decision took effect once.',
    `select p.id::text as what from review_proposal p
      where p.state = 'confirmed' and 1 <> (select count(*) from history s
        where s.workspace = p.workspace and s.resource_id = p.subject_id
          and s.detail::json ->> 'proposal_id' = p.id::text)`),
  law('reviews_have_notes', 'Every operator decision about a person has a note.',
    `select s.resource_id || ' v' || s.version as what from history s
      left join review_note n on n.workspace = s.workspace and n.subject_id = s.resource_id
        and n.subject_version = s.version
      where s.machine = 'kyc' and s.event in ('review', 'ask') and n.id is null`),
  law('nobody_decides_their_own',
    'No operator decided about an account that was registered as their own.',
    `select n.id::text as what from review_note n
      join operator_account o on o.workspace = n.workspace and o.account_id = n.account_id
        and o.operator_id = n.operator_id and o.created < n.created
      where n.act <> 'open'`),
];
