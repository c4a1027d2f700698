// Reads the active secrets of endpoints: sealed for the sender, opened for a receiver that the
// sandbox hosts.
import type { Queryable } from '../../../db/index.ts';
import { openSecret, type SealedSecret } from './secret.ts';
import type { SealingServices } from './services.ts';

const SECRETS = `
  select s.workspace, s.endpoint_id, s.number, s.wrapped_key, s.sealed from webhook_secret s
  where s.workspace = any ($1::integer[]) and s.endpoint_id = any ($2::uuid[])
    and (s.expires is null or s.expires > now())
  order by s.number desc`;

/** Sealed secrets by `<workspace> <endpoint>`, the current one first. */
export async function activeSecrets(
  db: Queryable,
  endpoints: readonly { readonly workspace: number; readonly endpoint_id: string }[],
): Promise<Map<string, SealedSecret[]>> {
  const rows = await db.query<SealedSecret>({
    name: 'webhook_secrets',
    text: SECRETS,
    values: [
      [...new Set(endpoints.map((row) => row.workspace))],
      [...new Set(endpoints.map((row) => row.endpoint_id))],
    ],
  });
  return Map.groupBy(rows, (row) => `${row.workspace} ${row.endpoint_id}`);
}

/** The secrets of one endpoint in clear text, the current one first. */
export async function secretsInUse(
  db: Queryable,
  { keys }: Pick<SealingServices, 'keys'>,
  workspace: number,
  endpoint_id: string,
): Promise<readonly string[]> {
  const found = await activeSecrets(db, [{ workspace, endpoint_id }]);
  return Promise.all([...found.values()].flat().map((row) => openSecret(keys, row)));
}
