// Users' tokens for tests without a link: signed as the platform does, with the recorded consent
// that a session's person gives.
import type { Database } from '../../src/db/index.ts';
import type { Grant, Tokens } from '../../src/product/access/oauth/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { uuidOfWireId } from '../../src/core/ids.ts';

/** Puts a person's agreement to the scopes on record; again is no change. */
export async function putConsent(
  db: Pick<Database, 'execute'>,
  clientId: string,
  accountId: string,
  scopes: readonly string[],
): Promise<void> {
  if (scopes.length === 0) return;
  const account = uuidOfWireId('acct', accountId);
  await db.execute({
    text: `insert into consent (workspace, id, account_id, client_id, scopes, given_by, given)
      select workspace, $1, $2, client_id, $4, 'person', clock_timestamp()
      from client where client_id = $3 on conflict do nothing`,
    values: [systemRandom.uuid(), account, clientId, [...new Set(scopes)].toSorted()],
  });
}

/** A token of a session, or of a user. */
export async function personToken(
  { db, tokens }: { readonly db: Pick<Database, 'execute'>; readonly tokens: Tokens },
  grant: Grant & { readonly kind: 'session' | 'user'; readonly accountId: string },
): Promise<string> {
  await putConsent(db, grant.client.clientId, grant.accountId, grant.scopes);
  return (await tokens.issue(grant)).token;
}
