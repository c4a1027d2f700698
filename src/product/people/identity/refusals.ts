// The refusals of identity, in order of precedence.
import { defineRefusals, no, notYet } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  IDENTITY_NOTICE_NOT_PROVEN: no(401, 'caller', 'EV6',
    'The notification is not signed by the identity vendor, or its timestamp is too old.'),
  KYC_NOT_FOUND: no(400, 'caller', 'G-11', 'There is no such identity application.'),
  KYC_FOLLOWS_ENTITY: no(400, 'user', 'G-55',
    'This is a business account: the business is verified instead of a person.'),
  KYC_ALREADY_ACCEPTED: no(400, 'user', 'G-51',
    'The identity is already accepted; only customer support can change the data on file.'),
  KYC_IN_PROGRESS: no(400, 'user', 'G-51',
    'An identity application is already being checked; no further data is needed now.'),
  KYC_TAX_FORM_NOT_DUE: no(400, 'user', 'G-51',
    'Tax information can be sent once, and again only when an update is required.'),
  KYC_NOT_ACCEPTED: no(400, 'caller', 'G-51', 'Only an accepted identity can be verified again.'),
  KYC_NOT_AT_VENDOR: no(400, 'user', 'G-51',
    'The identity vendor does not wait for this person; retrieve the form for what is needed now.'),
  KYC_VENDOR_UNAVAILABLE: notYet(503, 'operator', 'G-51',
    'The identity vendor did not answer; nothing was changed. Try again.'),
  KYC_CHANGED_MEANWHILE: notYet(503, 'caller', 'G-51',
    'The identity state changed at the same time; nothing was stored. Try again.'),
});
