// Merging accounts: one is closed for good, what it holds goes to another. Answers for an account
// being at rest before it is closed, and for all of its money being moved in the same commit.
// Refuses to know how an account is closed and how money under way ends. [G-22]
export { operations } from './api.ts';
export { laws } from './laws.ts';
export { mergeAccounts } from './decide.ts';
export type { MergeInput } from './decide.ts';
export { refusals } from './refusals.ts';
