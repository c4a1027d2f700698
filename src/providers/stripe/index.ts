// Stripe as two providers, by its official package: of payments (charges, refunds, payouts to
// sellers' accounts, statement, the entry of cards), and of identity. What each cannot do, and how
// to try it, is in docs/providers.
import type { Provider } from '../port.ts';
import { credentials, isTrouble, modeOf, openLink, type Credentials } from './connection.ts';
import { answersOf } from './disputes.ts';
import { entriesOf } from './entry.ts';
import { checksOf } from './identity.ts';
import { noticeOf } from './notices.ts';
import { chargesWithOnce } from './once.ts';
import { payeesOf } from './payees.ts';
import { statementOf } from './statement.ts';
import { transfersOf } from './transfers.ts';

export const provider: Provider<'processor', Credentials> = {
  credentials,
  modeOf,
  connect(settings) {
    const link = openLink(settings);
    return {
      processor: {
        ...chargesWithOnce(link),
        ...transfersOf(link),
        ...answersOf(link),
        statement: statementOf(link),
        readNotice: (raw) => noticeOf(link, raw),
      },
      methodEntry: entriesOf(link),
      payees: payeesOf(link),
      async check() {
        const balance = await link.tried(() => link.stripe.balance.retrieve());
        const wrong: string[] = [];
        if (isTrouble(balance)) {
          wrong.push('Stripe did not answer with this key: check key, mode and network.');
        }
        if (link.secrets.length === 0) {
          wrong.push('webhook_secrets is empty: register the address for webhooks at Stripe.');
        }
        return wrong;
      },
      async merchant() {
        const account = await link.tried(() => link.stripe.accounts.retrieveCurrent());
        return isTrouble(account) ? null : account.id;
      },
      close: async () => link.close(),
    };
  },
};

/** Stripe Identity. Its account, key and webhook secret may be others than those of payments. */
export const identity: Provider<'identity', Credentials> = {
  credentials,
  modeOf,
  connect(settings) {
    const link = openLink(settings);
    const { secret_key: secret } = settings.credentials;
    return {
      identityVendor: checksOf(link),
      async check() {
        const { verificationSessions: sessions } = link.stripe.identity;
        const list = await link.tried(() => sessions.list({ limit: 1 }));
        if (isTrouble(list)) {
          return ['Stripe Identity did not answer with this key: check it and its permissions.'];
        }
        return secret.startsWith('rk_') ? [] : [NO_BIRTH_DATES];
      },
      close: async () => link.close(),
    };
  },
};

const NO_BIRTH_DATES =
  'A secret key cannot read dates of birth, so operators would review everybody: use a ' +
  'restricted key that reads sensitive verification results.';
