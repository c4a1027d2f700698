// Webhooks of Stripe, proven over the bytes that were sent. An event is never believed: it only
// says about which key Stripe is to be asked. [EV6]
import type Stripe from 'stripe';
import type { Notice, RawNotice } from '../processor/port.ts';
import type { StripeLink } from './connection.ts';
import { KEY } from './intents.ts';

/** Seconds for which a signature counts. */
const TOLERANCE = 300;

/** Reads a webhook of this connection; null unless it is proven. */
export function noticeOf(link: StripeLink, raw: RawNotice): Notice | null {
  const event = provenEvent(link, raw);
  return event === null ? null : read(link.workspace, event);
}

/** The event of a webhook; null unless it is signed, fresh and of this connection's mode. */
export function provenEvent(link: StripeLink, { headers, body }: RawNotice): Stripe.Event | null {
  const signature = headers['stripe-signature'];
  if (typeof signature !== 'string') return null;
  for (const secret of link.secrets) {
    const event = proven(link.stripe, body, signature, secret);
    if (event !== null) return event.livemode === link.live ? event : null;
  }
  return null;
}

function proven(
  stripe: Stripe,
  body: Uint8Array,
  signature: string,
  secret: string,
): Stripe.Event | null {
  try {
    return stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE);
  } catch {
    return null;
  }
}

function read(workspace: number, { id, type, data, account }: Stripe.Event): Notice {
  // Of a seller's account only the account itself matters: what it holds is not ours.
  if (account !== undefined) return { workspace, id, key: account, about: 'payee' };
  const { metadata } = data.object as { readonly metadata?: Stripe.Metadata | null };
  const key = metadata?.[KEY] ?? '';
  const [noun = ''] = type.split('.');
  const out = ['refund', 'transfer'].includes(noun) || type.startsWith('charge.refund.');
  if (key !== '' && out) return { workspace, id, key, about: 'remittance' };
  const charge = noun === 'payment_intent' || noun === 'checkout';
  if (key !== '' && charge) return { workspace, id, key, about: 'charge' };
  // Disputes, transfers to the bank and what else there may be are read from the statement.
  return { workspace, id, key, about: 'statement' };
}
