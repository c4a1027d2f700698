// Refusals of the identity vendor simulator, in order of precedence. A denied person is not here:
// that is a stored outcome.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  VENDOR_KEY_INVALID: no(401, 'operator', 'G-12',
    'The key of the identity vendor is missing or invalid.'),
  CHECK_FORGOTTEN: no(409, 'caller', 'PD3',
    'The check under this key was deleted, and the key cannot be used again.'),
  CHECK_KEY_REUSED: no(409, 'caller', 'G-44',
    'This key was already used for another person or other documents.'),
  IDENTITY_EVENT_IMPOSSIBLE: no(409, 'caller', 'G-64',
    'The key is unknown, or the vendor has already made this decision.'),
});
