// Webhook events of accounts. They hold ids only: receivers read personal fields through the
// interface, so that erasing a person erases them everywhere. [G-20, G-61]
import { z } from 'zod';
import { blockRecord } from './schema.ts';

export const blockChanged = {
  name: 'account-block-unblock-webhook',
  when: 'A capability of an account was blocked or unblocked.',
  cites: 'G-61',
  message: z.strictObject({
    account_id: z.string(),
    is_blocked: z.boolean(),
    /** Active blocks after the change, by block_id. */
    blocks: z.record(z.string(), blockRecord),
  }),
} as const;

export const events = [blockChanged] as const;
