// What erasing a person does to their applications: everything stated, its encodings and the names
// of documents are erased. States, results and dates stay as the history of decisions. [PD3]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import { hitsOfAccount, hitTable } from '../screening/index.ts';
import { changeKyc, needKyc } from './change.ts';
import { applicationsOfAccount, kycApplicationTable, kycTable } from './tables.ts';

/** Locks what the erasure of applications touches. */
export function needApplicationErasure(rows: ReadSet, account: string): void {
  needKyc(rows, account);
  for (const { id } of rows.find(applicationsOfAccount, account)) {
    rows.lock(kycApplicationTable, id);
  }
  for (const { id } of rows.find(hitsOfAccount, account)) rows.lock(hitTable, id);
}

/** Empties every application of an account, and announces that it has no data now. [G-50] */
export function eraseApplications(decision: Decision, account: string): void {
  for (const { id } of decision.find(applicationsOfAccount, account)) {
    decision.update(kycApplicationTable, id, {
      sealed: null,
      sealed_note: null,
      documents: '{}',
      watch_keys: '[]',
      ssn_key: null,
    });
  }
  for (const { id } of decision.find(hitsOfAccount, account)) {
    decision.update(hitTable, id, { listed: '{}' });
  }
  const kyc = decision.get(kycTable, account);
  if (kyc === null || (kyc.pii_level === 'NONE' && !kyc.data_on_file)) return;
  changeKyc(decision, account, {
    on: 'erase',
    to: kyc.state,
    patch: { pii_level: 'NONE', data_on_file: false },
  });
}
