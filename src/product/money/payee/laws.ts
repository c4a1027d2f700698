// Invariants of sellers' accounts at the processor that `verify` checks.
import { law, type Proof } from '../../../core/proof.ts';

export const laws: readonly Proof[] = [
  law('payees_that_take_payouts_are_ready',
    "A seller's account takes payouts only while the processor requires nothing of them.",
    `select m.id::text as what from payment_method m
      left join payee p on p.workspace = m.workspace and p.payment_method_id = m.id
        and p.account_id = m.account_id
      where m.provider = 'payee' and case m.pm_state
        when 'ACTIVE' then p.state is distinct from 'ready'
        when 'UNVERIFIED' then p.state is distinct from 'restricted' else p.id is null end`),
  law('payees_are_asked_about',
    "Every account of a seller that is not closed has a job, so that it is followed.",
    `select p.id::text as what from payee p
      left join payee_job j on j.workspace = p.workspace and j.payee_id = p.id
      where p.state <> 'closed' and j.payee_id is null`),
  law('processor_identities_have_a_payee',
    'An identity that the processor verified or withdrew has an account there.',
    `select s.resource_id::text || ' v' || s.version as what from history s
      where s.machine = 'kyc' and s.event in ('processor_verify', 'processor_withdraw')
        and not exists (select from payee p where p.workspace = s.workspace
          and p.account_id = s.resource_id)`),
];
