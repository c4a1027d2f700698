// Reads identity states and applications; opens the key of a person for one request.
import type { Queryable } from '../../db/index.ts';
import type { Keys } from '../../ports/keys.ts';
import { personKey } from '../account/index.ts';
import type { KycApplicationRow, KycRow } from './tables.ts';

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

/** An application of an account, without what is sealed, or null. */
export async function applicationOf(
  db: Queryable,
  world: number,
  accountUuid: string,
  id: string,
): Promise<KycApplicationRow | null> {
  const rows = await db.query<KycApplicationRow>({
    name: 'kyc_application_of',
    text: `select world, id, account_id, form, state, initiator, data_source, form_id,
        vendor_reference, documents, rules, reasons, '[]' as watch_keys, null as ssn_key,
        null as sealed, null as sealed_note, created, updated
      from kyc_application where world = $1 and account_id = $2 and id = $3`,
    values: [world, accountUuid, id],
  });
  return rows[0] ?? null;
}

/** The key that an account's personal data is sealed with; null where there is no account. */
export async function keyOf(
  db: Queryable,
  keys: Keys,
  world: number,
  accountUuid: string,
): Promise<Buffer | null> {
  const rows = await db.query<{ wrapped_key: string }>({
    name: 'kyc_person_key',
    text: 'select wrapped_key from account_person where world = $1 and id = $2',
    values: [world, accountUuid],
  });
  const [row] = rows;
  return row === undefined ? null : personKey(keys, world, accountUuid, row);
}
