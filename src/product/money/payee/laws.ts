// Invariants of sellers' accounts at the processor that `verify` checks.
import type { Proof } from '../../../core/proof.ts';

export const laws: readonly Proof[] = [
  {
    name: 'payees_that_take_payouts_are_ready',
    law: "A seller's account takes payouts only while the processor requires nothing of them.",
    text: `select m.id::text as what from payment_method m
      left join payee p on p.workspace = m.workspace and p.payment_method_id = m.id
        and p.account_id = m.account_id
      where m.provider = 'payee' and case m.pm_state
        when 'ACTIVE' then p.state is distinct from 'ready'
        when 'UNVERIFIED' then p.state is distinct from 'restricted' else p.id is null end`,
  },
  {
    name: 'payees_are_asked_about',
    law: "Every account of a seller that is not closed has a job, so that it is followed.",
    text: `select p.id::text as what from payee p
      left join payee_job j on j.workspace = p.workspace and j.payee_id = p.id
      where p.state <> 'closed' and j.payee_id is null`,
  },
  {
    name: 'processor_identities_have_a_payee',
    law: 'An identity that the processor verified or withdrew has an account there.',
    text: `select s.resource_id::text || ' v' || s.version as what from step s
      where s.machine = 'kyc' and s.event in ('processor_verify', 'processor_withdraw')
        and not exists (select from payee p where p.workspace = s.workspace
          and p.account_id = s.resource_id)`,
  },
];
