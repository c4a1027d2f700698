// Entry of a card or bank account on Stripe's own page (Checkout, to save and not to pay). Its page
// refuses to be framed, so the person goes there and comes back.
import type Stripe from 'stripe';
import { instantFromMillis } from '../../core/time.ts';
import type { EnteredToken, EntryKind, MethodEntry } from '../method-entry/port.ts';
import { isTrouble, type StripeLink } from './connection.ts';
import { idOf, tokenOf } from './intents.ts';

/** Seconds in which the page must be finished; Stripe takes no less than 30 minutes. */
const OPEN_SECONDS = 1_860;

const TYPES: Partial<Readonly<Record<EntryKind, 'card' | 'us_bank_account'>>> = {
  card: 'card',
  bank: 'us_bank_account',
};
/** Stripe's names of brands that we spell otherwise. */
const BRANDS: Readonly<Record<string, string>> = {
  amex: 'american-express',
  diners: 'diners-club',
  mastercard: 'master-card',
};
/** Identifies a saved person's payments at Stripe; no personal data is sent. */
const SAVED = 'holdfast_workspace';

export function entriesOf(link: StripeLink): MethodEntry {
  const { stripe, tried, workspace } = link;
  return {
    async begin({ kind, returnUrl }) {
      const type = TYPES[kind];
      if (type === undefined) return null;
      const back = returnUrl ?? link.returnUrl;
      const session = await tried(() =>
        stripe.checkout.sessions.create({
          mode: 'setup',
          customer_creation: 'always',
          allowed_payment_method_types: [type],
          success_url: back,
          cancel_url: back,
          expires_at: Math.floor(Date.now() / 1_000) + OPEN_SECONDS,
          metadata: { [SAVED]: String(workspace) },
        }),
      );
      if (isTrouble(session) || session.url === null) return null;
      const { id, url, expires_at } = session;
      const expires = instantFromMillis(expires_at * 1_000);
      return { id, url, origin: new URL(url).origin, expires, framed: false };
    },
    async take(_workspace, id) {
      const session = await tried(() =>
        stripe.checkout.sessions.retrieve(id, { expand: ['setup_intent.payment_method'] }),
      );
      if (isTrouble(session)) return session.trouble === 'missing' ? 'absent' : null;
      if (session.metadata?.[SAVED] !== String(workspace)) return 'absent';
      if (session.status === 'open') return 'pending';
      return session.status === 'expired' ? 'absent' : savedBy(session);
    },
  };
}

/** What a finished session has saved; null where Stripe's answer does not show it. */
function savedBy({ customer, setup_intent }: Stripe.Checkout.Session): EnteredToken | null {
  const method = typeof setup_intent === 'object' ? setup_intent?.payment_method : null;
  const owner = idOf(customer);
  if (!method || typeof method === 'string' || owner === null) return null;
  const { card, us_bank_account: account, type, id } = method;
  const last4 = card?.last4 ?? account?.last4;
  if (!last4) return null;
  const brand = card ? (BRANDS[card.brand] ?? card.brand.replaceAll('_', '-')) : 'ach';
  return { token: tokenOf(owner, id, type), brand, last4, ...(card && factsOf(card)) };
}

/** A card's expiry and Stripe's own mark of it. */
function factsOf({ exp_year, exp_month, fingerprint }: Stripe.PaymentMethod.Card) {
  const expires = `${exp_year}-${String(exp_month).padStart(2, '0')}`;
  return { expires, ...(fingerprint && { fingerprint }) };
}
