// Matching: whether an application is of a person who is here under another account already.
// Answers for the comparison, what it keeps, and how little of it can be read without the keys.
// Refuses to know states, vendors and what a match leads to. [G-53]
export { laws } from './laws.ts';
export { matchOnce, matchWaiting } from './match.ts';
export type { MatchJob, OpenStated } from './match.ts';
export { matchCheck, matchesOf, mayCompare, renderMatches, scoreOf } from './record.ts';
export type { ShownMatch } from './record.ts';
export { MATCH_THRESHOLD, REVIEW_THRESHOLD } from './score.ts';
export { forgetMatching } from './store.ts';
export { matchesOfApplication } from './tables.ts';
