// The message of the webhook event of payouts. [G-61]
import type { RecordKind } from '../../../outbox/index.ts';
import { payoutRecords } from './read.ts';
import { payoutRecord, type PayoutRecord } from './schema.ts';

/** The record, with its status also under the name that receivers of such events know. */
const payoutMessage = payoutRecord.extend({ payout_status: payoutRecord.shape.status });

/** The message of payout-completed at a version of the payout. */
export const payoutMessages: RecordKind = {
  kind: 'payout_message',
  schema: payoutMessage,
  async compose(db, keys) {
    const payouts = (await payoutRecords.compose(db, keys)) as PayoutRecord[];
    return payouts.map((payout) => ({ ...payout, payout_status: payout.status }));
  },
};
