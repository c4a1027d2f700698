// The message of the webhook event of invoices. [seed: Events]
import { invoiceRecord } from './schema.ts';

export const messages = { invoiceCompleted: invoiceRecord } as const;
