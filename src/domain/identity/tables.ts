// The head row of an account's identity state; its history is in step. [G-50, G-51]
import { defineTable, type IdRow } from '../../engine/index.ts';
import type { Instant } from '../../kernel/time.ts';

/** Identity state of an account; its id is the account's. */
export interface KycRow extends IdRow {
  readonly state: string;
  readonly version: number;
  readonly pii_level: string;
  readonly requirements: string;
  /** Id of the latest application; null until there is one. */
  readonly application_id: string | null;
  readonly created: Instant;
  readonly updated: Instant;
}

export const kycTable = defineTable<KycRow>({
  name: 'kyc',
  rank: 20,
  versioned: true,
  columns: {
    world: 'int4',
    id: 'uuid',
    state: 'text',
    version: 'int4',
    pii_level: 'text',
    requirements: 'text',
    application_id: 'uuid',
    created: 'timestamptz',
    updated: 'timestamptz',
  },
});
