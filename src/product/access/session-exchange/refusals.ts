// The refusals of opening a link. What is wrong with a link is told only to who holds its nonce.
import { defineRefusals, no } from '../../../core/refusal.ts';
import { refusals as account } from '../../people/account/index.ts';
import { refusals as oauth } from '../oauth/index.ts';
import { refusals as terms } from '../../people/terms/index.ts';

const own = defineRefusals({
  LINK_EXPIRED: no(410, 'user', 'seed: Authentication 4',
    'The link or its session has expired. Ask for a new link.'),
  LINK_USED: no(410, 'user', 'G-13',
    'The link has already been opened elsewhere. Ask for a new link.'),
  LINK_FLOW_MISMATCH: no(403, 'caller', 'ID1', 'The link was created for a different flow.'),
});

/** In order of precedence, with those of other modules. */
export const refusals = {
  LINK_NOT_FOUND: oauth.LINK_NOT_FOUND,
  ...own,
  ACCOUNT_BLOCKED: account.ACCOUNT_BLOCKED,
  TERMS_VERSION_STALE: terms.TERMS_VERSION_STALE,
};
