// Reads of identity states and applications, without sealed data.
import { prepared, readRow, type Queryable } from '../../../db/index.ts';
import { kycTable, type KycApplicationRow, type KycRow } from './tables.ts';

/** The identity state of an account; null for an unknown account. */
export function kycOf(db: Queryable, workspace: number, account: string): Promise<KycRow | null> {
  return readRow(db, kycTable, { workspace, id: account });
}

/** The check for which an account's person must go on at the vendor's page, or null. */
export async function checkAtVendor(
  db: Queryable,
  workspace: number,
  account: string,
): Promise<string | null> {
  const rows = await db.query<{ id: string }>(prepared('kyc_check_at_vendor')`
    select c.id from kyc k join identity_check c on c.workspace = k.workspace
      and c.application_id = k.application_id and c.state = 'waiting'
    where k.workspace = ${workspace} and k.id = ${account} and k.state = 'PROCESSING'`);
  return rows[0]?.id ?? null;
}

/** An application of an account, without sealed data, or null. */
export async function applicationOf(
  db: Queryable,
  workspace: number,
  accountUuid: string,
  id: string,
): Promise<KycApplicationRow | null> {
  const rows = await db.query<KycApplicationRow>(prepared('kyc_application_of')`
    select workspace, id, account_id, form, state, initiator, data_source, form_id,
      vendor_reference, documents, rules, reasons, '[]' as watch_keys, null as ssn_key,
      null as sealed, null as sealed_note, created, updated
    from kyc_application where workspace = ${workspace} and account_id = ${accountUuid}
      and id = ${id}`);
  return rows[0] ?? null;
}
