// The event of payouts. [G-61]
import { payoutRecord } from './schema.ts';

export const payoutEvents = [
  {
    name: 'payout-completed',
    when: 'A payout was paid, failed, came back, or was rejected and is in the wallet again.',
    message: payoutRecord,
    cites: 'G-61',
  },
] as const;
