// What people do in a history, in steps: between two steps everything comes to rest, and each step
// is taken while calls break. Each act says what must be true in the end.
import assert from 'node:assert/strict';
import { disagreeing, parting } from './acts-escrow.ts';
import { submission } from '../kit/identity.ts';
import type { MethodPart } from '../kit/api.ts';
import type { Somebody, World } from './world.ts';

/** Who takes part, and with what. */
export interface Cast {
  readonly buyer: Somebody;
  readonly seller: Somebody;
  /** Whose sales are disputed: the model does not follow who bears it. */
  readonly disputed: Somebody;
  readonly card: string;
  readonly other: string;
  readonly declined: string;
  readonly bank: string;
  /** Somebody who signs in by a page, of each name. */
  readonly applicants: readonly (Somebody & { readonly last: string; readonly user: string })[];
  readonly payee: Somebody & { readonly session: string };
}

/** What is done between two rests. */
export type Step = () => Promise<void>;

/** An act: steps that are taken in turn. */
export type Act = (world: World, cast: Cast) => readonly Step[];

export const field = <T>({ payload }: { readonly payload: unknown }, name: string): T =>
  (payload as Record<string, T>)[name] as T;

/** Last names, and how the vendor decides. */
const DECISIONS = {
  Ordinary: 'ACCEPT',
  'Specimen-Underage': 'DENY',
  'Specimen-Accepted-Later': 'ACCEPT',
} as const;
type Last = keyof typeof DECISIONS;

/** Registers everybody, before anything fails. */
export async function castOf(world: World): Promise<Cast> {
  const { api } = world;
  const buyer = await world.person('buyer', 100_000);
  await api.setKyc(buyer.account_id, { state: 'ACCEPT' });
  const [seller, disputed] = [await world.person('seller'), await world.person('disputed')];
  const attach = (name: string): Promise<string> => api.attach(buyer.account_id, name);
  const [card, other, declined, bank] = [
    await attach('visa'),
    await attach('mastercard'),
    await attach('card_declined'),
    await attach('bank'),
  ];
  const applicants: Cast['applicants'][number][] = [];
  for (const last of Object.keys(DECISIONS) as Last[]) {
    const one = await world.person(last);
    applicants.push({ ...one, last, user: (await world.session(one.account_id)).user });
  }
  const own = await world.person('payee');
  const { session } = await world.session(own.account_id);
  const payee = { ...own, session };
  return { buyer, seller, disputed, card, other, declined, bank, applicants, payee };
}

interface Sold {
  readonly body: object;
  readonly amount: number;
  /** What the buyer's wallet pays of it. */
  readonly fromWallet: number;
  readonly fails: boolean;
}

/** A sale by wallet, by card, or by two of them. */
function sale({ api, rng }: World, { buyer, seller, card, other, declined }: Cast): Sold {
  const amount = 100 + rng.below(900);
  const fails = rng.once(4);
  const payment_method_id = fails ? declined : card;
  const part = 1 + rng.below(amount - 1);
  const [fromWallet, methods]: [number, readonly MethodPart[]] = rng.of([
    [0, [{ payment_method_id }]],
    [0, [{ payment_method_id }]],
    [part, [{ payment_method_id: buyer.method, amount: part }, { payment_method_id, amount: 0 }]],
    [0, [{ payment_method_id: other, amount: part }, { payment_method_id, amount: 0 }]],
    [amount, [{ payment_method_id: buyer.method }]],
  ]);
  const body = bodyOf(api, buyer, seller, amount, methods);
  return { body, amount, fromWallet, fails: fails && fromWallet < amount };
}

export function bodyOf(
  api: World['api'],
  { account_id }: Somebody,
  { wallet_id }: Somebody,
  amount: number,
  methods: readonly MethodPart[],
): object {
  const line = { transaction_type: 'user_to_user', product_sku: 'sku', amount, currency: 'USD' };
  const recipients = [{ amount, currency: 'USD', destination_wallet_id: wallet_id }];
  return api.sale(amount, methods, { account_id, line_items: [{ ...line, recipients }] });
}

/** Makes and pays an invoice; gives its id. */
async function sold(world: World, body: object): Promise<string> {
  const made = await world.ask({ status: 201, path: '/v2/invoice', body });
  const id = field<string>(made, 'invoice_id');
  world.made.sale += 1;
  await world.ask({ status: 200, path: `/v2/invoice/${id}/pay` });
  return id;
}

async function ends(world: World, id: string, state: string): Promise<void> {
  const seen = await world.read<{ state: string }>('invoicing', `/v2/invoice/${id}`);
  assert.equal(seen.state, state, `invoice ${id}`);
}

/** A sale, and maybe a refund of it. */
function bought(world: World, { buyer, seller }: Cast, asked: Sold): readonly Step[] {
  const { body, amount, fromWallet, fails } = asked;
  const refunded = world.rng.once(2);
  let id = '';
  return [
    async () => {
      id = await sold(world, body);
      world.checks.push(() => ends(world, id, fails ? 'failed' : 'success'));
      if (fails) return;
      world.gains(buyer, -fromWallet);
      world.gains(seller, amount);
      world.mailed(buyer, 'receipt');
    },
    async () => {
      if (!refunded || fails) return;
      const given = { invoice_id: id, reason: 'other' };
      await world.ask({ status: 200, path: '/v2/refund', body: given });
      world.gains(buyer, fromWallet);
      world.mailed(buyer, 'refund');
    },
  ];
}

const buying: Act = (world, cast) => bought(world, cast, sale(world, cast));

/** What is reserved on the first card goes back, since the second one declines. */
const reversing: Act = (world, cast) => {
  const { buyer, seller, other, declined } = cast;
  const held = { payment_method_id: other, amount: 100 };
  const rest = { payment_method_id: declined, amount: 0 };
  const body = bodyOf(world.api, buyer, seller, 300, [held, rest]);
  return bought(world, cast, { body, amount: 300, fromWallet: 0, fails: true });
};

const holding: Act = (world, cast) => {
  const { body, amount, fromWallet, fails } = sale(world, cast);
  const end = world.rng.of(['commit', 'cancel'] as const);
  let id = '';
  const status = async (wanted: string): Promise<void> => {
    const seen = await world.read<{ status: string }>('invoicing', `/v2/escrow/${id}`);
    assert.equal(seen.status, wanted, `escrow ${id}`);
  };
  return [
    async () => {
      id = field(await world.ask({ status: 201, path: '/v2/escrow', body }), 'id');
      world.made.escrow += 1;
      await world.ask({ status: 200, path: `/v2/escrow/${id}/pay`, unsettled: true });
    },
    async () => {
      if (fails) return void world.checks.push(() => status('ESCROW-FAILED'));
      await status('ESCROWED');
      await world.ask({ status: 200, path: `/v2/escrow/${id}/${end}`, unsettled: true });
      world.checks.push(() => status(end === 'commit' ? 'COMMITTED' : 'CANCELLED'));
      if (end === 'cancel') return;
      world.gains(cast.buyer, -fromWallet);
      world.gains(cast.seller, amount);
    },
  ];
};

const toppingUp: Act = (world, { buyer, card, declined }) => {
  const fails = world.rng.once(4);
  const amount = 100 + world.rng.below(900);
  const payment_method_id = fails ? declined : card;
  const body = { account_id: buyer.account_id, payment_method_id, currency: 'USD', amount };
  return [
    async () => {
      const made = await world.ask({ status: 201, path: '/v1/deposits', body, unsettled: true });
      const path = `/v1/deposits/${field<string>(made, 'deposit_id')}`;
      world.made.deposit += 1;
      world.checks.push(async () => {
        const { state } = await world.read<{ state: string }>('invoicing', path);
        assert.equal(state, fails ? 'failed' : 'success', path);
      });
      if (!fails) world.gains(buyer, amount);
    },
  ];
};

const payingOut: Act = (world, { buyer, bank }) => {
  const path = `/v2/${buyer.account_id}/payout`;
  const amount = 1_000 + world.rng.below(1_000);
  const from = { source_payment_method_id: buyer.method, destination_payment_method_id: bank };
  let id = '';
  return [
    async () => {
      const body = { ...from, amount, currency: 'USD' };
      id = field(await world.ask({ status: 201, path, body }), 'payout_status_id');
      world.made.payout += 1;
    },
    async () => {
      await world.ask({ status: 200, method: 'PATCH', path: `${path}/${id}`, unsettled: true });
      world.gains(buyer, -amount);
      world.mailed(buyer, 'payout_sent');
      world.checks.push(async () => {
        const { status } = await world.read<{ status: string }>('invoicing', `${path}/${id}`);
        assert.equal(status, 'SUCCESS', path);
      });
    },
  ];
};

const disputing: Act = (world, { buyer, disputed, card }) => {
  const body = bodyOf(world.api, buyer, disputed, 500, [{ payment_method_id: card }]);
  let [id, dispute] = ['', ''];
  // It happens once; who asks again after a lost answer may hear that it has.
  const refusals = ['OUTSIDE_EVENT_REFUSED'];
  const happens = (event: string, of: string) =>
    world.ask({ status: 201, path: '/sandbox/outside_events', body: { event, id: of }, refusals });
  return [
    async () => {
      id = await sold(world, body);
      world.mailed(buyer, 'receipt');
    },
    async () => void (await happens('chargeback', id)),
    async () => {
      type Page = { disputes: readonly { dispute_id: string }[] };
      const path = `/v1/disputes?invoice_id=${id}`;
      dispute = (await world.read<Page>('invoicing', path)).disputes[0]?.dispute_id ?? '';
      const text = { kind: 'shipping_tracking', text: 'Delivered on the third.' };
      const at = `/v1/disputes/${dispute}`;
      await world.ask({ status: 201, path: `${at}/evidence`, body: text });
      await world.ask({ status: 200, path: `${at}/submit`, unsettled: true });
    },
    async () => {
      await happens('dispute_won', dispute);
      world.checks.push(async () => {
        const path = `/v1/disputes/${dispute}`;
        const { status } = await world.read<{ status: string }>('invoicing', path);
        assert.equal(status, 'won', path);
      });
    },
  ];
};

const applying: Act = (world, { applicants }) =>
  applicants.map(({ last, user, account_id }) => async () => {
    const body = submission({ last });
    await world.ask({ status: 200, host: 'pii', path: '/v2/kyc', body, token: user });
    world.checks.push(async () => {
      const seen = await world.read<{ state: string }>('pii', `/v1/kyc/${account_id}`);
      assert.equal(seen.state, DECISIONS[last as Last], last);
    });
  });

const enrolling: Act = (world, { payee }) => {
  const { account_id, session: token } = payee;
  return [
    async () => {
      const body = { account_id, country: 'US' };
      await world.ask({ status: 201, host: 'payments', path: '/v1/payee/link', body });
    },
    async () => {
      const entry = { status: 201, host: 'payments', path: '/v1/payment_method/entry' } as const;
      const begun = await world.ask({ ...entry, body: { kind: 'card' }, token });
      const body = { entry_id: field<string>(begun, 'entry_id') };
      const refusals = ['PAYMENT_METHOD_ENTRY_INCOMPLETE'];
      const take = { ...entry, path: '/v1/payment_method', body, refusals };
      const { code } = await world.ask({ ...take, token });
      assert.equal(code, refusals[0]);
    },
  ];
};

/** The acts of one history, in an order of its own. */
export function actsOf({ rng }: World): Act[] {
  const drawn = Array.from({ length: 4 + rng.below(4) }, () =>
    rng.of([buying, buying, holding, parting, toppingUp, payingOut]),
  );
  const rare = [disputing, disputing, applying, enrolling, enrolling, parting, disagreeing];
  return rng.shuffled([...drawn, buying, reversing, holding, payingOut, ...rare]);
}
