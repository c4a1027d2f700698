// The only refusal of explanations.
import { defineRefusals } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  RESOURCE_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such resource.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
});
