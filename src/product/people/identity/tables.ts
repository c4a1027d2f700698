// Rows of identity: the state of each account, its applications, their checks at the vendor.
// History is in `step`; the table of documents is outside of the engine. [G-50, G-51, G-52]
import { defineTable, type IdRow, type Index, type WorkspaceRow } from '../../../engine/index.ts';
import type { Instant } from '../../../core/time.ts';
import type { CheckState, KycState } from './machine.ts';

/** The identity state of an account; its id is the account's. */
export interface KycRow extends IdRow {
  readonly state: KycState;
  readonly version: number;
  readonly pii_level: string;
  readonly requirements: string;
  /** What was required before TAX_UPDATE; null while that is not required. [G-38] */
  readonly requirements_before: string | null;
  /** Id of the latest application; null until there is one. */
  readonly application_id: string | null;
  /** True once the person has submitted data. */
  readonly data_on_file: boolean;
  /** True once the state follows a verified business of the account. [G-55] */
  readonly follows_entity: boolean;
  /** True where a business waits for this identity: each move writes a row to kyc_moved. */
  readonly followed: boolean;
  /** When the clock acts, by the workspace's clock; null: never. */
  readonly due: Instant | null;
  readonly created: Instant;
  readonly updated: Instant;
}

export const kycTable = defineTable<KycRow>({
  name: 'kyc',
  rank: 20,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    state: 'text',
    version: 'int4',
    pii_level: 'text',
    requirements: 'text',
    requirements_before: 'text',
    application_id: 'uuid',
    data_on_file: 'bool',
    follows_entity: 'bool',
    followed: 'bool',
    due: 'timestamptz',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});

/** A move of a followed identity, until it is acknowledged. */
export interface KycMovedRow extends WorkspaceRow {
  readonly account_id: string;
  readonly version: number;
}

export const kycMovedTable = defineTable<KycMovedRow>({
  name: 'kyc_moved',
  rank: 0,
  columns: { workspace: 'int4', account_id: 'uuid', version: 'int4' },
});

/** An application. It changes only under the lock of its account's identity state. */
export interface KycApplicationRow extends IdRow {
  readonly account_id: string;
  /** '' for an application begun by compliance. */
  readonly form: 'full' | 'tax' | '';
  readonly state: KycState;
  readonly initiator: 'user' | 'compliance';
  readonly data_source: string;
  readonly form_id: string;
  readonly vendor_reference: string;
  /** JSON of `DocumentIds`. */
  readonly documents: string;
  /** JSON: texts `<rule>:<digit>`. */
  readonly rules: string;
  /** JSON: codes of reasons. */
  readonly reasons: string;
  /** JSON: keyed encodings of name and birth date. */
  readonly watch_keys: string;
  readonly ssn_key: string | null;
  readonly sealed: string | null;
  readonly sealed_note: string | null;
  readonly created: Instant;
  readonly updated: Instant;
}

export const kycApplicationTable = defineTable<KycApplicationRow>({
  name: 'kyc_application',
  rank: 21,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    account_id: 'uuid',
    form: 'text',
    state: 'text',
    initiator: 'text',
    data_source: 'text',
    form_id: 'text',
    vendor_reference: 'text',
    documents: 'json',
    rules: 'json',
    reasons: 'json',
    watch_keys: 'json',
    ssn_key: 'text',
    sealed: 'text',
    sealed_note: 'text',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});

export const applicationsOfAccount: Index<KycApplicationRow> = {
  table: kycApplicationTable,
  column: 'account_id',
};

/** A check at the vendor; its id is our key there. */
export interface IdentityCheckRow extends IdRow {
  readonly application_id: string;
  readonly account_id: string;
  readonly purpose: 'kyc';
  readonly state: CheckState;
  readonly version: number;
  /** What the vendor decided first; null until then. */
  readonly outcome: string | null;
  readonly vendor_reference: string;
  readonly updated: Instant;
}

export const identityCheckTable = defineTable<IdentityCheckRow>({
  name: 'identity_check',
  rank: 22,
  versioned: true,
  columns: {
    workspace: 'int4',
    id: 'uuid',
    application_id: 'uuid',
    account_id: 'uuid',
    purpose: 'text',
    state: 'text',
    version: 'int4',
    outcome: 'text',
    vendor_reference: 'text',
    updated: 'timestamptz',
  },
});

/** The columns of a job that a decision writes. */
export interface IdentityJobRow extends WorkspaceRow {
  readonly check_id: string;
}

export const identityJobTable = defineTable<IdentityJobRow>({
  name: 'identity_job',
  rank: 0,
  columns: { workspace: 'int4', check_id: 'uuid' },
});

/** A person on the watch-list, as a keyed encoding. */
export interface WatchedRow extends IdRow {
  readonly key: string;
}

const watchListTable = defineTable<WatchedRow>({
  name: 'watch_list',
  rank: 0,
  columns: { workspace: 'int4', id: 'uuid', key: 'text' },
});

export const watchedByKey: Index<WatchedRow> = { table: watchListTable, column: 'key' };
