// Webhook events of invoices. [seed: Events]
import { invoiceRecord } from './schema.ts';

export const invoiceEvents = [
  {
    name: 'invoice-completed',
    when: 'An invoice finished processing, as success or failed.',
    message: invoiceRecord,
    cites: 'seed: Events',
  },
] as const;
