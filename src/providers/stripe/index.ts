// Stripe as a provider: charges, refunds, statement, webhooks and the entry of cards, by its
// official package. What it cannot do here, and how to try it, is in docs/providers/stripe.md.
import type { Provider } from '../port.ts';
import { answeredElsewhere } from '../processor/answered-elsewhere.ts';
import { chargesOf } from './charges.ts';
import { credentials, isTrouble, modeOf, openLink, type Credentials } from './connection.ts';
import { entriesOf } from './entry.ts';
import { noticeOf } from './notices.ts';
import { statementOf } from './statement.ts';
import { transfersOf } from './transfers.ts';

export const provider: Provider<'processor', Credentials> = {
  credentials,
  modeOf,
  connect(settings) {
    const link = openLink(settings);
    return {
      processor: {
        ...chargesOf(link),
        ...transfersOf(link),
        ...answeredElsewhere,
        statement: statementOf(link),
        readNotice: (raw) => noticeOf(link, raw),
      },
      methodEntry: entriesOf(link),
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
      close: async () => link.close(),
    };
  },
};
