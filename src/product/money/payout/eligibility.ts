// Payout eligibility of an account, checked at the request and again when the money is sent, with
// the rows of account and identity locked: no payout leaves without an accepted identity. [G-38]
import type { ReadSet } from '../../../engine/index.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import { accountTable } from '../../people/account/index.ts';
import { kycTable } from '../../people/identity/index.ts';
import type { PaymentMethodRow } from '../wallet/index.ts';
import { refusals as no } from './refusals.ts';

/** Locks the rows that eligibility depends on. */
export function loadEligibility(rows: ReadSet, account: string) {
  const owner = rows.read(accountTable, account);
  const kyc = rows.read(kycTable, account);
  if (owner !== null && kyc !== null) {
    rows.lock(accountTable, account);
    rows.lock(kycTable, account);
  }
  return { owner, kyc };
}

type Person = ReturnType<typeof loadEligibility>;

/** What made the account eligible, for the history: the version of the identity state. */
export interface EligibilitySeen {
  readonly kyc_version: number;
}

/**
 * What made the account eligible for a payout to the destination, or the refusal where it is not.
 */
export function eligibilityOf(
  { owner, kyc }: Person,
  destination: Pick<PaymentMethodRow, 'provider' | 'pm_state'> | null,
): EligibilitySeen | RefusalSpec {
  if (owner === null) return no.ACCOUNT_NOT_FOUND;
  if (owner.blocked) return no.ACCOUNT_BLOCKED;
  // What is due at the processor comes first: it may lead to the identity, too.
  if (destination?.provider === 'payee' && destination.pm_state === 'UNVERIFIED') {
    return no.PAYOUT_REQUIREMENTS_DUE;
  }
  if (kyc?.state !== 'ACCEPT') return no.PAYOUT_KYC_REQUIRED;
  if (kyc.requirements === 'TAX_UPDATE') return no.PAYOUT_TAX_UPDATE_REQUIRED;
  return { kyc_version: kyc.version };
}

/** As `eligibilityOf`, but throws the Refusal. */
export function requireEligibility(
  ...of: Parameters<typeof eligibilityOf>
): EligibilitySeen {
  const found = eligibilityOf(...of);
  if ('code' in found) throw refuse(found);
  return found;
}
