// The one way to change an account's identity state: the move, its latest application, the effect
// on money and the event, all in one decision. [G-38, G-51]
import { EngineFault, type Decision, type ReadSet } from '../../../engine/index.ts';
import { addSeconds } from '../../../core/time.ts';
import { events } from '../../events.ts';
import { requireCreditEligibility, setCreditEligibility } from '../credit-eligibility/index.ts';
import { matchesOfApplication, type ShownMatch } from '../matching/index.ts';
import { isAsked } from './application-record.ts';
import { warningOf } from './expiry.ts';
import { kycMachine, type KycEvent, type KycState } from './machine.ts';
import { kycStatus } from './schema.ts';
import {
  kycApplicationTable,
  kycMovedTable,
  kycTable,
  type KycApplicationRow,
  type KycRow,
} from './tables.ts';

/** Seconds that a person has to answer a question of compliance. [G-51] */
export const REVIEW_SECONDS = 30 * 86_400;

export interface KycChange {
  /** The event of the machine. */
  readonly on: KycEvent;
  readonly to: KycState;
  readonly patch?: Partial<KycRow>;
  /** With ACCEPT: the last valid day of the document; undefined: not stated. */
  readonly documentExpires?: string | undefined;
  /** Changes to the latest application; its state follows automatically. */
  readonly application?: Partial<KycApplicationRow>;
  /** For the history; nothing personal. */
  readonly detail?: object;
}

/**
 * Whether credits of such an account reach its wallets. A required update of tax data does not lift
 * what was required before: only ACCEPT releases restricted funds. [G-38]
 */
export function accruesIn(
  row: Pick<KycRow, 'state' | 'requirements' | 'requirements_before'>,
): boolean {
  const required = row.requirements_before ?? row.requirements;
  return required !== 'FULL_KYC' || row.state === 'ACCEPT';
}

/** Locks what a change of this account's state touches. */
export function needKyc(rows: ReadSet, account: string): void {
  const row = rows.read(kycTable, account);
  if (!row) return;
  rows.lock(kycTable, account);
  if (row.application_id !== null) {
    rows.lock(kycApplicationTable, row.application_id);
    rows.find(matchesOfApplication, row.application_id);
  }
  requireCreditEligibility(rows, account);
}

/** Makes a change; gives the row after it. */
export function changeKyc(decision: Decision, account: string, change: KycChange): KycRow {
  const before = decision.get(kycTable, account);
  if (before === null) throw new EngineFault('an identity state that changes is absent');
  const { on, to, detail } = change;
  const onFile = change.patch?.data_on_file ?? before.data_on_file;
  const patch = {
    pii_level: isEmptied(decision, before) ? 'NONE' : piiLevelIn(to, onFile),
    ...clockAfter(decision, before, change),
    ...change.patch,
  };
  const version = decision.move(kycMachine, kycTable, account, on, to, patch, detail);
  const after = decision.get(kycTable, account) ?? before;
  if (after.application_id !== null) {
    const updated = decision.now;
    const latest = { ...change.application, state: to, updated };
    decision.update(kycApplicationTable, after.application_id, latest);
  }
  setCreditEligibility(decision, account, accruesIn(after), version);
  const message = kycStatus(after, matchesAfter(decision, before, after));
  decision.announce(events.kycChanged, account, version, message);
  if (after.followed) {
    decision.insert(kycMovedTable, { workspace: decision.workspace, account_id: account, version });
  }
  return after;
}

/** True where the latest application was the person's, and is erased. [G-50] */
function isEmptied(decision: Decision, { application_id: id }: KycRow): boolean {
  const latest = id === null ? null : decision.get(kycApplicationTable, id);
  return latest?.initiator === 'user' && latest.sealed === null;
}

/**
 * Matches of the latest application. One that was just made is not compared yet, and nothing is
 * shown of an erased one. [G-53]
 */
function matchesAfter(decision: Decision, before: KycRow, after: KycRow): readonly ShownMatch[] {
  const { application_id: id } = after;
  if (id === null || id !== before.application_id || isEmptied(decision, after)) return [];
  return decision.find(matchesOfApplication, id);
}

/** FULL only when accepted, BASIC with data on file; the staging setter can override. [G-51] */
export function piiLevelIn(state: string, onFile: boolean): KycRow['pii_level'] {
  if (state === 'ACCEPT') return 'FULL';
  return onFile ? 'BASIC' : 'NONE';
}

/**
 * When the clock acts next, and the document's last day; both end with the state. A review waits
 * for its person only where something was asked, and else for operators, however long.
 */
function clockAfter(
  decision: Decision,
  before: KycRow,
  { on, to, documentExpires: day, patch, application }: KycChange,
): Pick<KycRow, 'due' | 'document_expires'> {
  const { due, document_expires } = before;
  const stays = before.state === to;
  if (to === 'MANUAL_REVIEW') {
    const id = patch?.application_id ?? before.application_id;
    const latest = id === null ? null : decision.get(kycApplicationTable, id);
    const asked = isAsked(latest === null ? null : { ...latest, ...application });
    const limit = asked ? addSeconds(decision.now, REVIEW_SECONDS) : null;
    return { due: stays ? due : limit, document_expires: null };
  }
  if (to !== 'ACCEPT' || on === 'erase') return { due: null, document_expires: null };
  if (day !== undefined) return { due: warningOf(day), document_expires: day };
  return stays ? { due, document_expires } : { due: null, document_expires: null };
}

/** Inserts an application: by default one of compliance, without personal data. [G-50] */
export function beginApplication(
  decision: Decision,
  account: string,
  stated: Partial<KycApplicationRow> & Pick<KycApplicationRow, 'id'>,
): KycApplicationRow {
  const { workspace, now } = decision;
  const row: KycApplicationRow = {
    workspace,
    account_id: account,
    form: '',
    state: 'NODATA',
    initiator: 'compliance',
    data_source: 'compliance',
    form_id: '',
    vendor_reference: '',
    documents: '{}',
    rules: '[]',
    reasons: '[]',
    watch_keys: '[]',
    ssn_key: null,
    sealed: null,
    sealed_note: null,
    created: now,
    updated: now,
    ...stated,
  };
  decision.insert(kycApplicationTable, row);
  return row;
}
