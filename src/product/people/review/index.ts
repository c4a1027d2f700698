// Reviews: manual decisions about identities and businesses. Grave ones need a second operator,
// nobody decides about themselves, every decision has a note, and personal data is opened only for
// a logged reason. [G-51, G-55, G-57]
export { check, decide, judge, nameOwnAccount, second } from './act.ts';
export type { SeenCase } from './act.ts';
export { workspaceOfBusiness } from './business.ts';
export {
  applicationOfAccount,
  caseOf,
  documentsSeen,
  historyOf,
  masked,
  matchesSeen,
  openStated,
  proposalOf,
} from './case.ts';
export type { CaseRow, CaseStep, MatchSeen, ProposalSeen } from './case.ts';
export { claimCase, claimOf, releaseCase } from './claim.ts';
export { HIT_WAITS, hitQueue, hitSeen, hitsSeen } from './hit.ts';
export type { HitSeen } from './hit.ts';
export { forgetNotes, NOTE_MAX, openNotes } from './notes.ts';
export type { OpenedNote } from './notes.ts';
export { forgetViews, isOwnAccount, openCase, REVEAL_REASONS, viewDocument } from './open.ts';
export type { RevealReason, ViewTokens } from './open.ts';
export { businessQueue, personQueue } from './queue.ts';
export type { RestrictedFunds, QueuedBusiness, QueuedPerson, QueueFilter } from './queue.ts';
export type { Reviewer } from './reviewer.ts';
export { searchApplications } from './search.ts';
export type { SearchFilter } from './search.ts';
export { DECISIONS } from './subject.ts';
export type { CaseDecision, Verdict } from './subject.ts';
