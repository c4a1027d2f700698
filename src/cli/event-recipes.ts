// Event recipes: how each event of the catalogue is caused by an integrator's calls, on new
// resources or on a named one. The type of EVENT_RECIPES requires one for every event.
import type { EventName } from '../product/events.ts';
import type { Mark, Recipe } from './event-recipe.ts';
import { DISAGREEMENT_EVENT_RECIPES } from './event-recipes-disagreements.ts';
import { DISPUTE_EVENT_RECIPES } from './event-recipes-disputes.ts';
import { ESCROW_EVENT_RECIPES } from './event-recipes-escrow.ts';
import { PRICE, type Person, type Stage } from './fixtures.ts';

interface Deposit {
  readonly deposit_id: string;
}

const DEPOSIT_EVENT_RECIPES = {
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

function isAccount(id: string): boolean {
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
async function bankSays(fixtures: Stage, payout_status_id: string): Promise<Mark> {
  type Explained = { state: string | null };
  const path = `/sandbox/explain/${payout_status_id}`;
  const { state } = await fixtures.get<Explained>('invoicing', path);
  const event = state === 'SUCCESS' ? 'return' : 'settle';
  await fixtures.post('invoicing', '/sandbox/outside_events', { event, id: payout_status_id });
  return { payout_status_id, status: state === 'SUCCESS' ? 'FAILED' : 'SUCCESS' };
}

/** The recipes. */
export const EVENT_RECIPES: Readonly<Record<EventName, Recipe>> = {
  'kyc-webhook': {
    story: 'A new person is accepted by the sandbox identity check.',
    on: 'an account: accepted, or denied if it is accepted already',
    make: async (fixtures) => setKyc(fixtures, (await fixtures.person()).account_id, 'ACCEPT'),
    makeOn: async (fixtures, id) => {
      const { state } = await fixtures.get<Stated>('pii', `/v1/kyc/${id}`);
      return setKyc(fixtures, id, state === 'ACCEPT' ? 'DENY' : 'ACCEPT');
    },
  },
  'kyb-webhook': {
    story: 'The verification of a new business starts.',
    on: 'an account: its business starts; or a business: accepted, or denied if it is',
    make: async (fixtures) => onboard(fixtures, (await fixtures.person()).account_id),
    makeOn: moveBusiness,
  },
  ...ESCROW_EVENT_RECIPES,
  'invoice-completed': {
    story: 'A new buyer pays a new seller by wallet.',
    on: 'an open invoice: it is paid',
    make: async (fixtures) => payInvoice(fixtures, await newInvoice(fixtures)),
    makeOn: payInvoice,
  },
  'refund-completed': {
    story: 'A new sale by wallet is paid and refunded.',
    on: 'a paid invoice: whatever is left of it is refunded',
    make: async (fixtures) => refund(fixtures, await newSale(fixtures)),
    makeOn: refund,
  },
  'payout-completed': {
    story: 'A new, verified seller with a balance is paid out to a bank.',
    on: 'an account: its pending payout is sent, or a new one is created; or a payout: the bank ' +
      'carries it out, or sends it back if it did',
    make: async (fixtures) => {
      const seller = await fixtures.person();
      await setKyc(fixtures, seller.account_id, 'ACCEPT');
      return payOut(fixtures, seller);
    },
    makeOn: async (fixtures, id) =>
      isAccount(id) ? payOut(fixtures, await fixtures.personOf(id)) : bankSays(fixtures, id),
  },
  ...DEPOSIT_EVENT_RECIPES,
  ...DISAGREEMENT_EVENT_RECIPES,
  ...DISPUTE_EVENT_RECIPES,
  'payment-method-updated': {
    story: 'A test card is attached to a new account.',
    on: 'an account: a test card is attached; or a card: it is renamed',
    make: async (fixtures) => attachCard(fixtures, (await fixtures.person()).account_id),
    makeOn: (fixtures, id) => (isAccount(id) ? attachCard(fixtures, id) : rename(fixtures, id)),
  },
  'register-account-completed': {
    story: 'An account is registered.',
    on: null,
    make: async (fixtures) => ({ account_id: (await fixtures.person()).account_id }),
  },
  'account-block-unblock-webhook': {
    story: 'A new account is blocked.',
    on: 'an account: blocked, or unblocked if you blocked it',
    make: async (fixtures) => toggleBlock(fixtures, (await fixtures.person()).account_id),
    makeOn: toggleBlock,
  },
  'wallet-balance-alert': {
    story: 'A refund takes your own wallet below an alert threshold, set for this run.',
    on: 'a paid invoice: whatever is left of it is refunded',
    make: async (fixtures) => lower(fixtures, await newSale(fixtures)),
    makeOn: lower,
  },
  'identity-document-expiring': {
    story: 'A new person is accepted with a document that expires in ten days.',
    on: 'an account: accepted with such a document',
    make: async (fixtures) => expireSoon(fixtures, (await fixtures.person()).account_id),
    makeOn: expireSoon,
  },
};

interface Stated {
  readonly state: string;
}

async function newInvoice(fixtures: Stage): Promise<string> {
  return (await fixtures.sale<{ invoice_id: string }>('/v2/invoice')).invoice_id;
}

async function payInvoice(fixtures: Stage, invoice_id: string): Promise<Mark> {
  await fixtures.post('invoicing', `/v2/invoice/${invoice_id}/pay`);
  return { invoice_id };
}

async function newSale(fixtures: Stage): Promise<string> {
  const id = await newInvoice(fixtures);
  await payInvoice(fixtures, id);
  await fixtures.until<Stated>(`/v2/invoice/${id}`, ({ state }) => state === 'success');
  return id;
}

/** The integrator pays refunds: it is given as much as is charged. */
async function refund(fixtures: Stage, invoice_id: string): Promise<Mark> {
  const path = `/v2/invoice/${invoice_id}`;
  type Paid = { summary: { total_amount: number; currency: string } };
  const { summary } = await fixtures.get<Paid>('invoicing', path);
  const { total_amount: amount, currency } = summary;
  await fixtures.post('invoicing', '/sandbox/deposits', { integrator: true, currency, amount });
  await fixtures.post('invoicing', '/v2/refund', { invoice_id, reason: 'other' });
  return { payment_invoice_id: invoice_id };
}

interface Alert {
  readonly currency: string;
  readonly warning: number;
}

/** The refund takes from the wallet: the threshold is one above what will be left. */
async function lower(fixtures: Stage, invoice_id: string): Promise<Mark> {
  type Paid = {
    summary: { currency: string };
    subitems: Readonly<Record<string, { source_wallet_id: string }>>;
  };
  const { summary, subitems } = await fixtures.get<Paid>('invoicing', `/v2/invoice/${invoice_id}`);
  const wallet_id = Object.values(subitems)[0]?.source_wallet_id ?? '';
  const path = `/v2/wallet/${wallet_id}`;
  const held = await fixtures.get<{ current_balance: number }>('wallets', path);
  type Settings = { wallet_alerts: readonly Alert[] };
  const { wallet_alerts: before } = await fixtures.get<Settings>('invoicing', '/v1/settings');
  const { currency } = summary;
  const others = before.filter((one) => one.currency !== currency);
  const set = (wallet_alerts: readonly Alert[]): Promise<unknown> =>
    fixtures.server.call('invoicing', 'PATCH', '/v1/settings', { wallet_alerts });
  await set([...others, { currency, warning: held.current_balance + 1 }]);
  try {
    await refund(fixtures, invoice_id);
    type Back = { is_fully_refunded: boolean };
    await fixtures.until<Back>(
      `/v2/invoice/${invoice_id}/refunds`,
      (back) => back.is_fully_refunded,
    );
  } finally {
    await set(before);
  }
  return { wallet_id };
}

interface PayoutSeen {
  readonly payout_status_id: string;
  readonly status: string;
}

/** States in which a payout waits to be sent. */
const READY = ['FUNDS-IN-ESCROW', 'FUNDS-IN-ESCROW-ON-HOLD', 'FAILED'];

async function payOut(fixtures: Stage, person: Person): Promise<Mark> {
  const { account_id } = person;
  const path = `/v2/${account_id}/payouts`;
  const payouts = await fixtures.get<PayoutSeen[]>('invoicing', path);
  const waiting = payouts.find(({ status }) => READY.includes(status));
  const { payout_status_id } = waiting ?? (await newPayout(fixtures, person));
  const one = `/v2/${account_id}/payout/${payout_status_id}`;
  await fixtures.until<PayoutSeen>(one, ({ status }) => READY.includes(status));
  await fixtures.server.call('invoicing', 'PATCH', one);
  return { payout_status_id };
}

async function newPayout(fixtures: Stage, { account_id, method }: Person): Promise<PayoutSeen> {
  await fixtures.fund(account_id);
  return fixtures.post('invoicing', `/v2/${account_id}/payout`, {
    source_payment_method_id: method,
    destination_payment_method_id: await fixtures.attach(account_id, 'bank'),
    amount: PRICE,
    currency: 'USD',
  });
}

async function setKyc(fixtures: Stage, account_id: string, state: string): Promise<Mark> {
  await fixtures.server.call('pii', 'PUT', `/v2/kyc/account/${account_id}/state`, { state });
  return { account_id, state };
}

async function expireSoon(fixtures: Stage, account_id: string): Promise<Mark> {
  const { now } = await fixtures.get<{ now: string }>('invoicing', '/sandbox/clock');
  const document_expires = new Date(Date.parse(now) + 864_000_000).toISOString().slice(0, 10);
  const path = `/v2/kyc/account/${account_id}/state`;
  await fixtures.server.call('pii', 'PUT', path, { state: 'ACCEPT', document_expires });
  return { account_id };
}

async function onboard(fixtures: Stage, account_id: string): Promise<Mark> {
  const body = { entity_name: 'Trigger Ltd' };
  const path = `/v1/entity/${account_id}/onboard`;
  const { entity_id } = await fixtures.post<{ entity_id: string }>('pii', path, body);
  return { entity_id };
}

async function moveBusiness(fixtures: Stage, id: string): Promise<Mark> {
  if (isAccount(id)) return onboard(fixtures, id);
  const { status } = await fixtures.get<{ status: string }>('pii', `/v1/entity/${id}`);
  const body = { status: status === 'ACCEPT' ? 'DENY' : 'ACCEPT' };
  await fixtures.server.call('invoicing', 'PUT', `/sandbox/entities/${id}/state`, body);
  return { entity_id: id, entity_status: body.status };
}

async function attachCard(fixtures: Stage, account_id: string): Promise<Mark> {
  return { payment_method_id: await fixtures.attach(account_id, 'visa') };
}

async function rename(fixtures: Stage, payment_method_id: string): Promise<Mark> {
  const display_string = `Renamed at ${new Date().toISOString()}`;
  const path = `/v1/payment_method/${payment_method_id}`;
  await fixtures.server.call('payments', 'PATCH', path, { display_string });
  return { payment_method_id };
}

/** Toggles: repeating the current state would cause no event. */
async function toggleBlock(fixtures: Stage, account_id: string): Promise<Mark> {
  const shown = await fixtures.get<{ blocks: object }>('accounts', `/v2/block/${account_id}`);
  const body = { account_id, block_capability: 'login' };
  if (Object.keys(shown.blocks).length > 0) await fixtures.post('accounts', '/v2/unblock', body);
  else await fixtures.post('accounts', '/v2/block', { ...body, block_reason: 'account_close' });
  return { account_id };
}
