// Account merges: one account is closed for good, and all of its money goes to another in the same
// transaction. An account with anything in progress cannot be merged away. [G-22]
export { operations } from './api.ts';
export { laws } from './laws.ts';
export { mergeAccounts } from './decide.ts';
export type { MergeInput } from './decide.ts';
export { refusals } from './refusals.ts';
