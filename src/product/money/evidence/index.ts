// What people hand in about a case, of disputes and of disagreements: inspected, sealed, kept.
export { collectPiece, withRecord } from './collect.ts';
export type { StoredPiece } from './collect.ts';
export {
  endedEvidence,
  forgetEvidence,
  forgetStrayContent,
  openContent,
  openEvidence,
} from './content.ts';
export type { OpenedPiece } from './content.ts';
export { EVIDENCE_BYTES, fileNameOf, isTooMuch, pieceFields } from './piece.ts';
export type { GivenPiece } from './piece.ts';
