// What the directories of links and refresh tokens say, which the database does not hold by a key.
import { law, type Proof } from '../../../core/proof.ts';

export const laws: readonly Proof[] = [
  law('access_is_of_an_account', 'Each link and each refresh token is of an account that exists.',
    `select t.what from (
        select workspace, account_id, 'link ' || id as what from link
        union all select workspace, account_id, 'family ' || family from refresh_token) t
      left join account a on a.workspace = t.workspace and a.id = t.account_id
      where a.id is null`),
];
