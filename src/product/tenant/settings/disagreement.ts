// What a tenant wants to become of disagreements about escrows. [G-96]
import { prepared, sql, type Queryable } from '../../../db/index.ts';
import { changeSettings } from './store.ts';

/** What becomes of disagreements that are opened. [G-96] */
export interface DisagreementPolicy {
  readonly days: number;
  /** What happens then; `none`: it stays frozen for a person. */
  readonly outcome: (typeof DISAGREEMENT_OUTCOMES)[number];
}

export const DISAGREEMENT_OUTCOMES = ['buyer', 'sellers', 'none'] as const;
const NO_DISAGREEMENT_POLICY: DisagreementPolicy = { days: 14, outcome: 'none' };

/** The policy for disagreements that are opened from now on. */
export async function disagreementPolicy(
  db: Queryable,
  workspace: number,
): Promise<DisagreementPolicy> {
  const [row] = await db.query<DisagreementPolicy>(prepared('disagreement_policy')`
    select disagreement_days as days, disagreement_outcome as outcome
    from tenant_setting where workspace = ${workspace}`);
  return row ?? NO_DISAGREEMENT_POLICY;
}

/** Sets the policy; gives the number of changes of the settings so far. */
export async function setDisagreementPolicy(
  tx: Queryable,
  workspace: number,
  { days, outcome }: DisagreementPolicy,
): Promise<number> {
  const version = await changeSettings(tx, workspace, {});
  await tx.query(sql`
    update tenant_setting set disagreement_days = ${days}, disagreement_outcome = ${outcome}
    where workspace = ${workspace}`);
  return version;
}
