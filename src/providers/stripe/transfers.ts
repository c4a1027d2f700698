// Refunds at Stripe, found again by our key in their metadata; payouts have a file of their own.
// [M12, M13]
import type Stripe from 'stripe';
import type { Processor, TransferOrder, TransferOutcome } from '../processor/port.ts';
import { declineCode } from './codes.ts';
import { isTrouble, underKey, unknownOf, type StripeLink, type Trouble } from './connection.ts';
import { isFresh, KEY } from './intents.ts';
import { payOut, retrievePayout } from './payouts.ts';

type Transfers = Pick<Processor, 'payoutEntries' | 'remit' | 'retrieveTransfer'>;

/** Refunds of one payment that are looked through. */
const LOOKED_AT = 1_000;

export function transfersOf(link: StripeLink): Transfers {
  return {
    // Accounts that were entered to pay with are not paid out to.
    payoutEntries: async () => ['payee'],
    async remit(order) {
      const { key, charge } = order;
      if (order.kind === 'payout') return payOut(link, order);
      // A charge that Stripe never answered about was never captured.
      if (!charge) return declined(key, { code: 'charge_not_refundable' });
      const known = isFresh(key) ? null : await findRefund(link, order);
      if (known !== null) return isTrouble(known) ? unknownOf(known) : outcomeOf(known);
      const sent = await send(link, order, charge);
      if (!isTrouble(sent)) return outcomeOf(sent);
      const final = ['no', 'missing', 'state'].includes(sent.trouble);
      if (!final) return unknownOf(sent);
      return declined(key, sent.code === undefined ? { code: 'charge_not_refundable' } : sent);
    },
    async retrieveTransfer(order) {
      if (order.kind === 'payout') return retrievePayout(link, order);
      const found = await findRefund(link, order);
      if (found === null) return { state: 'absent' };
      return isTrouble(found) ? unknownOf(found) : outcomeOf(found);
    },
  };
}

function send(
  link: StripeLink,
  order: TransferOrder,
  charge: string,
): Promise<Stripe.Refund | Trouble> {
  const { stripe, tried } = link;
  const { key, target, amount, currency } = order;
  const request: Stripe.RefundCreateParams = {
    payment_intent: charge,
    amount: Number(amount),
    // Whatever differs under the same key is refused by Stripe.
    metadata: { [KEY]: key, holdfast_charge: target, holdfast_currency: currency },
  };
  return underKey(
    key,
    (idempotencyKey) => tried(() => stripe.refunds.create(request, { idempotencyKey })),
    () => findRefund(link, order),
  );
}

/** The refund of a key; null for none. */
async function findRefund(
  { stripe, tried }: StripeLink,
  { key, charge }: TransferOrder,
): Promise<Stripe.Refund | Trouble | null> {
  if (!charge) return null;
  const refunds = await tried(() =>
    stripe.refunds
      .list({ payment_intent: charge, limit: 100 })
      .autoPagingToArray({ limit: LOOKED_AT }),
  );
  if (isTrouble(refunds)) return refunds.trouble === 'missing' ? null : refunds;
  return refunds.find(({ metadata }) => metadata?.[KEY] === key) ?? null;
}

function outcomeOf(refund: Stripe.Refund): TransferOutcome {
  const { id: reference, status, amount, currency } = refund;
  const sent = { reference, amount: BigInt(amount), currency: currency.toUpperCase() };
  switch (status) {
    case 'succeeded':
      return { state: 'paid', ...sent };
    case 'pending':
    case 'requires_action':
      return { state: 'pending', ...sent };
    case 'failed':
    case 'canceled':
      return declined(reference, { code: refund.failure_reason });
    default:
      return { state: 'unknown' };
  }
}

function declined(reference: string, why: Parameters<typeof declineCode>[0]): TransferOutcome {
  return { state: 'declined', reference, code: declineCode(why) };
}
