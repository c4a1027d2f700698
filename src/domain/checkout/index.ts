// Checkout: a sale that an integrator authorizes, and the link by which its buyer pays it. Refuses
// to know how invoices and escrows are made of it, and what the page behind the link shows.
export { operations } from './api.ts';
export { forgetUnused } from './retention.ts';
export { saleSummary, summaryOf } from './schema.ts';
