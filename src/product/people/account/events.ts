// The message of the webhook event of blocks. It holds ids only: receivers read personal fields
// through the interface, so that erasing a person erases them everywhere. [G-20, G-61]
import { z } from 'zod';
import { blockRecord } from './schema.ts';

export const messages = {
  blockChanged: z.strictObject({
    account_id: z.string(),
    is_blocked: z.boolean(),
    /** Active blocks after the change, by block_id. */
    blocks: z.record(z.string(), blockRecord),
  }),
} as const;
