// What customers do in the fault batteries (buy, have money held, top up, get refunds, request
// payouts), and the state each must have when everything has ended.
import { uuidOfWireId } from '../../src/core/ids.ts';
import type { Api, MethodPart, Reply } from '../kit/api.ts';
import { createEscrow, moveEscrow, type EscrowSeen } from '../kit/escrow.ts';
import type { Journey, Plan, Step } from './load.ts';

export type JourneyKind = 'sale' | 'escrow' | 'deposit' | 'refund' | 'payout';

/** Who acts, and with what. */
export interface Means {
  readonly account_id: string;
  readonly wallet: string;
  readonly cards: readonly string[];
  /** What is paid out to. */
  readonly banks: readonly string[];
}

const CARDS = [
  'visa',
  'mastercard',
  'card_declined',
  'capture_declined',
  'timeout_before_effect',
  'timeout_after_effect',
  'capture_timeout_before_effect',
  'capture_timeout_after_effect',
  'refund_timeout_before_effect',
  'refund_timeout_after_effect',
];
const BANKS = ['bank', 'bank_closed', 'paypal'];

/** Makes the seeded buyer rich and known, and attaches everything. */
export async function meansOf(api: Api, funds: number): Promise<Means> {
  const { account_id, wallet_payment_method_id: wallet } = api.ready.accounts.buyer;
  await api.fund(account_id, funds);
  await api.setKyc(account_id, { state: 'ACCEPT' });
  const body = { integrator: true, currency: 'USD', amount: funds };
  await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body });
  const cards: string[] = [];
  for (const name of CARDS) cards.push(await api.attach(account_id, name));
  const banks: string[] = [];
  for (const name of BANKS) banks.push(await api.attach(account_id, name));
  return { account_id, wallet, cards, banks };
}

function pick<T>(list: readonly T[], roll: () => number): T {
  return list[Math.floor(roll() * list.length)] as T;
}

/** A wallet, a card, or both. */
function methods(means: Means, amount: number, roll: () => number): readonly MethodPart[] {
  const card = pick(means.cards, roll);
  const part = Math.floor(roll() * amount);
  const kind = roll();
  if (kind < 0.4) return [{ payment_method_id: means.wallet }];
  if (kind < 0.75 || part === 0) return [{ payment_method_id: card }];
  return [
    { payment_method_id: means.wallet, amount: part },
    { payment_method_id: card, amount: 0 },
  ];
}

function field<T>(reply: Reply, name: string): T {
  return (reply.payload as Record<string, T>)[name] as T;
}

function buying(api: () => Api, means: Means, roll: () => number): readonly Step[] {
  const amount = 1 + Math.floor(roll() * 40);
  const body = api().sale(amount, methods(means, amount, roll));
  return [
    { name: 'create', status: 201, ask: (one, key) => one.create(body, key) },
    { name: 'pay', status: 200, ask: (one, key, id) => one.pay(id, key) },
  ];
}

const saleId = (reply: Reply): string => field(reply, 'invoice_id');

/** Once it is known how the payment went: what was not paid cannot go back. */
const refunding: Step = {
  name: 'refund',
  status: 200,
  refusals: ['INVOICE_NOT_REFUNDABLE'],
  async ask(api, key, id) {
    for (let n = 0; n < 40 && (await api.read(id)).state === 'processing'; n += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const body = { invoice_id: id, reason: 'other' };
    return api.send('invoicing', 'POST', '/v2/refund', { body, key });
  },
};

function holding(api: () => Api, means: Means, roll: () => number): Plan {
  const amount = 1 + Math.floor(roll() * 40);
  const body = api().sale(amount, methods(means, amount, roll));
  const end = roll() < 0.5 ? ('commit' as const) : ('cancel' as const);
  return {
    kind: 'escrow',
    idOf: (reply) => field(reply, 'id'),
    steps: [
      { name: 'create escrow', status: 201, ask: (one, key) => createEscrow(one, body, key) },
      {
        name: 'pay escrow',
        status: 200,
        // Answered before the outcome was known; the key answers the outcome later. [G-34]
        unsettled: (first) => (first.payload as EscrowSeen).status === 'OPEN',
        ask: (one, key, id) => moveEscrow(one, id, 'pay', key),
      },
      {
        name: end,
        status: 200,
        refusals: ['ESCROW_NOT_ESCROWED'],
        ask: (one, key, id) => moveEscrow(one, id, end, key),
      },
    ],
  };
}

function toppingUp({ account_id, cards }: Means, roll: () => number): Plan {
  const amount = 1 + Math.floor(roll() * 40);
  const body = { account_id, payment_method_id: pick(cards, roll), currency: 'USD', amount };
  return {
    kind: 'deposit',
    idOf: (reply) => field(reply, 'deposit_id'),
    steps: [
      {
        name: 'top up',
        status: 201,
        ask: (one, key) => one.send('invoicing', 'POST', '/v1/deposits', { body, key }),
      },
    ],
  };
}

function payingOut({ account_id, wallet, banks }: Means, roll: () => number): Plan {
  const body = {
    source_payment_method_id: wallet,
    destination_payment_method_id: pick(banks, roll),
    amount: 1_000 + Math.floor(roll() * 1_000),
    currency: 'USD',
  };
  const path = `/v2/${account_id}/payout`;
  return {
    kind: 'payout',
    idOf: (reply) => field(reply, 'payout_status_id'),
    steps: [
      {
        name: 'ask for a payout',
        status: 201,
        ask: (one, key) => one.send('invoicing', 'POST', path, { body, key }),
      },
      {
        name: 'send a payout',
        status: 200,
        ask: (one, key, id) => one.send('invoicing', 'PATCH', `${path}/${id}`, { key }),
      },
    ],
  };
}

/** What a customer wants next. */
export function wish(api: () => Api, means: Means): (roll: () => number) => Plan {
  return (roll) => {
    const kind = roll();
    if (kind < 0.3) {
      return { kind: 'sale', steps: buying(api, means, roll), idOf: saleId };
    }
    if (kind < 0.65) return holding(api, means, roll);
    if (kind < 0.75) return toppingUp(means, roll);
    if (kind < 0.87) return payingOut(means, roll);
    const steps = [...buying(api, means, roll), refunding];
    return { kind: 'refund', steps, idOf: saleId };
  };
}

/** By the steps that were acknowledged: how the journey's row must stand in the end. */
const ENDS: Readonly<Record<JourneyKind, readonly RegExp[]>> = {
  sale: [/^open$/, /^(success|failed)$/],
  refund: [/^open$/, /^(success|failed)$/, /^success REFUND-(SUCCESS|FAILED)$/],
  escrow: [/^OPEN$/, /^ESCROW(ED|-FAILED)$/, /^(COMMITTED|CANCELLED)$/],
  deposit: [/^(success|failed)$/],
  payout: [/^FUNDS-IN-ESCROW$/, /^(SUCCESS|FAILED)$/],
};

/** Every row that customers can have made, and how it stands, by kind and id. */
export const STANDING = `
  select 'sale' as kind, i.id, i.state || coalesce(' ' || r.state, '') as state
    from invoice i join invoice_document d on d.workspace = i.workspace and d.id = i.id
    left join refund r on r.workspace = i.workspace and r.invoice_id = i.id
    where sale_term(d.id::text, d.document, 'kind') is null
  union all select 'escrow', id, state from escrow
  union all select 'deposit', id, state from deposit where payment_method_id is not null
  union all select 'payout', id, state from payout`;

/** A row of it. */
export interface Standing {
  readonly kind: string;
  readonly id: string;
  readonly state: string;
}

/** Compares the journal with the rows; gives what was lost, doubled or ended wrongly. */
export function compare(journeys: readonly Journey[], rows: readonly Standing[]): string[] {
  const states = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row.state]));
  const wrong: string[] = [];
  for (const { name, plan, id, replies } of journeys) {
    const kind = plan.kind === 'refund' ? 'sale' : plan.kind;
    const key = `${kind} ${kind === 'escrow' ? uuidOfWireId('esc', id) : id}`;
    const state = states.get(key);
    const done = replies.filter((reply) => reply !== null).length;
    const end = ENDS[plan.kind][done - 1];
    if (state === undefined || end?.test(state) !== true) {
      wrong.push(`${name} after ${done} steps: ${state ?? 'lost, or two keys share it'}`);
    }
    states.delete(key);
  }
  return [...wrong, ...[...states].map(([key]) => `${key} was made by nobody`)];
}
