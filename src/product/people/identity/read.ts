// Reads of identity states and applications, without sealed data.
import type { Queryable } from '../../../db/index.ts';
import type { KycApplicationRow, KycRow } from './tables.ts';

/** The identity state of an account; null for an unknown account. */
export async function kycOf(
  db: Queryable,
  workspace: number,
  accountUuid: string,
): Promise<KycRow | null> {
  const rows = await db.query<KycRow>({
    name: 'kyc_by_account',
    text: `select workspace, id, state, version, pii_level, requirements, requirements_before,
        application_id, data_on_file, follows_entity, followed, due, created, updated
      from kyc where workspace = $1 and id = $2`,
    values: [workspace, accountUuid],
  });
  return rows[0] ?? null;
}

/** An application of an account, without sealed data, or null. */
export async function applicationOf(
  db: Queryable,
  workspace: number,
  accountUuid: string,
  id: string,
): Promise<KycApplicationRow | null> {
  const rows = await db.query<KycApplicationRow>({
    name: 'kyc_application_of',
    text: `select workspace, id, account_id, form, state, initiator, data_source, form_id,
        vendor_reference, documents, rules, reasons, '[]' as watch_keys, null as ssn_key,
        null as sealed, null as sealed_note, created, updated
      from kyc_application where workspace = $1 and account_id = $2 and id = $3`,
    values: [workspace, accountUuid, id],
  });
  return rows[0] ?? null;
}
