// Stripe as a provider: charges, refunds, payouts to sellers' accounts, statement, webhooks and
// the entry of cards, by its official package. What it cannot do here, and how to try it, is in
// docs/providers/stripe.md.
import type { Provider } from '../port.ts';
import { credentials, isTrouble, modeOf, openLink, type Credentials } from './connection.ts';
import { answersOf } from './disputes.ts';
import { entriesOf } from './entry.ts';
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
        if (!isTrouble(balance)) return [];
        return ['Stripe did not answer with this key: check the key, its mode and the network.'];
      },
      async merchant() {
        const account = await link.tried(() => link.stripe.accounts.retrieveCurrent());
        return isTrouble(account) ? null : account.id;
      },
      close: async () => link.close(),
    };
  },
};
