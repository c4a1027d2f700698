// Refusals of the identity vendor simulator, in order of precedence. A denied person is not here:
// that is a stored outcome.
import { defineRefusals } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  VENDOR_KEY_INVALID: {
    status: 401,
    sentence: 'The key of the identity vendor is missing or invalid.',
    act: 'operator',
    retry: false,
    cites: 'G-12',
  },
  CHECK_FORGOTTEN: {
    status: 409,
    sentence: 'The check under this key was deleted, and the key cannot be used again.',
    act: 'caller',
    retry: false,
    cites: 'PD3',
  },
  CHECK_KEY_REUSED: {
    status: 409,
    sentence: 'This key was already used for another person or other documents.',
    act: 'caller',
    retry: false,
    cites: 'G-44',
  },
  IDENTITY_EVENT_IMPOSSIBLE: {
    status: 409,
    sentence: 'The key is unknown, or the vendor has already made this decision.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
});
