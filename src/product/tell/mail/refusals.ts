// The refusals of mails.
import { defineRefusals, no, notYet } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  MAIL_NOT_CONFIGURED: no(409, 'caller', 'G-65',
    'The installation has no mail server, so mails cannot be switched on.'),
  MAIL_OFF: no(409, 'caller', 'G-66', 'Mails are not switched on, so nothing was sent.'),
  TOO_MANY_MAILS: notYet(429, 'user', 'G-66',
    'Too many mails were asked for today, by the account or to the address. Try again tomorrow.'),
});
