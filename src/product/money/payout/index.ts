// Payouts: money of a wallet that leaves to a bank or PayPal-like account of the same person. At
// each moment the money is in exactly one place.
export { advancePayout } from './clock.ts';
export { cancelPayout, executePayout, requestPayout } from './decide.ts';
export { priceOf } from './fees.ts';
export { methodOfAccount, payoutById } from './read.ts';
export { letPayoutGo, keepPayout } from './keep.ts';
export { refusals } from './refusals.ts';
export { payoutRecord, renderPayout } from './schema.ts';
export type { PayoutMoment } from './schema.ts';
export { settlePayout } from './settle.ts';
export { payoutTable } from './tables.ts';
export type { PayoutFacts } from './tables.ts';
