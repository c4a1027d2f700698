// Webhook events of escrows. [seed: Events]
import { escrowRecord } from './schema.ts';

export const escrowEvents = [
  {
    name: 'escrow-transaction-update',
    when: 'An escrow was paid, failed, committed or cancelled, by a request or a time limit.',
    message: escrowRecord,
    cites: 'seed: Events',
  },
  {
    name: 'escrow-expiring',
    when: 'An escrow is close to its holding limit; at the limit it is cancelled and refunded.',
    message: escrowRecord,
    cites: 'G-42',
  },
] as const;
