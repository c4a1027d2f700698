// The refusals of the token endpoints and of user authorization. The first six are OAuth's own
// errors: their codes in lower case are the `error` member of RFC 6749. [G-10]
import { defineRefusals } from '../../../core/refusal.ts';
import { accountNotFoundInBody, refusals as account } from '../../people/account/index.ts';

const own = defineRefusals({
  INVALID_REQUEST: {
    status: 400,
    sentence:
      'A required parameter is missing, or the client credentials were sent in more than one way.',
    act: 'caller',
    retry: false,
    cites: 'G-10',
  },
  INVALID_CLIENT: {
    status: 401,
    sentence: 'The client is unknown or its secret is invalid.',
    act: 'caller',
    retry: false,
    cites: 'G-10',
  },
  UNSUPPORTED_GRANT_TYPE: {
    status: 400,
    sentence: 'The grant type must be client_credentials or refresh_token.',
    act: 'caller',
    retry: false,
    cites: 'G-10',
  },
  INVALID_GRANT: {
    status: 400,
    sentence: 'The refresh token is invalid, expired or revoked.',
    act: 'caller',
    retry: false,
    cites: 'G-10',
  },
  INVALID_SCOPE: {
    status: 400,
    sentence: 'A requested scope does not exist or cannot be granted here.',
    act: 'caller',
    retry: false,
    cites: 'G-10',
  },
  USER_TOKEN_NOT_ALLOWED: {
    status: 403,
    sentence: 'Only a client can request a user token; a user can only open web flows.',
    act: 'caller',
    retry: false,
    cites: 'G-14',
  },
  CONSENT_REVOKED: {
    status: 403,
    sentence: 'The person revoked their consent and must give it again in a flow opened by a link.',
    act: 'user',
    retry: false,
    cites: 'G-16',
  },
  LINK_NOT_FOUND: {
    status: 404,
    sentence: 'There is no such link.',
    act: 'caller',
    retry: false,
    cites: 'G-11',
  },
});

/** In order of precedence, with those of accounts. */
export const refusals = {
  ...own,
  ACCOUNT_NOT_FOUND: accountNotFoundInBody,
  ACCOUNT_BLOCKED: account.ACCOUNT_BLOCKED,
};
