// Rows of identity: the state of each account, its applications, their checks at the vendor.
// History is in `step`; the table of documents is outside of the engine. [G-50, G-51, G-52]
import { indexBy, stateTable, tableOf, type RowOf } from '../../../core/table.ts';
import { checkMachine, kycMachine } from './machine.ts';

export const PII_LEVELS = ['NONE', 'BASIC', 'FULL'] as const;
export const REQUIREMENTS = ['NONE', 'FULL_KYC', 'TAX_UPDATE'] as const;

/** The identity state of an account; its id is the account's. */
export const kycTable = stateTable('kyc', 20, kycMachine.states, {
  pii_level: PII_LEVELS,
  requirements: REQUIREMENTS,
  /** What was required before TAX_UPDATE; null while that is not required. [G-38] */
  requirements_before: ['NONE', 'FULL_KYC', null],
  /** Id of the latest application; null until there is one. */
  application_id: 'uuid?',
  /** True once the person has submitted data. */
  data_on_file: 'bool',
  /** True once the state follows a verified business of the account. [G-55] */
  follows_entity: 'bool',
  /** True where a business waits for this identity: each move writes a row to kyc_moved. */
  followed: 'bool',
  /** When the clock acts, by the workspace's clock; null: never. */
  due: 'timestamptz?',
  /** Last valid day of the accepted document, `YYYY-MM-DD`; null: not known, or not accepted. */
  document_expires: 'text?',
  created: 'timestamptz',
});
export type KycRow = RowOf<typeof kycTable>;

/** A move of a followed identity, until it is acknowledged. */
export const kycMovedTable = tableOf('kyc_moved', 0, { account_id: 'uuid', version: 'int4' });

/** An application. It changes only under the lock of its account's identity state. */
export const kycApplicationTable = tableOf('kyc_application', 21, {
  id: 'uuid',
  account_id: 'uuid',
  /** '' for an application begun by compliance. */
  form: ['full', 'tax', ''],
  state: kycMachine.states,
  initiator: ['user', 'compliance'],
  data_source: 'text',
  form_id: 'text',
  vendor_reference: 'text',
  /** JSON of `DocumentIds`. */
  documents: 'json',
  /** JSON: texts `<rule>:<digit>`. */
  rules: 'json',
  /** JSON: codes of reasons. */
  reasons: 'json',
  /** JSON: keyed encodings of name and birth date. */
  watch_keys: 'json',
  ssn_key: 'text?',
  sealed: 'text?',
  sealed_note: 'text?',
  created: 'timestamptz',
  updated: 'timestamptz',
});
export type KycApplicationRow = RowOf<typeof kycApplicationTable>;

export const applicationsOfAccount = indexBy(kycApplicationTable, 'account_id');

/** A check at the vendor; its id is our key there. */
export const identityCheckTable = stateTable('identity_check', 22, checkMachine.states, {
  application_id: 'uuid',
  account_id: 'uuid',
  purpose: ['kyc'],
  /** What the vendor decided first; null until then. */
  outcome: ['accepted', 'denied', 'review', 'incomplete', null],
  vendor_reference: 'text',
});
export type IdentityCheckRow = RowOf<typeof identityCheckTable>;

/** The columns of a job that a decision writes. */
export const identityJobTable = tableOf('identity_job', 0, { check_id: 'uuid' });

/** A person on the watch-list, as a keyed encoding. */
const watchListTable = tableOf('watch_list', 0, { id: 'uuid', key: 'text' });

export const watchedByKey = indexBy(watchListTable, 'key');
