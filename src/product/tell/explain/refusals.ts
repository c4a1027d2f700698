// The only refusal of explanations.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  RESOURCE_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such resource.'),
});
