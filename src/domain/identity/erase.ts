// What erasing a person does to applications: what was stated and every encoding of it goes, with
// the names of documents. States, results and dates stay: they are the history of decisions. [PD3]
import type { Decision, Want } from '../../engine/index.ts';
import { changeKyc, needKyc } from './change.ts';
import type { KycState } from './machine.ts';
import { applicationsOfAccount, kycApplicationTable, kycTable } from './tables.ts';

/** Names what the erasure of applications touches. */
export function needApplicationErasure(want: Want, account: string): void {
  needKyc(want, account);
  for (const { id } of want.find(applicationsOfAccount, account) ?? []) {
    want.lock(kycApplicationTable, id);
  }
}

/** Empties every application of an account; that it has no data from then on is told. [G-50] */
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
  const kyc = decision.get(kycTable, account);
  if (kyc === null || (kyc.pii_level === 'NONE' && !kyc.data_on_file)) return;
  changeKyc(decision, account, {
    on: 'erase',
    to: kyc.state as KycState,
    patch: { pii_level: 'NONE', data_on_file: false },
  });
}
