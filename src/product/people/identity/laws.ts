// Invariants of identity that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';
import { ERASED } from '../account/index.ts';
import { events } from '../../events.ts';
import { checkOpen } from './machine.ts';

export const laws: readonly Proof[] = [
  law('latest_application_has_the_state',
    'The identity state of an account is that of its latest application.',
    `select k.id::text as what from kyc k
      left join kyc_application a on a.workspace = k.workspace and a.id = k.application_id
        and a.account_id = k.id
      where k.application_id is not null and a.state is distinct from k.state`),
  law('processing_is_being_checked',
    'A person in processing has an open check, and every open check has a job.',
    `select k.id::text as what from kyc k
      left join identity_check c on c.workspace = k.workspace
      and c.application_id = k.application_id
        and c.state in (${checkOpen})
      where k.state = 'PROCESSING' and not k.follows_entity and c.id is null
      union all
      select c.id::text from identity_check c
      left join identity_job j on j.workspace = c.workspace and j.check_id = c.id
      where c.state in (${checkOpen}) and j.check_id is null`),
  law('full_is_accepted_by_the_vendor_or_by_people',
    'Nobody moved from PROCESSING to ACCEPT without a check that the vendor accepted.',
    `select s.resource_id || ' v' || s.version as what from history s
      left join identity_check c on c.workspace = s.workspace
        and c.id::text = (s.detail::json ->> 'check_id') and c.account_id = s.resource_id
      where s.machine = 'kyc' and s.from_state = 'PROCESSING' and s.to_state = 'ACCEPT'
        and s.event = 'decide' and c.outcome is distinct from 'accepted'`),
  law('data_on_file_is_sealed',
    'Every submission by a person names its form and is sealed; compliance submits none.',
    `select a.id::text as what from kyc_application a
      join account_person p on p.workspace = a.workspace and p.id = a.account_id
      where (a.initiator = 'user') <> (a.form <> '')
        or (a.initiator = 'compliance' and (a.sealed is not null or a.documents <> '{}'))
        or (a.initiator = 'user' and (a.sealed is null) <> (p.wrapped_key = '${ERASED}'))`),
  law('named_documents_are_kept',
    'Every document that an application names exists and belongs to the same account.',
    `select a.id::text as what from kyc_application a
      cross join lateral regexp_matches(a.documents, '[0-9a-f-]{36}', 'g') named
      left join kyc_document d on d.workspace = a.workspace and d.id = named[1]::uuid
      where d.account_id is distinct from a.account_id`),
  law('identity_is_what_was_told',
    'Level and requirements of an account match the event of its last change.',
    `select k.id::text as what from kyc k
      left join (select workspace, resource_id, resource_version, body::json -> 'message' as said
          from event where name = '${events.kycChanged.name}'
        union all select workspace, resource_id, resource_version, message::json
          from outbox where name = '${events.kycChanged.name}') e
        on e.workspace = k.workspace and e.resource_id = k.id and e.resource_version = (
          -- A warning changes neither.
          select max(s.version) from history s where s.workspace = k.workspace
            and s.resource_id = k.id and s.event <> 'warn')
      where (k.pii_level, k.requirements) is distinct from (
        coalesce(e.said ->> 'pii_level', case k.version when 1 then 'NONE' end),
        coalesce(e.said ->> 'kyc_requirements', case k.version when 1 then 'NONE' end))`),
  law('accepted_documents_have_a_clock',
    'The clock acts on exactly those accepted identities whose document expires.',
    `select id::text as what from kyc
      where (document_expires is not null) <> (state = 'ACCEPT' and due is not null)`),
];
