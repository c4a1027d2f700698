// Payouts to sellers at Stripe: a transfer from the platform's account to the seller's own, which
// Stripe pays out to the bank account that it verified. Found again by its group, our key. One that
// was reversed as a whole has come back. [G-91, M12, M13]
import type Stripe from 'stripe';
import type { TransferOrder, TransferOutcome } from '../processor/port.ts';
import { OTHER_UNIT } from './charges.ts';
import { declineCode } from './codes.ts';
import { isTrouble, underKey, unknownOf, type StripeLink, type Trouble } from './connection.ts';
import { isFresh, KEY } from './intents.ts';

type Found = Stripe.Transfer | Trouble | null;

/** Sends a payout; the same key again gives what came of the first. */
export async function payOut(link: StripeLink, order: TransferOrder): Promise<TransferOutcome> {
  const { key, currency } = order;
  if (OTHER_UNIT.includes(currency)) return declined(key, { code: 'currency_not_supported' });
  const known = isFresh(key) ? null : await findTransfer(link, order);
  const sent = known ?? (await send(link, order));
  if (!isTrouble(sent)) return outcomeOf(sent);
  const final = ['no', 'missing', 'state'].includes(sent.trouble);
  return final ? declined(key, sent) : unknownOf(sent);
}

export async function retrievePayout(
  link: StripeLink,
  order: TransferOrder,
): Promise<TransferOutcome> {
  const found = await findTransfer(link, order);
  if (found === null) return { state: 'absent' };
  return isTrouble(found) ? unknownOf(found) : outcomeOf(found);
}

async function send(link: StripeLink, order: TransferOrder): Promise<Stripe.Transfer | Trouble> {
  const { stripe, tried, workspace } = link;
  const { key, target: destination, amount, currency } = order;
  const request: Stripe.TransferCreateParams = {
    amount: Number(amount),
    currency: currency.toLowerCase(),
    destination,
    transfer_group: key,
    metadata: { [KEY]: key, holdfast_workspace: String(workspace) },
  };
  const made = async (idempotencyKey: string): Promise<Stripe.Transfer> => {
    const sent = await stripe.transfers.create(request, { idempotencyKey });
    // What a repeated call gives is how the transfer began, not how it is.
    const replayed = sent.lastResponse.headers['idempotent-replayed'] === 'true';
    return replayed ? stripe.transfers.retrieve(sent.id) : sent;
  };
  return underKey(
    key,
    (idempotencyKey) => tried(() => made(idempotencyKey)),
    () => findTransfer(link, order),
  );
}

/** The transfer of a key; null for none. */
async function findTransfer({ stripe, tried }: StripeLink, { key }: TransferOrder): Promise<Found> {
  const list = await tried(() => stripe.transfers.list({ transfer_group: key, limit: 100 }));
  if (isTrouble(list)) return list;
  const found = list.data.find(({ metadata }) => metadata[KEY] === key) ?? null;
  // A list says nothing of its mode; what is in it does.
  return found === null ? null : tried(async () => found);
}

function outcomeOf({ id, amount, currency, reversed }: Stripe.Transfer): TransferOutcome {
  const sent = { reference: id, amount: BigInt(amount), currency: currency.toUpperCase() };
  return { state: reversed ? 'returned' : 'paid', ...sent };
}

function declined(reference: string, why: Parameters<typeof declineCode>[0]): TransferOutcome {
  return { state: 'declined', reference, code: declineCode(why) };
}
