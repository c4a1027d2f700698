// Whom and what several chapters of the walk name: ids that nobody has, and people.
import { agree } from '../../api/fixtures.ts';
import type { PaymentMethod } from '../../api/records.ts';
import type { Walk } from '../walk.ts';

/** Right in shape, and nobody's. */
export const NOBODY = {
  id: '01a1fa75-0000-7000-8000-00000000000a',
  account: 'acct_01m7x7a0000000000000000000',
  escrow: 'esc_01m7x7a0000000000000000000',
  kyc: 'kyc_01m7x7a0000000000000000000',
  entity: 'ent_01m7x7a0000000000000000000',
  agent: 'agt_01m7x7a0000000000000000000',
  document: 'doc_01m7x7a0000000000000000000',
  nonce: 'A'.repeat(43),
} as const;

/** An account as it is registered. */
export interface Made {
  readonly account_id: string;
}

/** Somebody with a wallet. */
export interface Person {
  readonly account_id: string;
  readonly wallet_id: string;
  /** The payment method of the wallet. */
  readonly method: string;
}

/** Registers somebody and gives them money: what each chapter begins with is not written down. */
export async function person(walk: Walk, username: string, amount = 0): Promise<Person> {
  const { api } = walk;
  const named = { body: { username } };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', named);
  const path = `/v1/${account_id}/payment_methods`;
  const methods = await api.must<PaymentMethod[]>(200, 'payments', 'GET', path);
  const own = methods.find((one) => one.processing_currency === 'USD') as PaymentMethod;
  const body = { account_id, currency: 'USD', amount };
  if (amount > 0) await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body });
  await walk.rest();
  return { account_id, wallet_id: own.provider_data.wallet_id ?? '', method: own.id };
}

/** A card or account of the sandbox's; gives the payment method. */
export async function attach({ api }: Walk, account_id: string, name: string): Promise<string> {
  const body = { account_id, test_card: name };
  const path = '/sandbox/payment_methods';
  return (await api.must<{ id: string }>(201, 'invoicing', 'POST', path, { body })).id;
}

/** Tokens of a person who agreed to the terms: their own, and that of a session. */
export function signedIn(walk: Walk, account_id: string): ReturnType<typeof agree> {
  return agree(walk.api, account_id);
}

/** The outside world does something; goes on once the platform has read what came of it. */
export async function happens(walk: Walk, event: string, id: string): Promise<void> {
  await walk.ok('sandboxOutsideEvent', { body: { event, id }, waits: true });
  await walk.read();
}
