// The refusals of accounts, in order of precedence.
import { defineRefusals, refuse, type Refusal, type RefusalSpec } from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  ACCOUNT_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such account.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
  EMAIL_INVALID: {
    status: 400,
    sentence: 'The e-mail address is not valid.',
    act: 'caller',
    retry: false,
    cites: 'G-20',
  },
  USERNAME_ALREADY_TAKEN: {
    status: 400,
    sentence: 'The username is already taken.',
    act: 'caller',
    retry: false,
    cites: 'seed: Errors',
  },
  ACCOUNT_BLOCKED: {
    status: 403,
    sentence: 'The account is blocked.',
    act: 'operator',
    retry: false,
    cites: 'G-14',
  },
  ACCOUNT_MERGED: {
    status: 400,
    sentence: 'The account was merged into another account and is permanently closed.',
    act: 'caller',
    retry: false,
    cites: 'G-22',
  },
  ACCOUNT_ERASED: {
    status: 400,
    sentence: 'The personal data of this account has been erased and cannot be changed.',
    act: 'operator',
    retry: false,
    cites: 'PD3',
  },
  ACCOUNT_BLOCK_NOT_YOURS: {
    status: 403,
    sentence: 'Only the operator of the service can lift this block.',
    act: 'operator',
    retry: false,
    cites: 'G-20',
  },
  ACCOUNT_CHANGED_MEANWHILE: {
    status: 503,
    sentence:
      'Another request changed the account at the same time; nothing was changed. Try again.',
    act: 'caller',
    retry: true,
    cites: 'G-20',
  },
});

/** The same refusal for an id in a body, or where the interface lists no 404. [G-11] */
export const accountNotFoundInBody: RefusalSpec = { ...refusals.ACCOUNT_NOT_FOUND, status: 400 };

/** That refusal, naming the field of the body. [G-72] */
export function namesNoAccount(field = 'account_id'): Refusal {
  return refuse(accountNotFoundInBody, { [field]: 'does not exist' });
}
