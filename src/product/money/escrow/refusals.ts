// The refusals of escrows, in order of precedence; those of creation are the invoice's.
import { defineRefusals } from '../../../core/refusal.ts';

const input = { status: 400, act: 'caller', retry: false } as const;

export const refusals = defineRefusals({
  ESCROW_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such escrow.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  ESCROW_PAYMENT_IN_PROGRESS: {
    ...input,
    sentence: 'The escrow is being paid and the outcome is not known yet.',
    cites: 'G-34',
  },
  ESCROW_NOT_OPEN: {
    ...input,
    sentence: 'The escrow is not open: it has already been paid, or its payment failed.',
    cites: 'G-36',
  },
  ESCROW_NOT_ESCROWED: {
    ...input,
    sentence: 'Only an escrow in status ESCROWED can be committed or cancelled.',
    cites: 'seed: Errors',
  },
  ESCROW_DISPUTED: {
    ...input,
    sentence: 'A charge of the escrow is disputed. Wait until the dispute is closed.',
    cites: 'G-93',
  },
});
