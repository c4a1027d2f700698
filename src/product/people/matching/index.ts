// Matching: whether an application's person is already here under another account. It owns the
// comparison and what is stored for it, of which little can be read without the keys. What a match
// leads to is decided elsewhere. [G-53]
export { askEstimate, continueEstimate, estimateOf, latestMatches } from './estimate.ts';
export { LEAST_PERSONS, LOOK_UPS, personsOf } from './estimate.ts';
export type { MatchEstimate } from './estimate.ts';
export { explainMatches } from './explain.ts';
export type { Evidence, Explained } from './explain.ts';
export { namesIn } from './features.ts';
export { matchOnce, matchWaiting } from './match.ts';
export type { OpenStated } from './match.ts';
export {
  chooseWeights,
  comparedShares,
  estimateWeights,
  LEAST_FOR_WEIGHTS,
  ownWeightsOf,
} from './own-weights.ts';
export type { OwnWeights } from './own-weights.ts';
export { matchCheck, matchesOf, mayCompare, renderMatches, scoreOf } from './record.ts';
export type { ShownMatch } from './record.ts';
export { REVIEW_THRESHOLD } from './score.ts';
export { isOneEdit, jaroWinkler, likeness, soundsOf } from './similarity.ts';
export { latinWords as wordsOf } from './transliterate.ts';
export { forgetMatching } from './store.ts';
export { THRESHOLDS } from './threshold-figures.ts';
export type { Rate, ThresholdFigures } from './threshold-figures.ts';
export { USUAL_FIGURES } from './usual-figures.ts';
export type { UsualFigures } from './usual-figures.ts';
export { matchesOfApplication } from './tables.ts';
