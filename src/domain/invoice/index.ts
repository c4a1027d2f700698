// Invoices: makes them, takes their payment, settles them. Answers for who is charged and who is
// paid; refuses to know how a card is asked and who listens to the events.
export { invoiceOperations as operations } from './api.ts';
export { createInvoice } from './create.ts';
export { invoiceEvents as events } from './events.ts';
export { invoiceMachine } from './machine.ts';
export { payInvoice } from './pay.ts';
export { prepareInvoice } from './prepare.ts';
export { invoiceRecords, readInvoice } from './read.ts';
export { invoiceRefusals as refusals } from './refusals.ts';
export { createInvoiceBody, invoiceRecord } from './schema.ts';
export { settleInvoice } from './settle.ts';
export { invoiceDocumentTable, invoiceTable } from './tables.ts';
