// Messages of the webhook events of disputes. [G-61]
import { disputeRecord } from './schema.ts';

export const messages = {
  disputeCreated: disputeRecord,
  disputeUpdated: disputeRecord,
  disputeClosed: disputeRecord,
} as const;
