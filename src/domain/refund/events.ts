// Webhook events of refunds. [G-61]
import { refundRecord } from './schema.ts';

export const refundCompleted = {
  name: 'refund-completed',
  when: 'A refund reached the buyer, failed at the processor, or was rejected.',
  message: refundRecord,
  cites: 'G-61',
} as const;

export const events = [refundCompleted] as const;
