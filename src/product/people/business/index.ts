// Businesses: who they are, who is behind them, and what that means for their account. It owns the
// status of a business and its event; the account's identity state follows in the same transaction.
// Each person's identity is checked like anybody's.
import { operations as ofIntegrators } from './api.ts';
import { formOperations } from './form-api.ts';
import {
  agentNotFoundInBody,
  entityNotStarted,
  refusals as ofBusiness,
} from './refusals.ts';
export { agentsOf, isWatched, needEntity } from './change.ts';
export {
  applyVerdict,
  decideEntity,
  ENTITY_DECISIONS,
  followPerson,
  lapseEntity,
} from './decide.ts';
export type { EntityVerdict } from './decide.ts';
export { forgetEntityDocuments, forgetEntityStrays } from './documents.ts';
export { eraseBusiness, needBusinessErasure } from './erase.ts';
export { messages } from './events.ts';
export { laws } from './laws.ts';
export { entityMachine, KYB_STATES, machines } from './machine.ts';
export { agentsOfEntity, entityById, entityRecordOf } from './read.ts';
export { ENTITY_REASON_CODES, ENTITY_REASONS } from './reasons.ts';
export type { EntityReason } from './reasons.ts';
export { TEST_BUSINESSES } from './rules.ts';
export { entityRecord } from './schema.ts';
export { agentTable, entityTable } from './tables.ts';
export type { AgentRow, EntityRow } from './tables.ts';

/** With those for ids in a body. */
export const refusals = { ...ofBusiness, agentNotFoundInBody, entityNotStarted };

export const operations = [...ofIntegrators, ...formOperations];
