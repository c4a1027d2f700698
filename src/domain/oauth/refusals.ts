// The refusals of the token endpoints and of user authorization. The first six are OAuth's own
// errors: their codes in lower case are the `error` member of RFC 6749. [G-10]
import { defineRefusals } from '../../kernel/refusal.ts';
import { accountNotFoundInBody, refusals as account } from '../account/index.ts';

const own = defineRefusals({
  INVALID_REQUEST: {
    status: 400,
    sentence: 'The request lacks a parameter, or gives credentials in two ways.',
    act: 'caller',
    retry: false,
    cites: 'G-10',
  },
  INVALID_CLIENT: {
    status: 401,
    sentence: 'The client is unknown, or its secret is not valid.',
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
    sentence: 'The refresh token is not valid, or no longer.',
    act: 'caller',
    retry: false,
    cites: 'G-10',
  },
  INVALID_SCOPE: {
    status: 400,
    sentence: 'A scope that was asked for does not exist or may not be given here.',
    act: 'caller',
    retry: false,
    cites: 'G-10',
  },
  USER_TOKEN_NOT_ALLOWED: {
    status: 403,
    sentence: 'Only a client may ask for a user token; a user may open web flows.',
    act: 'caller',
    retry: false,
    cites: 'G-14',
  },
  CONSENT_REVOKED: {
    status: 403,
    sentence: 'The person took their consent back; they must agree again in a flow of a link.',
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
