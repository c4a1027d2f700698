// The refusals of entering a code.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  EMAIL_CODE_EXPIRED: no(400, 'user', 'G-67',
    'There is no such code, or it has expired. Ask for a new one.'),
  EMAIL_CODE_SPENT: no(400, 'user', 'G-67',
    'The code was entered wrongly too often. Ask for a new one.'),
  EMAIL_CODE_WRONG: no(400, 'user', 'G-67', 'The code is wrong.'),
});
