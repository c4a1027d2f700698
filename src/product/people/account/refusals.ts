// The refusals of accounts, in order of precedence.
import {
  defineRefusals,
  no,
  notYet,
  refuse,
  type Refusal,
  type RefusalSpec,
} from '../../../core/refusal.ts';

export const refusals = defineRefusals({
  ACCOUNT_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such account.'),
  EMAIL_INVALID: no(400, 'caller', 'G-20', 'The e-mail address is not valid.'),
  USERNAME_ALREADY_TAKEN: no(400, 'caller', 'seed: Errors', 'The username is already taken.'),
  ACCOUNT_BLOCKED: no(403, 'operator', 'G-14', 'The account is blocked.'),
  ACCOUNT_MERGED: no(400, 'caller', 'G-22',
    'The account was merged into another account and is permanently closed.'),
  ACCOUNT_ERASED: no(400, 'operator', 'PD3',
    'The personal data of this account has been erased and cannot be changed.'),
  ACCOUNT_BLOCK_NOT_YOURS: no(403, 'operator', 'G-20',
    'Only the operator of the service can lift this block.'),
  ACCOUNT_CHANGED_MEANWHILE: notYet(503, 'caller', 'G-20',
    'Another request changed the account at the same time; nothing was changed. Try again.'),
});

/** The same refusal for an id in a body, or where the interface lists no 404. [G-11] */
export const accountNotFoundInBody: RefusalSpec = { ...refusals.ACCOUNT_NOT_FOUND, status: 400 };

/** That refusal, naming the field of the body. [G-72] */
export function namesNoAccount(field = 'account_id'): Refusal {
  return refuse(accountNotFoundInBody, { [field]: 'does not exist' });
}
