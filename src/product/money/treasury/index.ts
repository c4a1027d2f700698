// The treasury: where money lies (pending and available at the processor, under way, at the bank),
// what it costs, and whether a payout is covered. Each statement row is booked once.
export {
  addFunds,
  covers,
  endHold,
  fundsIn,
  holdFunds,
  lockFunds,
  lockHold,
  moveHold,
} from './funds.ts';
export { expectedOpenings, providerPayoutsUnderWay, readStanding } from './read.ts';
export type { Standing, UnderWay } from './read.ts';
export {
  BOOKED_AT_ONCE,
  bookStatementRow,
  confirmProviderPayout,
  openFunds,
  openProcessorFunds,
  settleDue,
} from './settle.ts';
export type { BankArrival, StatementFacts } from './settle.ts';
export { settlementTable } from './tables.ts';
