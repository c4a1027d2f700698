// The refusals of opening a link. What is wrong with a link is told only to who holds its nonce.
import { defineRefusals } from '../../../core/refusal.ts';
import { refusals as account } from '../../people/account/index.ts';
import { refusals as oauth } from '../oauth/index.ts';
import { refusals as terms } from '../../people/terms/index.ts';

const own = defineRefusals({
  LINK_EXPIRED: {
    status: 410,
    sentence: 'The link or its session has expired. Ask for a new link.',
    act: 'user',
    retry: false,
    cites: 'seed: Authentication 4',
  },
  LINK_USED: {
    status: 410,
    sentence: 'The link has already been opened elsewhere. Ask for a new link.',
    act: 'user',
    retry: false,
    cites: 'G-13',
  },
  LINK_FLOW_MISMATCH: {
    status: 403,
    sentence: 'The link was created for a different flow.',
    act: 'caller',
    retry: false,
    cites: 'ID1',
  },
});

/** In order of precedence, with those of other modules. */
export const refusals = {
  LINK_NOT_FOUND: oauth.LINK_NOT_FOUND,
  ...own,
  ACCOUNT_BLOCKED: account.ACCOUNT_BLOCKED,
  TERMS_VERSION_STALE: terms.TERMS_VERSION_STALE,
};
