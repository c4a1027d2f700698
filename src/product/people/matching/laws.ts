// Invariants of matching that `verify` checks: each query gives the rows that break one.
import { law, type Proof } from '../../../core/proof.ts';
import { ERASED } from '../account/index.ts';

export const laws: readonly Proof[] = [
  law('found_under_their_own_hashes',
    'Every person is indexed under exactly the hashes of their own data.',
    `select coalesce(m.id, o.id)::text as what
      from (select workspace, id, unnest(keys) as key from match_person) o
      full join match_key m on m.workspace = o.workspace and m.id = o.id and m.key = o.key
      where m.id is null or o.id is null`),
  law('every_application_is_compared',
    'Everybody who submitted data is indexed, unless the comparison is still pending.',
    `select a.id::text as what from kyc_application a
      left join match_person m on m.workspace = a.workspace and m.id = a.account_id
      left join match_job j on j.workspace = a.workspace and j.application_id = a.id
      where a.sealed is not null and m.id is null and j.application_id is null`),
  law('everybody_is_counted_once',
    'Counts of what people have in common are of the persons who are stored, and none is empty.',
    `select coalesce(c.workspace, p.workspace)::text || ' ' || coalesce(c.key, 0) as what
      from (select workspace, key, n from match_count where key = 0 or n < 1) c
      full join (select workspace, count(*) as n from (
          select workspace from match_person where counted is not null
          union all select workspace from match_uncount) counted
        group by workspace) p on p.workspace = c.workspace
      where c.n is distinct from p.n`),
  law('erased_persons_match_nobody',
    'No matching data is left of an erased person once the erasure has finished.',
    `select p.id::text as what from account_person p
      where p.wrapped_key = '${ERASED}'
        and not exists (select from erasure_job j where j.workspace = p.workspace and j.id = p.id)
        and (exists (select from match_person m where m.workspace = p.workspace and m.id = p.id)
          or exists (select from match_check c
            where c.workspace = p.workspace and p.id in (c.account_id, c.matched_account_id)))`),
];
