// The refusals of mails.
import { defineRefusals, no } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  MAIL_NOT_CONFIGURED: no(409, 'caller', 'G-65',
    'The installation has no mail server, so mails cannot be switched on.'),
});
