// The books as an accountant reads them: what is held against what is owed, balances at a moment,
// statements and yearly totals. Reads only; it owns no table.
export { sumsOf } from './sums.ts';
export type { KindSum } from './sums.ts';
