// The command that takes a submission: it checks that the state allows it, and creates application,
// check and job in the transaction of the move. Personal data comes sealed. [G-51]
import type { Command, Decision } from '../../../engine/index.ts';
import { refuse, type RefusalSpec } from '../../../core/refusal.ts';
import {
  accountNotFoundInBody,
  accountTable,
  refusals as ofAccount,
} from '../account/index.ts';
import { isAsked, renderApplication } from './application-record.ts';
import { beginApplication, changeKyc, needKyc } from './change.ts';
import { checkMachine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import {
  identityCheckTable,
  identityJobTable,
  kycApplicationTable,
  kycTable,
  type KycApplicationRow,
  type KycRow,
} from './tables.ts';

export interface SubmitInput {
  readonly account: string;
  /** The tenant's wire id, for the answer. */
  readonly integrator: string;
  /** The latest application when the submission was read. */
  readonly previous: string | null;
  /** Its state and reasons, where something of it is kept; null: nothing is. */
  readonly basis: { readonly state: string; readonly reasons: string | null } | null;
  readonly application: Pick<
    KycApplicationRow,
    'id' | 'form_id' | 'documents' | 'rules' | 'watch_keys' | 'ssn_key' | 'sealed'
  > & { readonly form: 'full' | 'tax' };
  /** Key of the check at the vendor; unused for a tax form, which has no check. */
  readonly checkId: string;
}

/** Why a submission is not accepted in this state; null when it is. [G-38, G-51, G-55] */
export function refusalOf(
  form: 'full' | 'tax',
  standing: Pick<KycRow, 'state' | 'requirements' | 'follows_entity'>,
  asked: boolean,
): RefusalSpec | null {
  const { state, requirements, follows_entity } = standing;
  if (follows_entity) return no.KYC_FOLLOWS_ENTITY;
  const reviewed = state === 'MANUAL_REVIEW' && (form === 'tax' || !asked);
  if (state === 'PROCESSING' || reviewed) return no.KYC_IN_PROGRESS;
  if (form === 'tax' && (state === 'NODATA' || requirements === 'TAX_UPDATE')) return null;
  if (state === 'ACCEPT') return no.KYC_ALREADY_ACCEPTED;
  return form === 'tax' ? no.KYC_TAX_FORM_NOT_DUE : null;
}

export const submitKyc: Command<SubmitInput> = {
  name: 'submit_kyc',
  load(rows, { account }) {
    rows.lock(accountTable, account);
    needKyc(rows, account);
  },
  decide(decision, input) {
    const { account, application, integrator } = input;
    const owner = decision.get(accountTable, account);
    const kyc = decision.get(kycTable, account);
    if (owner === null || kyc === null) throw refuse(accountNotFoundInBody);
    if (owner.blocked) throw refuse(ofAccount.ACCOUNT_BLOCKED);
    const latestId = kyc.application_id;
    const latest = latestId === null ? null : decision.get(kycApplicationTable, latestId);
    const spec = refusalOf(application.form, kyc, isAsked(latest));
    if (spec !== null) throw refuse(spec);
    if (latestId !== input.previous || isOvertaken(input, kyc, latest)) {
      throw refuse(no.KYC_CHANGED_MEANWHILE, {}, 1);
    }
    const full = application.form === 'full';
    const afterTaxForm = kyc.state === 'NODATA' ? 'NONE' : kyc.state;
    const state = full ? 'PROCESSING' : afterTaxForm;
    const by = { state, initiator: 'user', data_source: 'api' } as const;
    const row = beginApplication(decision, account, { ...application, ...by });
    if (full) beginCheck(decision, input);
    changeKyc(decision, account, {
      on: full ? 'submit' : 'submit_tax_form',
      to: row.state,
      patch: {
        application_id: row.id,
        data_on_file: true,
        ...(full ? {} : taxUpdated(kyc)),
      },
      detail: { application_id: row.id, form: application.form },
    });
    return { status: 200, payload: renderApplication(row, integrator) };
  },
};

/** True where what is asked for has changed since, or what is kept was erased. */
function isOvertaken(
  { basis }: SubmitInput,
  { state }: KycRow,
  latest: KycApplicationRow | null,
): boolean {
  if (basis === null) return false;
  const same = state === basis.state && sameCodes(latest?.reasons, basis.reasons);
  return !same || latest?.sealed === null;
}

function sameCodes(one: string | null | undefined, other: string | null): boolean {
  return String(JSON.parse(one ?? '[]')) === String(JSON.parse(other ?? '[]'));
}

/** A tax form ends the required update; what was required before is required again. [G-38] */
function taxUpdated({ requirements, requirements_before }: KycRow): Partial<KycRow> {
  if (requirements !== 'TAX_UPDATE') return {};
  return { requirements: requirements_before ?? 'NONE', requirements_before: null };
}

/** The check's row and its job, in the transaction of their cause. [R6] */
function beginCheck(decision: Decision, { account, application, checkId }: SubmitInput): void {
  const { workspace, now } = decision;
  decision.create(checkMachine, identityCheckTable, 'begin', {
    workspace,
    id: checkId,
    application_id: application.id,
    account_id: account,
    purpose: 'kyc',
    state: 'asking',
    version: 1,
    outcome: null,
    vendor_reference: '',
    updated: now,
  });
  decision.insert(identityJobTable, { workspace, check_id: checkId });
}
