// Messages of the webhook events of wallets and payment methods. [G-61]
import { z } from 'zod';
import { uuid } from '../../../core/schema.ts';
import { depositRecord, methodState } from './schema.ts';

export const messages = {
  depositCompleted: depositRecord,
  paymentMethodUpdated: z.strictObject({
    account_id: z.string(),
    payment_method_id: z.string(),
    state: methodState,
  }),
  walletBalanceAlert: z.strictObject({
    wallet_id: uuid(),
    description: z.string(),
    /** Minor units left after the debit. */
    balance: z.int(),
    warning: z.boolean(),
    critical: z.boolean(),
  }),
} as const;
