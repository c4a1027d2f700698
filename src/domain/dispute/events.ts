// Webhook events of disputes. [G-61]
import { disputeRecord } from './schema.ts';

const common = { message: disputeRecord, cites: 'G-93' } as const;

export const events = [
  {
    ...common,
    name: 'dispute-created',
    when: 'A cardholder disputed a charge, or a bank debit was returned unpaid.',
  },
  {
    ...common,
    name: 'dispute-updated',
    when: 'The bank is reviewing the response to a dispute.',
  },
  {
    ...common,
    name: 'dispute-closed',
    when: 'A dispute was won, lost or withdrawn.',
  },
] as const;
