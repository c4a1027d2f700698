// Invariants of businesses that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';
import { events } from '../../events.ts';
import { ACCOUNT_STATES, AGENT_STATES } from './machine.ts';

function casesOf(map: Readonly<Record<string, string>>): string {
  return Object.entries(map).map(([from, to]) => `when '${from}' then '${to}'`).join(' ');
}

export const laws: readonly Proof[] = [
  law('accounts_follow_their_business',
    'The identity state of an account with a business is that of the business.',
    `select e.id::text as what from entity e
      join kyc k on k.workspace = e.workspace and k.id = e.account_id
      left join history s on s.workspace = k.workspace and s.resource_id = k.id
      and s.version = k.version
      where not k.follows_entity or (s.event <> 'set'
        and k.state <> case e.state ${casesOf(ACCOUNT_STATES)} end)`),
  law('agents_follow_their_person',
    'The status of a person behind a business matches their identity, or will soon.',
    `select a.id::text as what from entity e
      cross join lateral json_array_elements_text(e.agents::json) named
      left join entity_agent a on a.workspace = e.workspace and a.id = named::uuid
      left join kyc k on k.workspace = a.workspace and k.id = a.person_id
      where a.entity_id is distinct from e.id or not k.followed
        or (a.state <> case k.state ${casesOf(AGENT_STATES)} end and not exists (
          select from kyc_moved m where m.workspace = k.workspace and m.account_id = k.id))`),
  law('accepted_businesses_have_verified_people',
    'A business was accepted only when each of its people was accepted.',
    `select s.resource_id::text as what from history s
      left join lateral json_each_text(s.detail::json -> 'people') seen on true
      left join history k on k.workspace = s.workspace and k.resource_id = seen.key::uuid
        and k.version = seen.value::integer and k.machine = 'kyc'
      where s.machine = 'entity' and s.event = 'decide' and s.to_state = 'ACCEPT'
        and k.to_state is distinct from 'ACCEPT'`),
  law('roles_are_bounded',
    'A business has one primary contact, who owns its account; other roles have limits.',
    `select e.id::text as what from entity e
      join entity_agent a on a.workspace = e.workspace and a.entity_id = e.id
        and position(a.id::text in e.agents) > 0
      group by e.workspace, e.id, e.account_id
      having count(*) filter (where a.roles like '%"primary_contact"%') <> 1
        or count(*) filter (where a.account_id = e.account_id) <> 1
        or count(*) filter (where a.roles like '%"control_prong"%') > 1
        or count(*) filter (where a.roles like '%"beneficial_owner"%') > 4`),
  law('people_of_a_business_are_counted', 'A business counts every person it ever named.',
    `select e.id::text as what from entity e
      left join entity_agent a on a.workspace = e.workspace and a.entity_id = e.id
      group by e.workspace, e.id, e.people having count(a.id) <> e.people`),
  law('named_entity_documents_are_kept',
    'Every document that a business names exists and belongs to the same account.',
    `select e.id::text as what from entity e
      cross join lateral json_array_elements(e.documents::json) named
      left join entity_document d on d.workspace = e.workspace and d.id = (named ->> 'id')::uuid
      where d.account_id is distinct from e.account_id or d.entity_id is distinct from e.id`),
  law('business_moves_are_announced', 'Each state change of a business has exactly one event.',
    `select s.resource_id || ' v' || s.version as what from history s
      left join (select workspace, resource_id, resource_version from event
          where name = '${events.entityChanged.name}'
        union all select workspace, resource_id, resource_version from outbox
          where name = '${events.entityChanged.name}') e on e.workspace = s.workspace
        and e.resource_id = s.resource_id and e.resource_version = s.version
      where s.machine = 'entity'
      group by s.workspace, s.resource_id, s.version having count(e.resource_id) <> 1`),
];
