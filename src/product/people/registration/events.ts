// The message of the webhook event of a new account. It holds ids only: receivers read personal
// fields through the interface, so that erasing a person erases them everywhere. [G-61]
import { z } from 'zod';

export const messages = {
  accountRegistered: z.strictObject({
    account_id: z.string(),
    integrator: z.string(),
    created: z.string(),
  }),
} as const;
