// Whether an account may be paid out to: asked at the request and again when the money is sent, in
// the decision itself, with the rows of account and identity under lock. Answers for no payout
// leaving anybody who is not accepted; refuses to know money. [G-38]
import type { Decision, Want } from '../../engine/index.ts';
import { refuse, type RefusalSpec } from '../../kernel/refusal.ts';
import { accountTable } from '../account/index.ts';
import { kycTable } from '../identity/index.ts';
import { refusals as no } from './refusals.ts';

/** Names what the gate looks at, under lock. */
export function wantGate(want: Want, account: string): void {
  const owner = want.read(accountTable, account);
  const kyc = want.read(kycTable, account);
  if (!owner || !kyc) return;
  want.lock(accountTable, account);
  want.lock(kycTable, account);
}

/** How the gate was found open, for the history: the version of the identity state. */
export interface GateSeen {
  readonly kyc_version: number;
}

/** What the gate says: how it was seen open, or why it is closed. */
export function gateOf(decision: Decision, account: string): GateSeen | RefusalSpec {
  const owner = decision.get(accountTable, account);
  if (owner === null) return no.ACCOUNT_NOT_FOUND;
  if (owner.blocked) return no.ACCOUNT_BLOCKED;
  const kyc = decision.get(kycTable, account);
  if (kyc?.state !== 'ACCEPT') return no.PAYOUT_KYC_REQUIRED;
  if (kyc.requirements === 'TAX_UPDATE') return no.PAYOUT_TAX_UPDATE_REQUIRED;
  return { kyc_version: kyc.version };
}

/** Refuses what the gate is closed to. */
export function passGate(decision: Decision, account: string): GateSeen {
  const found = gateOf(decision, account);
  if ('code' in found) throw refuse(found);
  return found;
}
