// Events about wallets and ways to pay. [G-61]
import { z } from 'zod';
import { depositRecord } from './schema.ts';

export const depositCompleted = {
  name: 'deposit-completed',
  when: 'A deposit reached a wallet, or could not be made.',
  cites: 'G-49',
  message: depositRecord,
} as const;

export const paymentMethodUpdated = {
  name: 'payment-method-updated',
  when: 'A payment method was added, renamed or removed.',
  cites: 'G-61',
  message: z.strictObject({
    account_id: z.string(),
    payment_method_id: z.string(),
    state: z.enum(['ACTIVE', 'INACTIVE', 'UNVERIFIED']),
  }),
} as const;

export const events = [depositCompleted, paymentMethodUpdated] as const;
