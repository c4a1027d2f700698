// Decisions on the identity state. Answers for the state, what it does to money in the same
// commit, and the event; refuses to know documents and vendors.
import type { Command, Decision } from '../../engine/index.ts';
import { refuse } from '../../kernel/refusal.ts';
import { accountNotFoundInBody } from '../account/index.ts';
import { needAccrual, setAccrual } from '../accrual/index.ts';
import { kycChanged } from './events.ts';
import { kycMachine } from './machine.ts';
import { kycStatus, type SetterBody } from './schema.ts';
import { kycTable, type KycRow } from './tables.ts';

/** Whether credits of such an account reach its wallets. [G-38] */
export function accruesIn(row: Pick<KycRow, 'state' | 'requirements'>): boolean {
  return row.requirements !== 'FULL_KYC' || row.state === 'ACCEPT';
}

/** Makes the identity state of a new account: no data, nothing required. [G-38, G-50] */
export function registerKyc(decision: Decision, accountUuid: string): KycRow {
  const { world, now } = decision;
  const row: KycRow = {
    world,
    id: accountUuid,
    state: 'NODATA',
    version: 1,
    pii_level: 'NONE',
    requirements: 'NONE',
    application_id: null,
    created: now,
    updated: now,
  };
  decision.birth(kycMachine, kycTable, 'register', row);
  return row;
}

/** What the staging setter asks for. */
export interface SetInput extends SetterBody {
  readonly account: string;
  /** Id of an application, if the account has none. */
  readonly fresh_application_id: string;
}

function piiLevelAfter(input: SetInput): string {
  if (input.pii_level === 'BASIC' || input.pii_level === 'FULL') return input.pii_level;
  // Recomputed: no application carries data of a person yet, so there is no BASIC. [G-51]
  return input.state === 'ACCEPT' ? 'FULL' : 'NONE';
}

/**
 * Sets state, level and requirements of an account; staging only. The same values again change
 * nothing and announce nothing. [seed: KYC state, G-51]
 */
export const setKycState: Command<SetInput> = {
  name: 'set_kyc_state',
  batchable: false,
  needs(want, { account }) {
    const row = want.read(kycTable, account);
    if (!row) return;
    want.lock(kycTable, account);
    needAccrual(want, account);
  },
  decide(decision, input) {
    const before = decision.get(kycTable, input.account);
    if (before === null) throw refuse(accountNotFoundInBody);
    const pii_level = piiLevelAfter(input);
    const requirements = input.kyc_requirements || before.requirements;
    const same =
      before.state === input.state &&
      before.pii_level === pii_level &&
      before.requirements === requirements;
    if (same) return { status: 200, payload: undefined };
    const application_id = before.application_id ?? input.fresh_application_id;
    const detail = {
      pii_level,
      requirements,
      ...(before.application_id === null ? { initiator: 'compliance' } : {}),
    };
    const patch = { pii_level, requirements, application_id };
    const id = input.account;
    const version = decision.move(kycMachine, kycTable, id, 'set', input.state, patch, detail);
    const after = decision.get(kycTable, id) ?? before;
    setAccrual(decision, id, accruesIn(after), version);
    const message = kycStatus(after);
    decision.announce({ name: kycChanged.name, resource_id: id, version, message });
    return { status: 200, payload: undefined };
  },
};
