// The refusals of account merges, in order of precedence. [G-22]
import { defineRefusals, no, notYet } from '../../../core/refusal.ts';
import { accountNotFoundInBody, refusals as account } from '../account/index.ts';

const own = defineRefusals({
  MERGE_SAME_ACCOUNT: no(400, 'caller', 'G-22', 'An account cannot be merged into itself.'),
  MERGE_SOURCE_NOT_AT_REST: notYet(400, 'caller', 'G-22',
    'The source account has payments in progress or restricted funds; nothing was moved.'),
  MERGE_SOURCE_IDENTITY: notYet(400, 'operator', 'G-22',
    'The identity of the source account was denied or is still being checked.'),
});

export const refusals = {
  MERGE_SAME_ACCOUNT: own.MERGE_SAME_ACCOUNT,
  ACCOUNT_NOT_FOUND: accountNotFoundInBody,
  ACCOUNT_MERGED: account.ACCOUNT_MERGED,
  ACCOUNT_BLOCKED: account.ACCOUNT_BLOCKED,
  MERGE_SOURCE_NOT_AT_REST: own.MERGE_SOURCE_NOT_AT_REST,
  MERGE_SOURCE_IDENTITY: own.MERGE_SOURCE_IDENTITY,
};
