// Webhook events of wallets and payment methods. [G-61]
import { z } from 'zod';
import { uuid } from '../../kernel/schema.ts';
import { depositRecord } from './schema.ts';

export const depositCompleted = {
  name: 'deposit-completed',
  when: 'A deposit succeeded or failed.',
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

/** Composed by the database in the transaction of the debit, so that no debit can miss it. */
export const walletBalanceAlert = {
  name: 'wallet-balance-alert',
  when: "A wallet balance of the integrator fell below a threshold of the tenant's settings.",
  cites: 'G-61',
  message: z.strictObject({
    wallet_id: uuid(),
    description: z.string(),
    /** Minor units left after the debit. */
    balance: z.int(),
    warning: z.boolean(),
    critical: z.boolean(),
  }),
} as const;

export const events = [depositCompleted, paymentMethodUpdated, walletBalanceAlert] as const;
