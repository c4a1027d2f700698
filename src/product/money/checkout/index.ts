// Checkout: a sale that an integrator authorizes, and the magic link by which its buyer pays it.
// The page behind the link and the invoices made of the sale are other modules'.
export { saleSummary, summaryOf } from './api.ts';
