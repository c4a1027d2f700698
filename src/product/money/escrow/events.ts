// Messages of the webhook events of escrows. [seed: Events]
import { escrowRecord } from './schema.ts';

export const messages = { escrowChanged: escrowRecord, escrowExpiring: escrowRecord } as const;
