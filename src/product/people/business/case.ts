// What of a business reviewers can open for a logged reason.
export { openEntityDocument } from './documents.ts';
export { openBusiness, type Business } from './read.ts';
export { agentIdsOf, agentTable } from './tables.ts';
