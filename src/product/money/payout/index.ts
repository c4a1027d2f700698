// Payouts: money of a wallet that leaves to a bank or PayPal-like account of the same person. At
// each moment the money is in exactly one place.
export { operations } from './api.ts';
export { advancePayout } from './clock.ts';
export { cancelPayout, executePayout, requestPayout } from './decide.ts';
export { messages, payoutMessages } from './events.ts';
export { laws } from './laws.ts';
export { payoutMachine } from './machine.ts';
export { payoutRecords } from './read.ts';
export { refusals } from './refusals.ts';
export { payoutRecord, renderPayout } from './schema.ts';
export type { PayoutMoment } from './schema.ts';
export { settlePayout } from './settle.ts';
export { payoutTable } from './tables.ts';
export type { PayoutFacts, PayoutRow } from './tables.ts';
