// Event recipes of money at the bank: a transfer that names a wallet's reference, and what the bank
// does with a payout. [G-91]
import type { EventName } from '../product/events.ts';
import type { Mark, Recipe } from './event-recipe.ts';
import { PRICE, type Stage } from './fixtures.ts';

interface Deposit {
  readonly deposit_id: string;
}

export const DEPOSIT_EVENT_RECIPES = {
  'deposit-completed': {
    story: 'A new account tops up its wallet by card.',
    on: 'an account: sandbox money is deposited; or a wallet: a bank transfer to it arrives',
    make: async (fixtures) => {
      const { account_id } = await fixtures.person();
      const payment_method_id = await fixtures.attach(account_id, 'visa');
      const body = { account_id, payment_method_id, currency: 'USD', amount: PRICE };
      const { deposit_id } = await fixtures.post<Deposit>('invoicing', '/v1/deposits', body);
      return { deposit_id };
    },
    makeOn: async (fixtures, id) =>
      isAccount(id) ? { deposit_id: await fixtures.fund(id) } : transferTo(fixtures, id),
  },
} satisfies Partial<Record<EventName, Recipe>>;

export function isAccount(id: string): boolean {
  return id.startsWith('acct_');
}

/** A transfer arrives as somebody sends it who was shown the instructions. */
async function transferTo(fixtures: Stage, wallet_id: string): Promise<Mark> {
  type Told = { currency: string; reference: string };
  const path = `/v2/wallet/${wallet_id}/deposit_instructions`;
  const { currency, reference } = await fixtures.get<Told>('wallets', path);
  const body = { currency, amount: PRICE, remittance_text: reference };
  const { deposit_id } = await fixtures.post<Deposit>('invoicing', '/sandbox/bank_transfers', body);
  return { deposit_id };
}

/** The bank carries a payout out; what it had carried out before comes back. */
export async function bankSays(fixtures: Stage, payout_status_id: string): Promise<Mark> {
  type Explained = { state: string | null };
  const path = `/sandbox/explain/${payout_status_id}`;
  const { state } = await fixtures.get<Explained>('invoicing', path);
  const event = state === 'SUCCESS' ? 'return' : 'settle';
  await fixtures.post('invoicing', '/sandbox/outside_events', { event, id: payout_status_id });
  return { payout_status_id, status: state === 'SUCCESS' ? 'FAILED' : 'SUCCESS' };
}
