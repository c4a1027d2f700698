// The refusals of disputes.
import { defineRefusals } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  DISPUTE_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such dispute.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
});
