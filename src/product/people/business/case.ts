// What of a business reviewers can open for a logged reason.
export { openEntityDocument } from './documents.ts';
export { judgeDocument } from './decide.ts';
export { DOCUMENT_REASONS } from './judged.ts';
export type { DocumentReason } from './judged.ts';
export { addressOf, openBusiness, type Business } from './read.ts';
export { agentIdsOf, agentTable } from './tables.ts';
