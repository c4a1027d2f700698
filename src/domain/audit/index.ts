// The audit: who did what to identity, to people's data and to settings, and what was announced, in
// a chain per world that nobody can change unseen. Answers for its entries, its blocks and its
// proof. Refuses to know what the acts mean.
export { anchorOf } from './anchors.ts';
export { ACTS, audit } from './entry.ts';
export type { Act, Entry } from './entry.ts';
export { ensureAuditKey, rotateAuditKey, wrappedAuditKeys } from './keys.ts';
export { AUDITED_STEP, laws } from './laws.ts';
export { Sealer } from './seal.ts';
export { note } from './noted.ts';
export { noteSettings } from './settings.ts';
export { verifyAudit } from './verify.ts';
