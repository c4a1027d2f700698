// A case as operators see it before they give a reason: states, results, matches and history, and
// of the person only initials, year of birth and country.
import { prepared, type Queryable } from '../../../db/index.ts';
import type { Instant } from '../../../core/time.ts';
import { sealerOf } from '../account/index.ts';
import type { Services } from '../../context.ts';
import type { Applicant, DocumentIds } from '../identity/case.ts';
import { matchesOf } from '../matching/index.ts';
import { workspacesParameter, type Reviewer } from './reviewer.ts';
import { proposalIdOf } from './tables.ts';

/** An application with the state of its account. */
export interface CaseRow {
  readonly workspace: number;
  readonly tenant: string;
  readonly account: string;
  readonly application: string;
  /** The account's current state. */
  readonly state: string;
  readonly version: number;
  readonly pii_level: string;
  readonly requirements: string;
  readonly due: Instant | null;
  /** Last valid day of the accepted document, or null. */
  readonly document_expires: string | null;
  /** True where this is the account's latest application. */
  readonly latest: boolean;
  readonly form: string;
  readonly application_state: string;
  readonly initiator: string;
  readonly documents: DocumentIds;
  readonly rules: readonly string[];
  readonly reasons: readonly string[];
  readonly created: Instant;
  readonly vendor_reference: string;
  readonly sealed: string | null;
}

/** What is shown of a person without a reason. Null: there is no data, or it was erased. */
export interface MaskedPerson {
  readonly initials: string;
  readonly birth_year: string;
  readonly country: string;
}

/** The case of an application; null where the operator's workspaces have none. */
export async function caseOf(
  db: Queryable,
  reviewer: Reviewer,
  application: string,
): Promise<CaseRow | null> {
  type Row = Omit<CaseRow, 'documents' | 'rules' | 'reasons'> &
    Record<'documents' | 'rules' | 'reasons', string>;
  const [row] = await db.query<Row>(prepared('review_case')`
    select a.workspace, coalesce(s.name, t.name) as tenant, k.id as account,
      a.id as application, k.state, k.version, k.pii_level, k.requirements, k.due,
      k.document_expires,
      k.application_id is not distinct from a.id as latest, a.form,
      a.state as application_state, a.initiator, a.documents, a.rules, a.reasons, a.created,
      a.vendor_reference, a.sealed
    from workspace w join kyc_application a on a.workspace = w.workspace and a.id = ${application}
    join kyc k on k.workspace = a.workspace and k.id = a.account_id
    join tenant t on t.integrator = w.integrator
    left join tenant_setting s on s.workspace = w.workspace
    where ${workspacesParameter(reviewer)}::int4[] is null or w.workspace = any($2)`);
  if (row === undefined) return null;
  return {
    ...row,
    documents: JSON.parse(row.documents) as DocumentIds,
    rules: JSON.parse(row.rules) as string[],
    reasons: JSON.parse(row.reasons) as string[],
  };
}

type Reveal = Pick<Services, 'db' | 'keys' | 'random'>;

/** What a person stated in an application; null: nothing, or it was erased. */
export async function openStated(
  services: Reveal,
  { workspace, account, application, sealed }: Pick<
    CaseRow,
    'workspace' | 'account' | 'application' | 'sealed'
  >,
): Promise<Applicant | null> {
  if (sealed === null) return null;
  const sealer = await sealerOf(services, workspace, account);
  return sealer?.openJson<Applicant>('application', application, sealed) ?? null;
}

export function masked(applicant: Applicant | null): MaskedPerson | null {
  if (applicant === null) return null;
  const { first, last, date_of_birth, country } = applicant;
  const initial = (name: string): string => (name === '' ? '' : `${[...name][0] ?? ''}.`);
  const initials = [first, last].map(initial).join(' ').trim();
  return { initials, birth_year: date_of_birth.slice(0, 4), country };
}

/** A matching application, shown beside the case. */
export interface MatchSeen {
  readonly account: string;
  readonly application: string;
  /** In ten-thousandths. */
  readonly score: number;
  /** The other account's state. */
  readonly state: string;
  /** What the other person stated; shown unmasked only after a reason. */
  readonly stated: Applicant | null;
}

/** Matches of an application, highest score first. */
export async function matchesSeen(
  services: Reveal,
  reviewer: Reviewer,
  { workspace, application }: Pick<CaseRow, 'workspace' | 'application'>,
): Promise<MatchSeen[]> {
  const found = await matchesOf(services.db, workspace, application);
  const seen: MatchSeen[] = [];
  for (const one of found.toSorted((a, b) => b.score - a.score)) {
    const other = await caseOf(services.db, reviewer, one.matched_application_id);
    seen.push({
      account: one.matched_account_id,
      application: one.matched_application_id,
      score: one.score,
      state: other?.state ?? '',
      stated: other === null ? null : await openStated(services, other),
    });
  }
  return seen;
}

/** A document in the list, without its contents. */
export interface DocumentSeen {
  readonly id: string;
  readonly role: string;
  readonly mime: string;
  readonly size: number;
}

/** The documents of a case without erased ones. */
export async function documentsSeen(
  db: Queryable,
  { workspace, account, documents }: Pick<CaseRow, 'workspace' | 'account' | 'documents'>,
): Promise<DocumentSeen[]> {
  const { front, back, extra = [] } = documents;
  const ids = [front, back, ...extra].filter((id) => id !== undefined);
  return db.query(prepared('review_documents')`select id, role, mime, size from kyc_document
    where workspace = ${workspace} and account_id = ${account} and id = any(${ids}::uuid[])
    order by array_position($3::uuid[], id)`);
}

/** A step in the case's history. */
export interface CaseStep {
  readonly at: Instant;
  readonly actor: string;
  readonly machine: string;
  readonly event: string;
  readonly from_state: string;
  readonly to_state: string;
  /** JSON of ids and codes; '' for none. */
  readonly detail: string;
}

/** The last 200 steps of an account's identity or a business, with proposals, oldest first. */
export async function historyOf(
  db: Queryable,
  workspace: number,
  subjectId: string,
): Promise<CaseStep[]> {
  const rows = await db.query<CaseStep>(prepared('review_history')`
    select at, actor, machine, event, from_state, to_state, coalesce(detail, '') as detail
    from history where workspace = ${workspace} and (resource_id = ${subjectId}
      or resource_id = any(array(
      select id from review_proposal where workspace = $1 and subject_id = $2)))
    order by at desc, version desc limit 200`);
  return rows.toReversed();
}

/** A decision that waits for a second operator. */
export interface ProposalSeen {
  readonly decision: string;
  readonly reasons: readonly string[];
  readonly operator: string;
  readonly at: Instant;
}

/** The open proposal about this version of a case, or null. */
export async function proposalOf(
  { db, workspaces }: Pick<Services, 'db' | 'workspaces'>,
  workspace: number,
  subjectId: string,
  version: number,
): Promise<ProposalSeen | null> {
  const [row] = await db.query<Omit<ProposalSeen, 'reasons'> & { reasons: string }>(
    prepared('review_proposal_open')`
    select decision, reasons, operator_id as operator, updated as at from review_proposal
    where workspace = ${workspace} and id =
      ${proposalIdOf(workspaces.lineageOf(workspace), subjectId, version)} and state = 'open'`);
  return row === undefined ? null : { ...row, reasons: JSON.parse(row.reasons) as string[] };
}

/** The latest case of an account; null where the operator's workspaces have none. */
export async function applicationOfAccount(
  db: Queryable,
  reviewer: Reviewer,
  account: string,
): Promise<{ readonly workspace: number; readonly application: string | null } | null> {
  const [row] = await db.query<{ workspace: number; application: string | null }>(
    prepared('review_account')`
    select k.workspace, k.application_id as application
    from workspace w join kyc k on k.workspace = w.workspace and k.id = ${account}
    where ${workspacesParameter(reviewer)}::int4[] is null or w.workspace = any($2)`);
  return row ?? null;
}

