// The refusals of the token endpoints and of user authorization. The first six are OAuth's own
// errors: their codes in lower case are the `error` member of RFC 6749. [G-10]
import { defineRefusals, no } from '../../../core/refusal.ts';
import { accountNotFoundInBody, refusals as account } from '../../people/account/index.ts';

const own = defineRefusals({
  INVALID_REQUEST: no(400, 'caller', 'G-10',
    'A required parameter is missing, or the client credentials were sent in more than one way.'),
  INVALID_CLIENT: no(401, 'caller', 'G-10', 'The client is unknown or its secret is invalid.'),
  UNSUPPORTED_GRANT_TYPE: no(400, 'caller', 'G-10',
    'The grant type must be client_credentials or refresh_token.'),
  INVALID_GRANT: no(400, 'caller', 'G-10', 'The refresh token is invalid, expired or revoked.'),
  INVALID_SCOPE: no(400, 'caller', 'G-10',
    'A requested scope does not exist or cannot be granted here.'),
  USER_TOKEN_NOT_ALLOWED: no(403, 'caller', 'G-14',
    'Only a client can request a user token; a user can only open web flows.'),
  CONSENT_REVOKED: no(403, 'user', 'G-16',
    'The person revoked their consent and must give it again in a flow opened by a link.'),
  LINK_NOT_FOUND: no(404, 'caller', 'G-11', 'There is no such link.'),
});

/** In order of precedence, with those of accounts. */
export const refusals = {
  ...own,
  ACCOUNT_NOT_FOUND: accountNotFoundInBody,
  ACCOUNT_BLOCKED: account.ACCOUNT_BLOCKED,
};
