// Webhook events of escrows. [seed: Events]
import { escrowRecord } from './schema.ts';

export const escrowEvents = [
  {
    name: 'escrow-transaction-update',
    when: 'An escrow was paid (or could not be), committed or cancelled, by a call or the clock.',
    message: escrowRecord,
    cites: 'seed: Events',
  },
  {
    name: 'escrow-expiring',
    when: 'An escrow comes near its holding limit; when it is reached the money goes back.',
    message: escrowRecord,
    cites: 'G-42',
  },
] as const;
