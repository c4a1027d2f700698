// Payout eligibility of an account, checked at the request and again when the money is sent, with
// the rows of account and identity locked: no payout leaves without an accepted identity. [G-38]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import { accountTable } from '../../people/account/index.ts';
import { kycTable } from '../../people/identity/index.ts';
import { refusals as no } from './refusals.ts';

/** Locks the rows that eligibility depends on. */
export function readEligibility(rows: ReadSet, account: string): void {
  const owner = rows.read(accountTable, account);
  const kyc = rows.read(kycTable, account);
  if (!owner || !kyc) return;
  rows.lock(accountTable, account);
  rows.lock(kycTable, account);
}

/** What made the account eligible, for the history: the version of the identity state. */
export interface EligibilitySeen {
  readonly kyc_version: number;
}

/** What made the account eligible, or the refusal where it is not. */
export function eligibilityOf(decision: Decision, account: string): EligibilitySeen | RefusalSpec {
  const owner = decision.get(accountTable, account);
  if (owner === null) return no.ACCOUNT_NOT_FOUND;
  if (owner.blocked) return no.ACCOUNT_BLOCKED;
  const kyc = decision.get(kycTable, account);
  if (kyc?.state !== 'ACCEPT') return no.PAYOUT_KYC_REQUIRED;
  if (kyc.requirements === 'TAX_UPDATE') return no.PAYOUT_TAX_UPDATE_REQUIRED;
  return { kyc_version: kyc.version };
}

/** As `gateOf`, but throws the Refusal. */
export function requireEligibility(decision: Decision, account: string): EligibilitySeen {
  const found = eligibilityOf(decision, account);
  if ('code' in found) throw refuse(found);
  return found;
}
