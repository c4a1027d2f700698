// A charge is one PaymentIntent, made without money and then confirmed: who has the key finds it,
// who gives the charge up first cancels it, and one that was never confirmed holds nothing.
import type Stripe from 'stripe';
import { millisOfUuid } from '../../core/ids.ts';
import { onceKindOf, type ChargeOrder } from '../processor/port.ts';
import { isTrouble, underKey, type StripeLink, type Trouble } from './connection.ts';

/** What our keys are called in Stripe's metadata, which its charges and refunds show again. */
export const KEY = 'holdfast_key';

/** Stripe forgets idempotency keys after 24 hours; before, a repetition is the same call. [U20] */
const FRESH_MS = 23 * 3_600_000;
/** How far the clocks of the key's maker and Stripe may be apart. */
export const SKEW_SECONDS = 3_600;
/** PaymentIntents of one card that are looked through. */
export const LOOKED_AT = 1_000;

/** A saved card or account: Stripe's customer, its payment method, and how it pays. */
export interface Saved {
  readonly customer: string;
  readonly method: string;
  /** A bank debit cannot be authorized: it begins with the capture. */
  readonly debit: boolean;
}

const TOKEN = /^(cus_\w{1,40})-(pm_\w{1,40})-(card|us_bank_account)$/;

export function tokenOf(customer: string, method: string, type: string): string {
  return `${customer}-${method}-${type}`;
}

/** Reads a token; null for one that is not of this adapter. */
export function savedOf(token: string): Saved | null {
  const [, customer, method, type] = TOKEN.exec(token) ?? [];
  if (customer === undefined || method === undefined) return null;
  return { customer, method, debit: type === 'us_bank_account' };
}

/** True where a repetition under the key is still the same call to Stripe. */
export function isFresh(key: string): boolean {
  return key[14] === '7' && Date.now() - millisOfUuid(key) < FRESH_MS;
}

/** Seconds of the epoch at which a key was made; 0 where it does not say. */
export function secondsOf(key: string): number {
  return key[14] === '7' ? Math.floor(millisOfUuid(key) / 1_000) : 0;
}

/** Unix seconds before which nothing under the key can have been made. */
export function madeAfter(key: string): number {
  return Math.max(secondsOf(key) - SKEW_SECONDS, 0);
}

/** The PaymentIntent of a key as it is now; null for none. */
export async function findIntent(
  link: StripeLink,
  { key, reference, token }: ChargeOrder,
): Promise<Stripe.PaymentIntent | Trouble | null> {
  const { stripe, tried } = link;
  if (reference?.startsWith('pi_')) {
    const intent = await tried(() => readIntent(stripe, reference));
    if (isTrouble(intent)) return intent.trouble === 'missing' ? null : intent;
    return intent.metadata[KEY] === key ? intent : { trouble: 'unknown' };
  }
  const saved = savedOf(token);
  if (saved === null) return null;
  const list = await tried(() =>
    stripe.paymentIntents
      .list({
        customer: saved.customer,
        created: { gte: madeAfter(key) },
        limit: 100,
        expand: ['data.latest_charge'],
      })
      .autoPagingToArray({ limit: LOOKED_AT }),
  );
  // Who does not know the customer has no payment of it.
  if (isTrouble(list)) return list.trouble === 'missing' ? null : list;
  if (list.some(({ livemode }) => livemode !== link.live)) return { trouble: 'unknown' };
  const mine = list.filter(({ metadata }) => metadata[KEY] === key);
  return mine.find(({ status }) => status !== 'requires_confirmation') ?? mine[0] ?? null;
}

export function readIntent(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
}

/** The PaymentIntent of a key, made if there is none; without money until it is confirmed. */
export function enterIntent(
  { stripe, tried, workspace }: StripeLink,
  { key, amount, currency }: ChargeOrder,
  { customer, method, debit }: Saved,
): Promise<Stripe.PaymentIntent | Trouble> {
  const request: Stripe.PaymentIntentCreateParams = {
    amount: Number(amount),
    currency: currency.toLowerCase(),
    customer,
    payment_method: method,
    capture_method: debit ? 'automatic' : 'manual',
    metadata: { [KEY]: key, holdfast_workspace: String(workspace) },
  };
  return underKey(key, (idempotencyKey) =>
    tried(() => stripe.paymentIntents.create(request, { idempotencyKey })),
  );
}

/** What a payment on Stripe's page was made for, in its metadata. */
export const PAID_ONCE = 'holdfast_order';

/** What an order says, for `PAID_ONCE`: a page is of one order only. */
export function orderText({ amount, currency, token }: ChargeOrder): string {
  return `${amount} ${currency} ${token}`;
}

/** True where the PaymentIntent is of this very order. */
export function isOf(intent: Stripe.PaymentIntent, order: ChargeOrder): boolean {
  if (onceKindOf(order.token) !== null) return intent.metadata[PAID_ONCE] === orderText(order);
  const saved = savedOf(order.token);
  const method = idOf(intent.payment_method ?? intent.last_payment_error?.payment_method);
  return (
    intent.amount === Number(order.amount) &&
    intent.currency.toUpperCase() === order.currency &&
    idOf(intent.customer) === saved?.customer &&
    (method === null || method === saved?.method)
  );
}

/** The id of what may be expanded. */
export function idOf(object: string | { readonly id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null);
}
