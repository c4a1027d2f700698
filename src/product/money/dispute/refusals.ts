// The refusals of disputes.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  DISPUTE_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such dispute.'),
});
