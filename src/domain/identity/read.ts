// Reads identity states.
import type { Queryable } from '../../db/index.ts';
import type { KycRow } from './tables.ts';

/** The identity state of an account, or null where the world has no such account. */
export async function kycOf(
  db: Queryable,
  world: number,
  accountUuid: string,
): Promise<KycRow | null> {
  const rows = await db.query<KycRow>({
    name: 'kyc_by_account',
    text: `select world, id, state, version, pii_level, requirements, requirements_before,
        application_id, data_on_file, due, created, updated
      from kyc where world = $1 and id = $2`,
    values: [world, accountUuid],
  });
  return rows[0] ?? null;
}
