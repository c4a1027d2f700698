// Refusals of the identity vendor simulator, in order of precedence. A denied person is not here:
// that is a stored outcome.
import { defineRefusals } from '../../kernel/refusal.ts';

export const refusals = defineRefusals({
  VENDOR_KEY_INVALID: {
    status: 401,
    sentence: 'The key of the identity vendor is missing, or not the key of any world.',
    act: 'operator',
    retry: false,
    cites: 'G-12',
  },
  CHECK_FORGOTTEN: {
    status: 409,
    sentence: 'What was under this key is forgotten, and nothing is checked under it again.',
    act: 'caller',
    retry: false,
    cites: 'PD3',
  },
  CHECK_KEY_REUSED: {
    status: 409,
    sentence: 'This key was used before for another person, or with other documents.',
    act: 'caller',
    retry: false,
    cites: 'G-44',
  },
  IDENTITY_EVENT_IMPOSSIBLE: {
    status: 409,
    sentence: 'The key is not known, or this is what the vendor has decided already.',
    act: 'caller',
    retry: false,
    cites: 'G-64',
  },
});
