// What buyers do with authorized invoices: create invoices and escrows of them, one after another,
// until one is paid. [G-45]
import { createEscrow, invoiceOf } from '../../src/product/money/escrow/index.ts';
import { createInvoice, fromAuthorized, MADE_MAX } from '../../src/product/money/invoice/index.ts';
import { creation, escrowOf } from './acts-sales.ts';
import type { Act, Market, Move } from './market.ts';
import { freshId, type Person } from './market-people.ts';
import { requestOf } from './market-sales.ts';
import { submit } from './memory-core.ts';
import { refused, type Expected, type Offer } from './model.ts';

const invoiceFrom = fromAuthorized(createInvoice);
const escrowFrom = fromAuthorized(createEscrow);

/** What must come of a creation, which is `made` where nothing stands in its way. */
function expected(
  { model }: Market,
  offer: Offer,
  expired: boolean,
  made: () => Expected,
): Expected {
  const { latest } = offer;
  if (latest !== null && !['open', 'failed'].includes(latest.state)) {
    return refused('AUTHORIZED_INVOICE_USED');
  }
  if (expired) return refused('AUTHORIZED_INVOICE_EXPIRED');
  if (offer.made >= MADE_MAX) return refused('AUTHORIZED_INVOICE_LIMIT');
  const outcome = made();
  if (outcome.is === 'done') {
    offer.latest = model.payables.at(-1) ?? null;
    offer.made += 1;
  }
  return outcome;
}

const make: Act = {
  name: 'make one of an authorized invoice',
  weight: 5,
  alone: true,
  act(market, rng): Move | null {
    const { people, model } = market;
    const wish = requestOf(rng, people);
    const id = freshId();
    const escrow = rng.once(3) ? escrowOf(rng, id) : null;
    const invoiceId = escrow === null ? id : invoiceOf(id, 'escrow');
    const sale = market.prepare(wish, invoiceId);
    if (sale === null) return null;
    const known = model.offers.length > 0 && !rng.once(4);
    const before = rng.once(4) ? MADE_MAX - 1 : 0;
    const buyer = (people[0] as Person).id;
    const offer = known ? rng.of(model.offers) : market.offer(buyer, before);
    const expired = rng.once(8);
    const prepared = { ...sale, authorized: offer.id };
    const asked = { authorized: { id: offer.id, expired }, invoiceId };
    const made = creation(market, wish, prepared, escrow, offer);
    const expect = (): Expected => expected(market, offer, expired, made);
    if (escrow === null) return { ...submit(invoiceFrom, { ...asked, input: prepared }), expect };
    const { holdSeconds } = escrow;
    const input = { id, prepared, holdSeconds, integrator: 'laws' };
    return { ...submit(escrowFrom, { ...asked, input }), expect };
  },
};

export const offerActs = [make];
