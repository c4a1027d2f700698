// Decisions on the identity state that carry no personal data: creation, the staging setter,
// re-verification by compliance, and the clock. Submissions are in submit.ts.
import type { Command, Decision } from '../../../engine/index.ts';
import { accountId, wireId } from '../../../core/ids.ts';
import { refuse } from '../../../core/refusal.ts';
import { applicationTime } from '../../../core/time.ts';
import { events } from '../../events.ts';
import { accountNotFoundInBody, refusals as ofAccount } from '../account/index.ts';
import { isAsked } from './application-record.ts';
import { beginApplication, changeKyc, needKyc, piiLevelIn } from './change.ts';
import { expiryOf } from './expiry.ts';
import { kycMachine } from './machine.ts';
import { refusals } from './refusals.ts';
import { kycStatus, type ExpiringMessage, type SetterBody } from './schema.ts';
import { kycApplicationTable, kycTable, type KycApplicationRow, type KycRow } from './tables.ts';

const DONE = { status: 200, payload: undefined } as const;

/** Creates the identity state of a new account: no data, nothing required. [G-38, G-50] */
export function registerKyc(decision: Decision, accountUuid: string): KycRow {
  const { workspace, now } = decision;
  const row: KycRow = {
    workspace,
    id: accountUuid,
    state: 'NODATA',
    version: 1,
    pii_level: 'NONE',
    requirements: 'NONE',
    requirements_before: null,
    application_id: null,
    data_on_file: false,
    follows_entity: false,
    followed: false,
    due: null,
    document_expires: null,
    created: now,
    updated: now,
  };
  decision.create(kycMachine, kycTable, 'register', row);
  return row;
}

/** The request of the staging setter. */
export interface SetInput extends SetterBody {
  readonly account: string;
  /** The id of an application, for an account that has none. */
  readonly fresh_application_id: string;
}

function piiLevelAfter(input: SetInput, before: KycRow): KycRow['pii_level'] {
  if (input.pii_level === 'BASIC' || input.pii_level === 'FULL') return input.pii_level;
  return piiLevelIn(input.state, before.data_on_file);
}

/** What was required before a tax update; it is required again once that is done. [G-38] */
function requiredBefore(
  before: KycRow,
  requirements: string,
): KycRow['requirements_before'] {
  if (requirements !== 'TAX_UPDATE') return null;
  return before.requirements === 'TAX_UPDATE' ? before.requirements_before : before.requirements;
}

/**
 * Sets state, level and requirements of an account; staging only. Setting the same values again
 * changes and announces nothing. [seed: KYC state, G-51]
 */
export const setKycState: Command<SetInput> = {
  name: 'set_kyc_state',
  load: (rows, { account }) => needKyc(rows, account),
  decide(decision, input) {
    const id = input.account;
    const before = decision.get(kycTable, id);
    if (before === null) throw refuse(accountNotFoundInBody);
    const pii_level = piiLevelAfter(input, before);
    const requirements = input.kyc_requirements || before.requirements;
    const documentExpires = input.state === 'ACCEPT' ? input.document_expires : undefined;
    const same =
      before.state === input.state &&
      before.pii_level === pii_level &&
      before.requirements === requirements &&
      (documentExpires ?? before.document_expires) === before.document_expires;
    if (same) return DONE;
    const application_id = before.application_id ?? input.fresh_application_id;
    const isFirst = before.application_id === null;
    if (isFirst) beginApplication(decision, id, { id: application_id });
    const requirements_before = requiredBefore(before, requirements);
    const initiator = isFirst ? { initiator: 'compliance' } : {};
    changeKyc(decision, id, {
      on: 'set',
      to: input.state,
      documentExpires,
      patch: { pii_level, requirements, requirements_before, application_id },
      detail: { pii_level, requirements, ...initiator },
    });
    return DONE;
  },
};

/** A re-verification of an accepted person by compliance. */
export interface RecheckInput {
  readonly account: string;
  readonly fresh_application_id: string;
  /** Sealed with the person's key. */
  readonly sealed_note: string | null;
}

/** Moves an accepted identity to REVERIFY; the person must submit again. [G-51] */
export const recheckKyc: Command<RecheckInput> = {
  name: 'recheck_kyc',
  load: (rows, { account }) => needKyc(rows, account),
  decide(decision, { account, fresh_application_id, sealed_note }) {
    const after = requireAgain(decision, account, fresh_application_id, sealed_note);
    return { status: 200, payload: kycStatus(after, []) };
  },
};

/** Moves an accepted identity to REVERIFY, with an application begun by compliance. [G-51] */
export function requireAgain(
  decision: Decision,
  account: string,
  fresh_application_id: string,
  sealed_note: string | null,
): KycRow {
  const before = decision.get(kycTable, account);
  if (before === null) throw refuse(ofAccount.ACCOUNT_NOT_FOUND);
  if (before.follows_entity) throw refuse(refusals.KYC_FOLLOWS_ENTITY);
  if (before.state !== 'ACCEPT') throw refuse(refusals.KYC_NOT_ACCEPTED);
  beginApplication(decision, account, { id: fresh_application_id, sealed_note });
  return changeKyc(decision, account, {
    on: 'require_again',
    to: 'REVERIFY',
    patch: { application_id: fresh_application_id },
    detail: { application_id: fresh_application_id, initiator: 'compliance' },
  });
}

/** The clock's command: ends a review without an answer, or acts on an expiring document. [G-51] */
export const advanceIdentity: Command<{ readonly account: string }> = {
  name: 'advance_identity',
  load: (rows, { account }) => needKyc(rows, account),
  decide(decision, { account }) {
    const row = decision.get(kycTable, account);
    if (row === null || row.due === null || row.due > decision.now) return DONE;
    if (row.state === 'ACCEPT') documentDue(decision, row);
    else if (isAsked(latestOf(decision, row))) {
      changeKyc(decision, account, { on: 'lapse', to: 'CANCEL' });
    } else decision.update(kycTable, account, { due: null });
    return DONE;
  },
};

function latestOf(decision: Decision, { application_id: id }: KycRow): KycApplicationRow | null {
  return id === null ? null : decision.get(kycApplicationTable, id);
}

/** Warns, or requires a new document; the row is accepted, locked and due. */
function documentDue(decision: Decision, row: KycRow): void {
  const { id, due, document_expires: day, application_id } = row;
  if (day === null || due === null) return;
  const expiry = expiryOf(day);
  if (due >= expiry) {
    const application = { reasons: JSON.stringify(['DOCUMENT_EXPIRED']) };
    changeKyc(decision, id, { on: 'expire', to: 'REVERIFY', application });
    return;
  }
  const version = decision.move(kycMachine, kycTable, id, 'warn', 'ACCEPT', { due: expiry });
  const message: ExpiringMessage = {
    account_id: accountId(id),
    kyc_id: application_id === null ? '' : wireId('kyc', application_id),
    state: 'ACCEPT',
    reverify_at: applicationTime(expiry),
  };
  decision.announce(events.documentExpiring, id, version, message);
}
