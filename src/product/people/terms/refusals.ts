// The refusals of terms of service, in order of precedence.
import { defineRefusals } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  TERMS_NOT_FOUND: {
    status: 404,
    sentence: 'There are no such terms of service.',
    act: 'caller',
    retry: false,
    cites: 'G-21',
  },
  TERMS_VERSION_STALE: {
    status: 400,
    sentence: 'The terms of service have changed since they were shown. Read the new version.',
    act: 'user',
    retry: true,
    cites: 'G-21',
  },
  TERMS_NOT_SIGNED: {
    status: 403,
    sentence: 'The person has not accepted the current terms of service.',
    act: 'user',
    retry: true,
    cites: 'G-21',
  },
});
