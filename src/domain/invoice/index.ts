// Invoices: makes them, takes their payment, settles them, gives charges back. Answers for who is
// charged and who is paid; refuses to know how a card is asked and who listens to the events.
export { agreementOf } from './agreement.ts';
export type { AgreedLine, AgreedMethod, Agreement, InvoiceKind } from './agreement.ts';
export { checkCurrency, createRefusals, invoiceOperations as operations } from './api.ts';
export { commitInvoice } from './commitment.ts';
export { createInvoice, makeInvoice, wantRows } from './create.ts';
export { invoiceEvents as events } from './events.ts';
export { invoiceOfLine } from './line-id.ts';
export type { AgreedInvoice } from './line-id.ts';
export { invoiceMachine } from './machine.ts';
export { payInvoice, wantCredits } from './pay.ts';
export { learnPayment, submitPayment, wantAnswer, wantPayment } from './payment.ts';
export type { Payee, Standing } from './payment.ts';
export { planOf } from './plan.ts';
export type { ChargePart, Plan } from './plan.ts';
export { prepareInvoice } from './prepare.ts';
export type { PreparedInvoice } from './prepare.ts';
export { invoiceRecords, readInvoice } from './read.ts';
export { invoiceRefusals as refusals } from './refusals.ts';
export { renderInvoice } from './render.ts';
export { beginReturn, kindOf, learnReturn, wantReturn } from './returns.ts';
export type { NewReturn, ReturnEnd, ReturnPart } from './returns.ts';
export { createInvoiceBody, invoiceRecord } from './schema.ts';
export { settleInvoice } from './settle.ts';
export { invoiceDocumentTable, invoiceTable } from './tables.ts';
