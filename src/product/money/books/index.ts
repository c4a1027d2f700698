// The books as an accountant reads them: what is held against what is owed, balances at a moment,
// statements and yearly totals. Reads only; it owns no table.
export { readSellerTotals, readStatement, readTrialBalance } from './api.ts';
export { refusals } from './refusals.ts';
export { MONTH, type MonthlyStatement, type TrialBalance } from './reports.ts';
export { daysOf, type DayOfBooks } from './days.ts';
export { sumsOf, type KindSum } from './sums.ts';
