// The refusals of identity, in order of precedence.
import { defineRefusals } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  IDENTITY_NOTICE_NOT_PROVEN: {
    status: 401,
    sentence: 'The notification is not signed by the identity vendor, or its timestamp is too old.',
    act: 'caller',
    retry: false,
    cites: 'EV6',
  },
  KYC_NOT_FOUND: {
    status: 400,
    sentence: 'There is no such identity application.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  KYC_FOLLOWS_ENTITY: {
    status: 400,
    sentence: 'This is a business account: the business is verified instead of a person.',
    act: 'user',
    retry: false,
    cites: 'G-55',
  },
  KYC_ALREADY_ACCEPTED: {
    status: 400,
    sentence:
      'The identity is already accepted; only customer support can change the data on file.',
    act: 'user',
    retry: false,
    cites: 'G-51',
  },
  KYC_IN_PROGRESS: {
    status: 400,
    sentence: 'An identity application is already being checked; no further data is needed now.',
    act: 'user',
    retry: false,
    cites: 'G-51',
  },
  KYC_TAX_FORM_NOT_DUE: {
    status: 400,
    sentence: 'Tax information can be sent once, and again only when an update is required.',
    act: 'user',
    retry: false,
    cites: 'G-51',
  },
  KYC_NOT_ACCEPTED: {
    status: 400,
    sentence: 'Only an accepted identity can be verified again.',
    act: 'caller',
    retry: false,
    cites: 'G-51',
  },
  KYC_CHANGED_MEANWHILE: {
    status: 503,
    sentence: 'The identity state changed at the same time; nothing was stored. Try again.',
    act: 'caller',
    retry: true,
    cites: 'G-51',
  },
});
