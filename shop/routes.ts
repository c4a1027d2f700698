// Every address of the shop and what it does there: pages are drawn from what the platform says
// now, forms do one thing and send the browser on. Answers for who may do what to an order.
import type { ClientApi, Host } from '../client/generated.ts';
import type { Feed } from './feed.ts';
import { ownFlow, type Flows } from './flows.ts';
import { productOf } from './goods.ts';
import type { Hooks } from './hooks.ts';
import { formOf, goTo, json, Objection, page, whoCookie, type Reply, type Visit } from './http.ts';
import { layout, type Content, type Scene } from './layout.ts';
import type { MethodPart, Orders, Standing, Way } from './orders.ts';
import { accountPage, flowPage, visitorPage } from './pages/account.ts';
import { market, productPage } from './pages/market.ts';
import { orderPage, ordersPage } from './pages/orders.ts';
import { tokenOf } from './pages/parts.ts';
import type { People, Person } from './people.ts';

/** Everything that pages are made from. */
export interface Desk {
  readonly urls: Readonly<Record<Host, string>>;
  readonly holdfast: ClientApi;
  readonly people: People;
  readonly orders: Orders;
  readonly flows: Flows;
  readonly hooks: Hooks;
  readonly feed: Feed;
}

/** One request of somebody. `id` is what the address names. */
export interface Turn {
  readonly desk: Desk;
  readonly visit: Visit;
  readonly me: Person;
  readonly id: string;
}

type Handler = (turn: Turn) => Promise<Reply>;

/** Minor units of USD that an account can spend, and those that are kept back from it. */
export async function purseOf(holdfast: ClientApi, account_id: string): Promise<[number, number]> {
  const { balances } = await holdfast.wallets.getBalances({ account_id, currency: 'USD' });
  const { spendable, kept_back } = balances['USD'] ?? {};
  return [spendable?.balance ?? 0, kept_back?.balance ?? 0];
}

/** Draws a page around its middle. */
export async function draw(
  { desk, visit, me }: Turn,
  middle: (scene: Scene) => Content | Promise<Content>,
  status = 200,
): Promise<Reply> {
  const { people, feed, hooks, holdfast } = desk;
  const registering = hooks.register().catch((error: Error) => error.message);
  const [registration, [wallet]] = await Promise.all([
    registering,
    purseOf(holdfast, me.account_id),
  ]);
  const { path, query } = visit;
  const scene = { me, people, registration, path, wallet, said: query.get('said') ?? '' };
  const content = await middle({ ...scene, feed });
  return page(layout({ ...scene, feed }, content), status);
}

const showMarket: Handler = (turn) => draw(turn, market);

const showProduct: Handler = (turn) => {
  const product = productOf(turn.id);
  if (product === null) throw new Objection(404, 'There is no such thing on the shelf.');
  return draw(turn, (scene) => productPage(scene, product));
};

const showOrders: Handler = (turn) =>
  draw(turn, async (scene) => ordersPage(scene, await turn.desk.orders.list(turn.me)));

const showOrder: Handler = async (turn) => {
  const { desk, me } = turn;
  const standing = await orderOf(turn);
  const { order } = standing;
  const seller = desk.orders.sellerOf(order);
  const buyer = (await desk.people.byId(order.buyer)) ?? me;
  const purses = await Promise.all(
    [buyer, seller].map(async ({ account_id }) => (await purseOf(desk.holdfast, account_id))[0]),
  );
  const view = {
    standing,
    buyer,
    seller,
    purses: purses as [number, number],
    link: desk.orders.linkOf(order),
    returnTo: `${desk.urls.shop}/order/${order.id}/back`,
  };
  return draw(turn, (scene) => orderPage(scene, view, desk.urls.widget));
};

const showAccount: Handler = (turn) => {
  const { account_id } = turn.me;
  const { pii, invoicing } = turn.desk.holdfast;
  return draw(turn, async (scene) => {
    const [kyc, payouts, [, keptBack]] = await Promise.all([
      pii.getKYCStatus({ account_id }),
      invoicing.listPayouts({ account_id, limit: '5' }),
      purseOf(turn.desk.holdfast, account_id),
    ]);
    return accountPage(scene, { kyc, payouts, keptBack });
  });
};

const showFlow: Handler = (turn) => {
  const open = turn.desk.flows.find(turn.id, turn.me.account_id);
  if (open === null) return Promise.resolve(goTo('/account'));
  return draw(turn, () => flowPage(open, turn.desk.urls.widget));
};

const showVisitor: Handler = (turn) => draw(turn, visitorPage);

const changeWho: Handler = async ({ desk, visit }) => {
  const form = formOf(visit);
  const person = await desk.people.byId(form.get('who') ?? '');
  if (person === null) throw new Objection(404, 'Nobody of this shop has that account.');
  const back = form.get('back') ?? '/';
  // Only to a page of ours.
  return goTo(/^\/[a-z0-9]/i.test(back) ? back : '/', whoCookie(person.account_id));
};

const registerVisitor: Handler = async ({ desk, visit }) => {
  const form = formOf(visit);
  const name = (form.get('name') ?? '').trim().slice(0, 60);
  if (name === '') throw new Objection(400, 'Tell us a name, please.');
  const person = await desk.people.register(name, tokenIn(form));
  return goTo('/', whoCookie(person.account_id));
};

const startOrder: Handler = async ({ desk, visit, me }) => {
  const form = formOf(visit);
  const product = productOf(form.get('product') ?? '');
  if (product === null) throw new Objection(404, 'There is no such thing on the shelf.');
  if (desk.people.seller(product.seller) === me) {
    throw new Objection(400, 'Nobody buys from themselves. Become somebody else first.');
  }
  const id = tokenIn(form);
  const order = { id, product, buyer: me.account_id, escrow: form.get('escrow') === 'yes' };
  await desk.orders.open(order, wayIn(form), id);
  return goTo(`/order/${id}`);
};

const openAgain: Handler = async (turn) => {
  const form = formOf(turn.visit);
  const { order, stage } = await orderOf(turn);
  if (order.buyer !== turn.me.account_id) throw new Objection(403, 'Only the buyer pays.');
  if (stage === 'unpaid' || stage === 'failed') {
    await turn.desk.orders.open(order, wayIn(form), tokenIn(form));
  }
  return goTo(`/order/${order.id}`);
};

const ship: Handler = async (turn) => {
  const standing = await orderOf(turn);
  const seller = turn.desk.orders.sellerOf(standing.order);
  if (seller !== turn.me) throw new Objection(403, `Only ${seller.name} can ship this.`);
  await turn.desk.orders.ship(standing, tokenIn(formOf(turn.visit)));
  return goTo(`/order/${standing.order.id}?said=shipped`);
};

const cancel: Handler = async (turn) => {
  const standing = await orderOf(turn);
  await turn.desk.orders.cancel(standing, tokenIn(formOf(turn.visit)));
  return goTo(`/order/${standing.order.id}?said=cancelled`);
};

/** The buyer is back from the hosted page. What was paid is read from the platform, not from here. */
const comeBack: Handler = async (turn) => {
  const { query } = turn.visit;
  const told = Object.fromEntries([...query].slice(0, 20));
  hear(turn, 'Your return address was opened', told);
  const { order } = await orderOf(turn);
  turn.desk.orders.close(order);
  return goTo(`/order/${order.id}?said=${query.get('state') === 'complete' ? 'back' : 'left'}`);
};

const hearOrder: Handler = async (turn) => {
  const result = resultOf(turn);
  const { order } = await orderOf(turn);
  const { orders } = turn.desk;
  const methods = methodsOf(result['paymentMethods']);
  if (result['state'] === 'complete' && methods !== null) await orders.payWith(order, methods);
  orders.close(order);
  return json({ next: `/order/${order.id}?said=${saidOf(result)}` });
};

const hearFlow: Handler = async (turn) => {
  const result = resultOf(turn);
  return json({ next: `/account?said=${saidOf(result)}` });
};

const openFlow: Handler = async ({ desk, visit, me }) => {
  const form = formOf(visit);
  const flow = ownFlow(form.get('flow') ?? '');
  if (flow === null) throw new Objection(404, 'There is no such page.');
  const token = tokenIn(form);
  await desk.flows.open(me.account_id, flow, token);
  return goTo(`/flow/${token}`);
};

const bankSaysYes: Handler = async ({ desk, visit, me: { account_id } }) => {
  const form = formOf(visit);
  const payout_status_id = form.get('payout') ?? '';
  const once = { idempotencyKey: `bank-${tokenIn(form)}` };
  await desk.holdfast.invoicing.executePayout({ account_id, payout_status_id }, once);
  return goTo('/account?said=sent');
};

const decideIdentity: Handler = async ({ desk, visit }) => {
  const form = formOf(visit);
  const event = form.get('event') === 'accept' ? 'accept' : 'deny';
  const once = { idempotencyKey: `review-${tokenIn(form)}` };
  const kyc_id = form.get('kyc') ?? '';
  await desk.holdfast.invoicing.sandboxIdentityEvent({ kyc_id, event }, once);
  return goTo('/account?said=decided');
};

async function orderOf({ desk, me, id }: Turn): Promise<Standing> {
  const standing = await desk.orders.find(id, me);
  if (standing !== null) return standing;
  throw new Objection(404, `${me.name} has no such order. Become its buyer or its seller.`);
}

function tokenIn(form: URLSearchParams): string {
  const token = tokenOf(form);
  if (token === null) throw new Objection(400, 'That form is not ours. Load the page again.');
  return token;
}

function wayIn(form: URLSearchParams): Way {
  const way = form.get('way');
  return way === 'away' || way === 'choose' ? way : 'here';
}

type Result = Readonly<Record<string, unknown>>;

/** What the page's script says that it was told; a browser may say anything. */
function resultOf(turn: Turn): Result {
  let result: unknown = null;
  try {
    result = JSON.parse(turn.visit.body.toString());
  } catch {
    // Refused below.
  }
  const good = typeof result === 'object' && result !== null && turn.visit.body.length < 16_384;
  if (!good) throw new Objection(400, 'That result cannot be read.');
  hear(turn, 'onComplete(result)', result as Result);
  return result as Result;
}

function hear({ desk }: Turn, line: string, result: Result): void {
  const mark = String(result['state'] ?? '').slice(0, 20);
  const title = String(result['event'] ?? 'result').slice(0, 60);
  desk.feed.add({ kind: 'page', title, line, mark, good: mark !== 'error', body: result });
}

function saidOf({ state }: Result): string {
  if (state === 'error') return 'broken';
  return state === 'cancel' ? 'left' : 'done';
}

function methodsOf(given: unknown): readonly MethodPart[] | null {
  if (!Array.isArray(given) || given.length === 0 || given.length > 20) return null;
  return given.map(({ payment_method_id, amount }: Partial<MethodPart>) => ({
    payment_method_id: String(payment_method_id),
    amount: Number(amount),
  }));
}

/** Addresses: a method, a path in which `:id` stands for a name, and what happens. */
const ROUTES: readonly (readonly [string, string, Handler])[] = [
  ['GET', '/', showMarket],
  ['GET', '/product/:id', showProduct],
  ['GET', '/orders', showOrders],
  ['POST', '/orders', startOrder],
  ['GET', '/order/:id', showOrder],
  ['GET', '/order/:id/back', comeBack],
  ['POST', '/order/:id/open', openAgain],
  ['POST', '/order/:id/result', hearOrder],
  ['POST', '/order/:id/shipped', ship],
  ['POST', '/order/:id/cancel', cancel],
  ['GET', '/account', showAccount],
  ['POST', '/flow', openFlow],
  ['GET', '/flow/:id', showFlow],
  ['POST', '/flow/:id/result', hearFlow],
  ['POST', '/payout', bankSaysYes],
  ['POST', '/identity', decideIdentity],
  ['GET', '/visitor', showVisitor],
  ['POST', '/visitor', registerVisitor],
  ['POST', '/who', changeWho],
];
const PATTERNS = ROUTES.map(([method, path, handler]) => ({
  method,
  path: new RegExp(`^${path.replace(':id', '([a-z0-9-]{1,40})')}$`),
  handler,
}));

/** What is at an address; null when nothing is. */
export function routeOf({ method, path }: Visit): { handler: Handler; id: string } | null {
  const wanted = method === 'HEAD' ? 'GET' : method;
  for (const one of PATTERNS) {
    const found = one.method === wanted ? one.path.exec(path) : null;
    if (found !== null) return { handler: one.handler, id: found[1] ?? '' };
  }
  return null;
}
