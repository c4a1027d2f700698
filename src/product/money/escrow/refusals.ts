// The refusals of escrows, in order of precedence; those of creation are the invoice's.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  ESCROW_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such escrow.'),
  ESCROW_PAYMENT_IN_PROGRESS: no(400, 'caller', 'G-34',
    'The escrow is being paid and the outcome is not known yet.'),
  ESCROW_NOT_OPEN: no(400, 'caller', 'G-36',
    'The escrow is not open: it has already been paid, or its payment failed.'),
  ESCROW_NOT_ESCROWED: no(400, 'caller', 'seed: Errors',
    'Only an escrow in status ESCROWED can be committed or cancelled.'),
  ESCROW_DISPUTED: no(400, 'caller', 'G-93',
    'A charge of the escrow is disputed. Wait until the dispute is closed.'),
});
