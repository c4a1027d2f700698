// The invariant of merged accounts that `verify` checks: the query gives the rows that break it.
import { law, type Proof } from '../../../core/proof.ts';
import { MERGED } from '../account/index.ts';

export const laws: readonly Proof[] = [
  law('merged_accounts_are_closed',
    'Exactly the merged accounts have a merge block, and they stay blocked.',
    `select coalesce(a.id, b.account_id)::text as what
      from (select workspace, id, blocked from account where merged_to is not null) a
      full join (select workspace, account_id from account_block
        where capability = '${MERGED}' and state = 'ACTIVE') b
        on b.workspace = a.workspace and b.account_id = a.id
      where a.blocked is distinct from true or b.account_id is null`),
];
