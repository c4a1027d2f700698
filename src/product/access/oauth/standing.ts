// Whether a person's token is still valid, read from the database for each request: a block, an
// erasure, a revoked consent and an ended session take effect before the next answer. Tokens of
// clients act for no person and are not checked here. [G-16, ID2]
import type { Queryable } from '../../../db/index.ts';
import { uuidOfWireId } from '../../../core/ids.ts';
import type { Caller } from '../../../core/operation.ts';
import type { AccessClaims } from './claims.ts';

/**
 * True while the account is open, the token is not revoked, and a stored consent covers its scopes:
 * for a session one that the person gave, for a user token also one that the tenant attests.
 */
export async function stillStands(
  db: Queryable,
  { workspace, kind, scopes }: Caller,
  { accountId, family, jti }: AccessClaims,
): Promise<boolean> {
  const standing = await db.query({
    name: 'oauth_still_stands',
    text: `select from account a where a.workspace = $1 and a.id = $2 and not a.blocked
        and not exists (select from revoked_token r
          where (r.kind, r.id) in (('family', $3), ('token', $4)))
        and ($5::text[] = '{}' or exists (select from consent c
          where c.workspace = $1 and c.account_id = $2 and c.revoked is null
            and c.scopes @> $5 and (c.given_by = 'person' or $6)))`,
    values: [workspace, uuidOfWireId('acct', accountId), family, jti, [...scopes], kind === 'user'],
  });
  return standing.length > 0;
}
