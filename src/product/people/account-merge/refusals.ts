// The refusals of account merges, in order of precedence. [G-22]
import { defineRefusals } from '../../../core/refusal.ts';
import { accountNotFoundInBody, refusals as account } from '../account/index.ts';

const own = defineRefusals({
  MERGE_SAME_ACCOUNT: {
    status: 400,
    sentence: 'An account cannot be merged into itself.',
    act: 'caller',
    retry: false,
    cites: 'G-22',
  },
  MERGE_SOURCE_NOT_AT_REST: {
    status: 400,
    sentence: 'The source account has payments in progress or restricted funds; nothing was moved.',
    act: 'caller',
    retry: true,
    cites: 'G-22',
  },
  MERGE_SOURCE_IDENTITY: {
    status: 400,
    sentence: 'The identity of the source account was denied or is still being checked.',
    act: 'operator',
    retry: true,
    cites: 'G-22',
  },
});

export const refusals = {
  MERGE_SAME_ACCOUNT: own.MERGE_SAME_ACCOUNT,
  ACCOUNT_NOT_FOUND: accountNotFoundInBody,
  ACCOUNT_MERGED: account.ACCOUNT_MERGED,
  ACCOUNT_BLOCKED: account.ACCOUNT_BLOCKED,
  MERGE_SOURCE_NOT_AT_REST: own.MERGE_SOURCE_NOT_AT_REST,
  MERGE_SOURCE_IDENTITY: own.MERGE_SOURCE_IDENTITY,
};
