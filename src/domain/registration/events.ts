// The webhook event of a new account. It holds ids only: receivers read personal fields through the
// interface, so that erasing a person erases them everywhere. [G-61]
import { z } from 'zod';

export const accountRegistered = {
  name: 'register-account-completed',
  when: 'An account was registered; its wallets can be paid into.',
  cites: 'G-61',
  message: z.strictObject({
    account_id: z.string(),
    integrator: z.string(),
    created: z.string(),
  }),
} as const;

export const events = [accountRegistered] as const;
