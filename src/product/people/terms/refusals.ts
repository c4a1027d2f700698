// The refusals of terms of service, in order of precedence.
import { defineRefusals, no, notYet } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  TERMS_NOT_FOUND: no(404, 'caller', 'G-21', 'There are no such terms of service.'),
  TERMS_VERSION_STALE: notYet(400, 'user', 'G-21',
    'The terms of service have changed since they were shown. Read the new version.'),
  TERMS_NOT_SIGNED: notYet(403, 'user', 'G-21',
    'The person has not accepted the current terms of service.'),
});
