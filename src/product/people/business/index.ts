// Businesses: who they are, who is behind them, and what that means for their account. It owns the
// status of a business and its event; the account's identity state follows in the same transaction.
// Each person's identity is checked like anybody's.
export { agentsOf, isWatched, needEntity } from './change.ts';
export { applyVerdict, followPerson, lapseEntity } from './decide.ts';
export type { EntityVerdict } from './decide.ts';
export { forgetEntityDocuments, forgetEntityStrays } from './documents.ts';
export { eraseBusiness, needBusinessErasure } from './erase.ts';
export { awaitedPeople, invite } from './invite.ts';
export type { Invitation } from './invite.ts';
export {
  agentsOfEntity,
  businessNames,
  countryOfBusiness,
  entityById,
  entityRecordOf,
} from './read.ts';
export { ENTITY_REASON_CODES, ENTITY_REASONS } from './reasons.ts';
export type { EntityReason } from './reasons.ts';
export { TEST_BUSINESSES } from './rules.ts';
export { listedAlike, screenAgain } from './screen.ts';
export { entityTable } from './tables.ts';
export type { EntityRow } from './tables.ts';
