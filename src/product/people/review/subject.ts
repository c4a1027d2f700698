// What a decision is about: the identity of an account, or a business. All differences between the
// two are here: whom they concern, when they wait, when a second operator is needed, and what each
// decision does. [G-51, G-55]
import type { Decision, ReadSet } from '../../../engine/index.ts';
import { balanceTable } from '../../../ledger/index.ts';
import { addSeconds } from '../../../core/time.ts';
import { needKyc, kycApplicationTable, kycTable, REASONS } from '../identity/index.ts';
import { changeKyc, REVIEW_SECONDS, WATCH_HIT, type KycRow } from '../identity/case.ts';
import { matchesOfApplication } from '../matching/index.ts';
import { endHits, needHits } from '../screening/index.ts';
import { walletsOfAccount } from '../../money/wallet/index.ts';
import type { SubjectKind } from './tables.ts';

export const DECISIONS = ['accept', 'deny', 'ask', 'cancel'] as const;
export type CaseDecision = (typeof DECISIONS)[number];

/** A decision with the reason codes for the applicant. */
export interface Verdict {
  readonly decision: CaseDecision;
  readonly reasons: readonly string[];
  /** With an acceptance of a person: the last valid day of the document, `YYYY-MM-DD`. */
  readonly documentExpires?: string | undefined;
}

/** At or above any of these a second operator must confirm. */
export interface Limits {
  /** Restricted funds in minor units, summed over currencies. */
  readonly restricted: bigint;
  /** A match score, in ten-thousandths. */
  readonly score: number;
  /** True where an entry of a watch-list may name the business or one of its people. */
  readonly listed: boolean;
}

/** A locked case. */
export interface CaseStanding {
  /** The account whose person's key seals the notes. */
  readonly account: string;
  /** All accounts that it concerns: an operator among them may not decide it. */
  readonly people: readonly string[];
  readonly version: number;
  /** True where a decision is possible now. */
  readonly waits: boolean;
  readonly grave: boolean;
}

export interface Subject {
  /** Locks what a decision touches; gives the accounts that it concerns, as far as known. */
  load(rows: ReadSet, id: string): readonly string[];
  /** Null for an unknown case. */
  standing(decision: Decision, id: string, limits: Limits): CaseStanding | null;
  readonly reasons: readonly string[];
  /** False: the person is told nothing, so no decision has reasons. */
  readonly tells: boolean;
  /** The decisions that this kind allows. */
  readonly decisions: readonly CaseDecision[];
  /** Applies a decision; gives the new version. `detail` goes into the history. */
  apply(decision: Decision, id: string, verdict: Verdict, detail: object): number;
}

/** Accounts that may be the person's: this one, and those that its latest application matches. */
function constant(from: ReadSet | Decision, { id, application_id }: KycRow): readonly string[] {
  if (application_id === null) return [id];
  const matches = from.find(matchesOfApplication, application_id) ?? [];
  return [id, ...matches.map((match) => match.matched_account_id)];
}

/** Minor units of restricted funds, summed over currencies. */
export function restrictedIn(decision: Decision, account: string): bigint {
  const kept = decision.find(walletsOfAccount, account).map(({ kept_back_id: id }) => {
    return id === null ? 0n : (decision.get(balanceTable, id)?.amount ?? 0n);
  });
  return kept.reduce((sum, amount) => sum + amount, 0n);
}

function isGrave(decision: Decision, kyc: KycRow, limits: Limits): boolean {
  if (restrictedIn(decision, kyc.id) >= limits.restricted) return true;
  const { application_id: id } = kyc;
  if (id === null) return false;
  const rules = JSON.parse(decision.get(kycApplicationTable, id)?.rules ?? '[]') as string[];
  if (rules.some((rule) => WATCH_HIT.test(rule))) return true;
  return decision.find(matchesOfApplication, id).some(({ score }) => score >= limits.score);
}

const TO = { accept: 'ACCEPT', deny: 'DENY', ask: 'MANUAL_REVIEW', cancel: 'CANCEL' } as const;

/** The identity of an account. */
export const person: Subject = {
  load(rows, id) {
    needKyc(rows, id);
    const kyc = rows.read(kycTable, id);
    if (kyc) needHits(rows, kyc.application_id);
    return kyc ? constant(rows, kyc) : [id];
  },
  standing(decision, id, limits) {
    const kyc = decision.get(kycTable, id);
    if (kyc === null) return null;
    return {
      account: id,
      people: constant(decision, kyc),
      version: kyc.version,
      waits: kyc.state === 'MANUAL_REVIEW',
      grave: isGrave(decision, kyc, limits),
    };
  },
  reasons: Object.keys(REASONS),
  tells: true,
  decisions: DECISIONS,
  apply(decision, id, { decision: decided, reasons, documentExpires }, detail) {
    const asked = decided === 'ask';
    if (decided === 'accept' || decided === 'deny') {
      const application = decision.get(kycTable, id)?.application_id ?? null;
      endHits(decision, application, decided === 'deny', {});
    }
    const after = changeKyc(decision, id, {
      on: asked ? 'ask' : 'review',
      to: TO[decided],
      ...(asked ? { patch: { due: addSeconds(decision.now, REVIEW_SECONDS) } } : {}),
      documentExpires,
      application: { reasons: JSON.stringify(reasons) },
      detail: { ...detail, reasons },
    });
    return after.version;
  },
};

export type Subjects = Readonly<Record<SubjectKind, Subject>>;
