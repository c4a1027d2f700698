// The audit trail: who did what to identities, personal data and settings, and what was announced,
// in one tamper-evident chain for each workspace.
export { anchorOf, carryAnchors } from './anchors.ts';
export { ACTS, audit } from './entry.ts';
export type { Act, Entry } from './entry.ts';
export { ChainReader, readSealed, signExport } from './exported.ts';
export type { SealedBlock } from './exported.ts';
export { rotateAuditKey, signedBy } from './keys.ts';
export { AUDITED_STEP } from './laws.ts';
export { Sealer } from './seal.ts';
export { entryTable, note } from './noted.ts';
export { markProven, readMarks } from './proven.ts';
export { noteSettings } from './settings.ts';
export { verifyAudit } from './verify.ts';
