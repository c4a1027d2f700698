// Accounts of sellers under an account of a Stripe-shaped server: opened, onboarded on a page, and
// paid by transfers, which the platform can reverse. Only the platform knows its own sellers.
import type { Account } from './account.ts';
import { ApiError, invalid, newId, type Metadata, type Seller, type Transfer } from './objects.ts';

/** What an account begins without. */
const FIRST_DUE = ['external_account', 'individual.first_name', 'tos_acceptance.date'];
const LINK_SECONDS = 300;

/** What is asked for by name. */
export interface SellerAsked {
  readonly type: string | null;
  readonly transfers: boolean;
  readonly country: string | null;
  readonly email: string | null;
  readonly metadata: Metadata;
}

export function openSeller(of: Account, asked: SellerAsked): Seller {
  const { type, transfers, country, email, metadata } = asked;
  if (type !== 'express' || !transfers) throw invalid('parameter_missing');
  if (country !== null && !/^[A-Z]{2}$/.test(country)) throw invalid('country_unsupported');
  const seller: Seller = {
    ...{ id: newId('acct'), object: 'account', type, country: country ?? 'US', email, metadata },
    ...{ charges_enabled: false, payouts_enabled: false, details_submitted: false },
    capabilities: { transfers: 'inactive' },
    requirements: { currently_due: [...FIRST_DUE], disabled_reason: 'requirements.past_due' },
  };
  of.sellers.set(seller.id, seller);
  return seller;
}

export function sellerOf(of: Account, id: string, status = 404): Seller {
  const seller = of.sellers.get(id);
  if (seller !== undefined) return seller;
  // An account that is not the platform's own, or not any more.
  if (status === 404) throw new ApiError(403, 'invalid_request_error', 'account_invalid');
  throw new ApiError(status, 'invalid_request_error', 'resource_missing');
}

/** A link to the page on which a seller says what is due. */
export function linkFor(of: Account, url: string, id: string, form: Metadata): object {
  sellerOf(of, id, 400);
  const { type, refresh_url, return_url } = form;
  if (type !== 'account_onboarding' || !refresh_url || !return_url) throw invalid(null);
  const created = of.now();
  const link = { created, expires_at: created + LINK_SECONDS, url: `${url}/setup/${newId('s')}` };
  return { object: 'account_link', ...link };
}

/** The seller says what is due, or Stripe asks for more; the platform hears of it. */
export function changeSeller(of: Account, id: string, due: readonly string[]): Seller {
  const seller = sellerOf(of, id);
  const well = due.length === 0;
  seller.details_submitted = true;
  seller.payouts_enabled = well;
  seller.capabilities.transfers = well ? 'active' : 'inactive';
  const disabled_reason = well ? null : 'requirements.past_due';
  seller.requirements = { currently_due: [...due], disabled_reason };
  of.tell('account.updated', seller, undefined, id);
  return seller;
}

/** The seller's account is gone for this platform. */
export function closeSeller(of: Account, id: string): void {
  of.sellers.delete(id);
  const application = { id: 'ca_1', object: 'application', name: 'Platform' };
  of.tell('account.application.deauthorized', application, undefined, id);
}

/** A transfer that is asked for. */
export type NewTransfer = Pick<
  Transfer,
  'amount' | 'currency' | 'destination' | 'transfer_group' | 'metadata'
>;

export function sendTransfer(of: Account, asked: NewTransfer): Transfer {
  const { amount, currency, destination } = asked;
  const seller = sellerOf(of, destination, 400);
  if (seller.capabilities.transfers !== 'active') {
    throw invalid('insufficient_capabilities_for_transfer');
  }
  if (of.poor) throw invalid('balance_insufficient');
  const transfer: Transfer = {
    ...{ id: newId('tr'), object: 'transfer', livemode: of.live, created: of.now() },
    ...{ amount_reversed: 0, reversed: false, ...asked },
  };
  of.transfers.set(transfer.id, transfer);
  of.move(['transfer', 'transfer'], { amount: -amount, currency, source: transfer.id });
  of.tell('transfer.created', transfer);
  return transfer;
}

/** Takes a part of a transfer back; false where so much is not there any more. */
export function reverseTransfer(of: Account, transfer: Transfer, amount: number): boolean {
  if (amount > transfer.amount - transfer.amount_reversed) return false;
  transfer.amount_reversed += amount;
  transfer.reversed = transfer.amount_reversed === transfer.amount;
  const { id, currency } = transfer;
  const source = newId('trr');
  of.reversals.set(source, {
    ...{ id: source, object: 'transfer_reversal', amount, currency, transfer: id },
    ...{ metadata: {}, created: of.now() },
  });
  of.move(['transfer_refund', 'transfer_reversal'], { amount, currency, source });
  of.tell('transfer.reversed', transfer);
  return true;
}
