// The books as an accountant reads them: what is held against what is owed, balances at a moment,
// statements and yearly totals. Reads only; it owns no table.
export { readSellerTotals, readStatement, readTrialBalance } from './read.ts';
export { refusals } from './refusals.ts';
export { MONTH } from './reports.ts';
export type { MonthlyStatement, TrialBalance } from './reports.ts';
export { daysOf, type DayOfBooks } from './days.ts';
export { sumsOf } from './sums.ts';
export type { KindSum } from './sums.ts';
