// The event about a new account. It names the account only: who that is, is read back over the
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
