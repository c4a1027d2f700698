// The decisions of operators, alone or as a proposal that a second one confirms. Nobody decides
// about an account of their own or on a case that changed since they saw it, and each decision
// stores its note in the same transaction. Pure. [G-51, G-55]
import type { Command, CommandAnswer, Decision, ReadSet } from '../../../engine/index.ts';
import { refuse } from '../../../core/refusal.ts';
import { kycTable, needKyc } from '../identity/index.ts';
import { isDay } from '../../../core/time.ts';
import { judgeDocument, type DocumentReason } from '../business/case.ts';
import { entityTable } from '../business/index.ts';
import { expiryOf, requireAgain } from '../identity/case.ts';
import { entryTable } from '../../tell/audit/index.ts';
import { business } from './business.ts';
import { hit } from './hit.ts';
import { proposalMachine } from './machine.ts';
import { refusals as no } from './refusals.ts';
import { person, type CaseStanding, type Limits, type Subjects, type Verdict } from './subject.ts';
import {
  noteTable,
  operatorsOfAccount,
  proposalIdOf,
  proposalTable,
  type NotedAct,
  type ProposalRow,
  type SubjectKind,
} from './tables.ts';

/** The kinds of cases. */
export const SUBJECTS: Subjects = { person, business, hit };

/** Who decides, and why. */
interface Deciding {
  /** Uuid of the operator. */
  readonly operator: string;
  readonly note: {
    readonly id: string;
    /** Sealed with the key of the account's person. */
    readonly sealed: string;
  };
}

/** A case in the version that the operator saw. */
export interface VersionedCase {
  readonly subject: SubjectKind;
  readonly id: string;
  readonly version: number;
}

interface CaseInput extends Deciding, VersionedCase {
  readonly limits: Limits;
}

/** A decision about a case. */
export interface DecideInput extends CaseInput {
  readonly verdict: Verdict;
}

/** A second operator's answer to the proposal about a case. */
export interface SecondInput extends CaseInput {
  readonly agrees: boolean;
  /** Operators who created or reset this one, or whom this one created or reset. */
  readonly dependent: readonly string[];
}

/** The outcome of a decision. */
export interface CaseAnswer {
  /** True: it waits for a second operator. */
  readonly proposed: boolean;
  readonly version: number;
}

function needCase(rows: ReadSet, { subject, id, version }: VersionedCase): void {
  for (const account of SUBJECTS[subject].load(rows, id)) rows.find(operatorsOfAccount, account);
  const proposal = proposalIdOf(rows.lineage, id, version);
  if (rows.read(proposalTable, proposal)) rows.lock(proposalTable, proposal);
}

/** The locked case; refused if it changed since, does not wait, or is the operator's own. */
function seen(
  decision: Decision,
  { subject, id, version, operator, limits }: Omit<CaseInput, 'note'>,
): CaseStanding {
  const found = SUBJECTS[subject].standing(decision, id, limits);
  if (found === null) throw refuse(no.REVIEW_CASE_NOT_FOUND);
  notOwn(decision, operator, found.people);
  if (!found.waits) throw refuse(no.REVIEW_NOT_WAITING);
  if (found.version !== version) throw refuse(no.REVIEW_CASE_CHANGED);
  return found;
}

function notOwn(decision: Decision, operator: string, people: readonly string[]): void {
  const own = people.some((account) =>
    decision.find(operatorsOfAccount, account).some((row) => row.operator_id === operator),
  );
  if (own) throw refuse(no.REVIEW_OWN_CASE);
}

/** Stores the note of an act, and answers with the case's version after it. */
function noted(
  decision: Decision,
  { operator, note: { id, sealed } }: Deciding,
  act: NotedAct,
  about: { readonly account: string; readonly subject: string; readonly version: number },
): CommandAnswer {
  const { account: account_id, subject: subject_id, version } = about;
  const { workspace, now: created } = decision;
  decision.insert(noteTable, {
    ...{ workspace, id, account_id, subject_id, subject_version: version },
    ...{ act, operator_id: operator, sealed, created },
  });
  const payload: CaseAnswer = { proposed: act === 'propose', version };
  return { status: 200, payload };
}

/** Decides a case, or proposes the decision where one operator is not enough. */
export const decideCase: Command<DecideInput> = {
  name: 'decide_case',
  load: needCase,
  decide(decision, input) {
    const { subject, id, version, verdict } = input;
    const { account, grave } = seen(decision, input);
    const { decisions, reasons: known, tells, apply } = SUBJECTS[subject];
    const { decision: decided, reasons, documentExpires: day } = verdict;
    if (!decisions.includes(decided)) throw refuse(no.REVIEW_DECISION_UNSUITABLE);
    const told = tells && (decided === 'deny' || decided === 'ask');
    if (reasons.some((code) => !known.includes(code)) || told !== reasons.length > 0) {
      throw refuse(no.REVIEW_REASON_NEEDED);
    }
    const acceptsPerson = subject === 'person' && decided === 'accept';
    if (day !== undefined && !(acceptsPerson && isDay(day) && expiryOf(day) > decision.now)) {
      throw refuse(no.REVIEW_DOCUMENT_DATE);
    }
    const about = { account, subject: id };
    if (grave && (decided === 'accept' || decided === 'deny')) {
      propose(decision, input, account, decided);
      return noted(decision, input, 'propose', { ...about, version });
    }
    const after = apply(decision, id, verdict, {});
    return noted(decision, input, decided, { ...about, version: after });
  },
};

function propose(
  decision: Decision,
  { subject, id, version, operator, verdict }: DecideInput,
  account_id: string,
  decided: ProposalRow['decision'],
): void {
  const { workspace, lineage, now } = decision;
  const proposal = proposalIdOf(lineage, id, version);
  const before = decision.get(proposalTable, proposal);
  if (before?.state === 'open') throw refuse(no.REVIEW_PROPOSED);
  const reasons = JSON.stringify(verdict.reasons);
  const document_expires = verdict.documentExpires ?? null;
  const request = { decision: decided, reasons, operator_id: operator, document_expires };
  const detail = { subject_id: id, decision: decided, reasons: verdict.reasons };
  if (before !== null) {
    decision.move(proposalMachine, proposalTable, proposal, 'propose', 'open', request, detail);
    return;
  }
  const about = { subject, subject_id: id, subject_version: version, account_id };
  const begun = { state: 'open', version: 1, created: now, updated: now } as const;
  const row = { workspace, id: proposal, ...about, ...request, ...begun };
  decision.create(proposalMachine, proposalTable, 'propose', row, detail);
}

/** Confirms or rejects another operator's proposal. */
export const secondCase: Command<SecondInput> = {
  name: 'second_case',
  load: needCase,
  decide(decision, input) {
    const { subject, id, version, operator, agrees, dependent } = input;
    const { account, people } = seen(decision, input);
    const proposalId = proposalIdOf(decision.lineage, id, version);
    const proposal = decision.get(proposalTable, proposalId);
    if (proposal?.state !== 'open') throw refuse(no.REVIEW_PROPOSAL_ENDED);
    if (proposal.operator_id === operator) throw refuse(no.REVIEW_SAME_PERSON);
    if (dependent.includes(proposal.operator_id)) throw refuse(no.REVIEW_NOT_INDEPENDENT);
    // The account may have been marked as the proposer's own only since then.
    if (agrees) notOwn(decision, proposal.operator_id, people);
    const on = agrees ? 'confirm' : 'reject';
    const to = agrees ? 'confirmed' : 'rejected';
    decision.move(proposalMachine, proposalTable, proposalId, on, to, {}, { subject_id: id });
    const about = { account, subject: id };
    if (!agrees) return noted(decision, input, 'reject', { ...about, version });
    const { decision: decided, reasons, document_expires } = proposal;
    const documentExpires = document_expires ?? undefined;
    const codes = JSON.parse(reasons) as string[];
    const verdict = { decision: decided, reasons: codes, documentExpires };
    const detail = { proposal_id: proposalId, proposed_by: proposal.operator_id };
    const after = SUBJECTS[subject].apply(decision, id, verdict, detail);
    return noted(decision, input, decided, { ...about, version: after });
  },
};

/** What an operator found of a document of a business. */
export interface JudgeInput extends VersionedCase {
  readonly operator: string;
  readonly document: string;
  /** Absent: it is accepted. */
  readonly reason?: DocumentReason | undefined;
  readonly limits: Limits;
  /** The id of the audit entry. */
  readonly entry: string;
}

/** Decides about one document; the applicant sees it, and the business waits on. [G-55] */
export const judgeOne: Command<JudgeInput> = {
  name: 'judge_document',
  load: needCase,
  decide(decision, { entry, document, reason, ...input }) {
    seen(decision, input);
    const entity = decision.get(entityTable, input.id);
    if (entity === null) throw refuse(no.REVIEW_CASE_NOT_FOUND);
    const answer = { status: 200, payload: null };
    if (!judgeDocument(decision, entity, document, reason)) return answer;
    const { workspace, actor, now: at } = decision;
    const detail = JSON.stringify({ document, reason: reason ?? 'accepted' });
    const about = { act: 'document_judged', subject: entity.account_id, detail };
    decision.insert(entryTable, { workspace, id: entry, at, actor, ...about });
    return answer;
  },
};

/** A re-verification of an accepted person by compliance. */
export interface CheckInput extends Deciding {
  readonly account: string;
  readonly fresh_application_id: string;
}

/** Has an accepted identity verified again. [G-51] */
export const startCheck: Command<CheckInput> = {
  name: 'start_check',
  load(rows, { account }) {
    needKyc(rows, account);
    rows.find(operatorsOfAccount, account);
  },
  decide(decision, input) {
    const { account, fresh_application_id, operator } = input;
    if (decision.get(kycTable, account) === null) throw refuse(no.REVIEW_CASE_NOT_FOUND);
    notOwn(decision, operator, [account]);
    const { version } = requireAgain(decision, account, fresh_application_id, null);
    return noted(decision, input, 'check', { account, subject: account, version });
  },
};

