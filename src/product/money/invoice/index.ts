// Invoices: their creation and payment, and the return of charges. Asking a card belongs to the
// processor's module, the delivery of events to webhooks.
export { TRANSACTION_TYPES } from './sale-terms.ts';
export { saleTermsOf } from './stored-terms.ts';
export type { AgreedLineItem, SaleTerms } from './sale-terms.ts';
export { createRefusals, saleRefusals } from './api.ts';
export { invoiceRequestOf, checkCurrency } from './request.ts';
export {
  authorizedInvoiceTable,
  fromAuthorized,
  MADE_MAX,
  readAuthorized,
  requireLatest,
  loadLatest,
} from './authorized.ts';
export type { AuthorizedInvoice } from './authorized.ts';
export { visibilityOf, isWithin } from './visibility.ts';
export type { VisibilityFilter } from './visibility.ts';
export { commitInvoice } from './commitment.ts';
export { checkSale, createInvoice, makeInvoice, loadRows } from './create.ts';
export { invoiceOfLine } from './line-id.ts';
export {
  learnPayment,
  payInvoice,
  settleInvoice,
  submitPayment,
  loadAnswer,
  loadPayment,
} from './payment.ts';
export type { Payee } from './payment.ts';
export { loadCredits } from './credits.ts';
export { allocationIn, allocationOf } from './allocation.ts';
export type { Allocation } from './allocation.ts';
export { prepareInvoice, prepareSale } from './prepare.ts';
export type { PreparedInvoice } from './prepare.ts';
export { readInvoice } from './read.ts';
export { invoiceRefusals as refusals } from './refusals.ts';
export { forgetUnused, keepAuthorized } from './retention.ts';
export { renderInvoice } from './render.ts';
export { beginReturn, learnReturn, loadReturn } from './returns.ts';
export type { ReturnPart } from './returns.ts';
export {
  createInvoiceBody,
  creationForms,
  currentInvoiceRecord,
  invoiceRecord,
  recipientBody,
  taxRecord,
  taxSumFields,
} from './schema.ts';
export { grossOf, shownTax, statedAmount, taxSums, taxWithin } from './tax.ts';
export { lineFields, namedFields } from './stated.ts';
export { invoiceDocumentTable, invoiceTable } from './tables.ts';
export { failuresOf, type FailureCount } from './failures.ts';
export { SALE, statedOf } from './list.ts';
