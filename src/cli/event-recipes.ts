// Event recipes: how each event of the catalogue is caused by an integrator's calls, on new
// resources or on a named one. The type of RECIPES requires one for every event.
import type { EventName } from '../product/events.ts';
import type { Mark, Recipe } from './event-recipe.ts';
import { DISPUTE_RECIPES } from './event-recipes-disputes.ts';
import { PRICE, type Person, type Stage } from './fixtures.ts';

/** The recipes, in the order of the catalogue. */
export const RECIPES: Readonly<Record<EventName, Recipe>> = {
  'invoice-completed': {
    story: 'A new buyer pays a new seller by wallet.',
    on: 'an open invoice: it is paid',
    make: async (stage) => payInvoice(stage, await newInvoice(stage)),
    makeOn: payInvoice,
  },
  'escrow-transaction-update': {
    story: 'A new buyer pays an escrow; the money is held.',
    on: 'an escrow: paid when it is open, committed when it holds money',
    make: async (stage) => moveEscrow(stage, await newEscrow(stage)),
    makeOn: moveEscrow,
  },
  'escrow-expiring': {
    story: 'In a cloned workspace an escrow is paid and time passes until it is about to expire.',
    on: 'an escrow that holds money: the clock of your workspace is moved',
    takesTime: true,
    make: async (stage) => {
      const id = await newEscrow(stage);
      await moveEscrow(stage, id);
      return expire(stage, id);
    },
    makeOn: expire,
  },
  'refund-completed': {
    story: 'A new sale by wallet is paid and refunded.',
    on: 'a paid invoice: whatever is left of it is refunded',
    make: async (stage) => refund(stage, await newSale(stage)),
    makeOn: refund,
  },
  ...DISPUTE_RECIPES,
  'payout-completed': {
    story: 'A new, verified seller with a balance is paid out to a bank.',
    on: 'an account: its pending payout is sent, or a new one is created',
    make: async (stage) => {
      const seller = await stage.person();
      await setKyc(stage, seller.account_id, 'ACCEPT');
      return payOut(stage, seller);
    },
    makeOn: async (stage, id) => payOut(stage, await stage.personOf(id)),
  },
  'kyc-webhook': {
    story: 'A new person is accepted by the sandbox identity check.',
    on: 'an account: accepted, or denied if it is accepted already',
    make: async (stage) => setKyc(stage, (await stage.person()).account_id, 'ACCEPT'),
    makeOn: async (stage, id) => {
      const { state } = await stage.get<Stated>('pii', `/v1/kyc/${id}`);
      return setKyc(stage, id, state === 'ACCEPT' ? 'DENY' : 'ACCEPT');
    },
  },
  'kyb-webhook': {
    story: 'The verification of a new business starts.',
    on: 'an account: its business starts; or a business: accepted, or denied if it is',
    make: async (stage) => onboard(stage, (await stage.person()).account_id),
    makeOn: moveBusiness,
  },
  'deposit-completed': {
    story: 'A new account tops up its wallet by card.',
    on: 'an account: sandbox money is deposited into its wallet',
    make: async (stage) => {
      const { account_id } = await stage.person();
      const payment_method_id = await stage.attach(account_id, 'visa');
      const body = { account_id, payment_method_id, currency: 'USD', amount: PRICE };
      type Made = { deposit_id: string };
      const { deposit_id } = await stage.post<Made>('invoicing', '/v1/deposits', body);
      return { deposit_id };
    },
    makeOn: async (stage, id) => ({ deposit_id: await stage.fund(id) }),
  },
  'payment-method-updated': {
    story: 'A test card is attached to a new account.',
    on: 'an account: a test card is attached; or a card: it is renamed',
    make: async (stage) => attachCard(stage, (await stage.person()).account_id),
    makeOn: (stage, id) => (isAccount(id) ? attachCard(stage, id) : rename(stage, id)),
  },
  'wallet-balance-alert': {
    story: 'A refund takes your own wallet below an alert threshold, set for this run.',
    on: 'a paid invoice: whatever is left of it is refunded',
    make: async (stage) => lower(stage, await newSale(stage)),
    makeOn: lower,
  },
  'account-block-unblock-webhook': {
    story: 'A new account is blocked.',
    on: 'an account: blocked, or unblocked if you blocked it',
    make: async (stage) => toggleBlock(stage, (await stage.person()).account_id),
    makeOn: toggleBlock,
  },
  'register-account-completed': {
    story: 'An account is registered.',
    on: null,
    make: async (stage) => ({ account_id: (await stage.person()).account_id }),
  },
};

interface Stated {
  readonly state: string;
}

function isAccount(id: string): boolean {
  return id.startsWith('acct_');
}

async function newInvoice(stage: Stage): Promise<string> {
  return (await stage.sale<{ invoice_id: string }>('/v2/invoice')).invoice_id;
}

async function payInvoice(stage: Stage, invoice_id: string): Promise<Mark> {
  await stage.post('invoicing', `/v2/invoice/${invoice_id}/pay`);
  return { invoice_id };
}

async function newSale(stage: Stage): Promise<string> {
  const id = await newInvoice(stage);
  await payInvoice(stage, id);
  await stage.until<Stated>(`/v2/invoice/${id}`, ({ state }) => state === 'success');
  return id;
}

async function newEscrow(stage: Stage): Promise<string> {
  return (await stage.sale<{ id: string }>('/v2/escrow')).id;
}

async function moveEscrow(stage: Stage, id: string): Promise<Mark> {
  const { status } = await stage.get<{ status: string }>('invoicing', `/v2/escrow/${id}`);
  const next = { OPEN: 'pay', ESCROWED: 'commit' }[status];
  if (next === undefined) throw new Error(`The escrow is ${status}: it cannot change any more.`);
  await stage.post('invoicing', `/v2/escrow/${id}/${next}`);
  return { id };
}

interface Clock {
  readonly due: readonly { readonly at: string; readonly id: string }[];
}

interface Moved {
  readonly before: string;
  readonly now: string;
  readonly steps: readonly unknown[];
}

/** Entries in one answer of the clock. */
const SHOWN = 50;
const ROUNDS = 100;

/** Moves the clock to the time at which the escrow is due; earlier due work runs first. */
async function expire(stage: Stage, id: string): Promise<Mark> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { due } = await stage.get<Clock>('invoicing', '/sandbox/clock');
    const mine = due.find((one) => one.id === id);
    const next = mine ?? (due.length === SHOWN ? due.at(-1) : undefined);
    if (next === undefined) break;
    // A second later: the due time has microseconds, the request milliseconds.
    const body = { to: new Date(Date.parse(next.at) + 1000).toISOString() };
    const moved = await stage.post<Moved>('invoicing', '/sandbox/clock', body);
    const { before, now, steps } = moved;
    stage.note(`The clock went from ${before} to ${now}; ${steps.length} scheduled actions ran.`);
    if (mine !== undefined) return { id };
  }
  throw new Error(`${id} has nothing scheduled: name an escrow that holds money.`);
}

/** The integrator pays refunds: it is given as much as is charged. */
async function refund(stage: Stage, invoice_id: string): Promise<Mark> {
  const path = `/v2/invoice/${invoice_id}`;
  type Paid = { summary: { total_amount: number; currency: string } };
  const { summary } = await stage.get<Paid>('invoicing', path);
  const { total_amount: amount, currency } = summary;
  await stage.post('invoicing', '/sandbox/deposits', { integrator: true, currency, amount });
  await stage.post('invoicing', '/v2/refund', { invoice_id, reason: 'other' });
  return { payment_invoice_id: invoice_id };
}

interface Alert {
  readonly currency: string;
  readonly warning: number;
}

/** The refund takes from the wallet: the threshold is one above what will be left. */
async function lower(stage: Stage, invoice_id: string): Promise<Mark> {
  type Paid = {
    summary: { currency: string };
    subitems: Readonly<Record<string, { source_wallet_id: string }>>;
  };
  const { summary, subitems } = await stage.get<Paid>('invoicing', `/v2/invoice/${invoice_id}`);
  const wallet_id = Object.values(subitems)[0]?.source_wallet_id ?? '';
  const path = `/v2/wallet/${wallet_id}`;
  const held = await stage.get<{ current_balance: number }>('wallets', path);
  type Settings = { wallet_alerts: readonly Alert[] };
  const { wallet_alerts: before } = await stage.get<Settings>('invoicing', '/v1/settings');
  const { currency } = summary;
  const others = before.filter((one) => one.currency !== currency);
  const set = (wallet_alerts: readonly Alert[]): Promise<unknown> =>
    stage.server.call('invoicing', 'PATCH', '/v1/settings', { wallet_alerts });
  await set([...others, { currency, warning: held.current_balance + 1 }]);
  try {
    await refund(stage, invoice_id);
    type Back = { is_fully_refunded: boolean };
    await stage.until<Back>(`/v2/invoice/${invoice_id}/refunds`, (back) => back.is_fully_refunded);
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

async function payOut(stage: Stage, person: Person): Promise<Mark> {
  const { account_id } = person;
  const path = `/v2/${account_id}/payouts`;
  const payouts = await stage.get<PayoutSeen[]>('invoicing', path);
  const waiting = payouts.find(({ status }) => READY.includes(status));
  const { payout_status_id } = waiting ?? (await newPayout(stage, person));
  const one = `/v2/${account_id}/payout/${payout_status_id}`;
  await stage.until<PayoutSeen>(one, ({ status }) => READY.includes(status));
  await stage.server.call('invoicing', 'PATCH', one);
  return { payout_status_id };
}

async function newPayout(stage: Stage, { account_id, method }: Person): Promise<PayoutSeen> {
  await stage.fund(account_id);
  return stage.post('invoicing', `/v2/${account_id}/payout`, {
    source_payment_method_id: method,
    destination_payment_method_id: await stage.attach(account_id, 'bank'),
    amount: PRICE,
    currency: 'USD',
  });
}

async function setKyc(stage: Stage, account_id: string, state: string): Promise<Mark> {
  await stage.server.call('pii', 'PUT', `/v2/kyc/account/${account_id}/state`, { state });
  return { account_id, state };
}

async function onboard(stage: Stage, account_id: string): Promise<Mark> {
  const body = { entity_name: 'Trigger Ltd' };
  const path = `/v1/entity/${account_id}/onboard`;
  const { entity_id } = await stage.post<{ entity_id: string }>('pii', path, body);
  return { entity_id };
}

async function moveBusiness(stage: Stage, id: string): Promise<Mark> {
  if (isAccount(id)) return onboard(stage, id);
  const { status } = await stage.get<{ status: string }>('pii', `/v1/entity/${id}`);
  const body = { status: status === 'ACCEPT' ? 'DENY' : 'ACCEPT' };
  await stage.server.call('invoicing', 'PUT', `/sandbox/entities/${id}/state`, body);
  return { entity_id: id, entity_status: body.status };
}

async function attachCard(stage: Stage, account_id: string): Promise<Mark> {
  return { payment_method_id: await stage.attach(account_id, 'visa') };
}

async function rename(stage: Stage, payment_method_id: string): Promise<Mark> {
  const display_string = `Renamed at ${new Date().toISOString()}`;
  const path = `/v1/payment_method/${payment_method_id}`;
  await stage.server.call('payments', 'PATCH', path, { display_string });
  return { payment_method_id };
}

/** Toggles: repeating the current state would cause no event. */
async function toggleBlock(stage: Stage, account_id: string): Promise<Mark> {
  const shown = await stage.get<{ blocks: object }>('accounts', `/v2/block/${account_id}`);
  const body = { account_id, block_capability: 'login' };
  if (Object.keys(shown.blocks).length > 0) await stage.post('accounts', '/v2/unblock', body);
  else await stage.post('accounts', '/v2/block', { ...body, block_reason: 'account_close' });
  return { account_id };
}
