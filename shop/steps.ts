// The shop's actions: forms and results that change something and redirect the browser. They check
// who may do what to an order, and act once however often a form is sent.
import { ownFlow } from './flows.ts';
import { productOf } from './goods.ts';
import { choose, formOf, goTo, json, Objection } from './http.ts';
import { inLanguage, known, languageOf } from './language.ts';
import type { MethodPart, Way } from './orders.ts';
import { tokenOf } from './pages/parts.ts';
import { orderOf, type Handler, type Turn } from './turn.ts';

/** Switches to another person. */
export const changeWho: Handler = async ({ desk, visit }) => {
  const form = formOf(visit);
  const person = await desk.people.byId(form.get('who') ?? '');
  if (person === null) throw new Objection(404, 'This shop does not know that account.');
  return goTo(backOf(form), choose('who', person.account_id));
};

/** Switches to another language. */
export const changeLanguage: Handler = async ({ visit }) => {
  const form = formOf(visit);
  return goTo(backOf(form), choose('language', known(form.get('language') ?? '')));
};

/** Leads to the page of an order's receipt, which is as secret as the receipt: nothing keeps it. */
export const openReceipt: Handler = async (turn) => {
  const { invoice, escrow } = await orderOf(turn);
  const { receipt_data } = await turn.desk.holdfast.invoicing.getReceipt({
    transaction_id: escrow || invoice,
    account_id: turn.me.account_id,
  });
  return goTo(inLanguage(receipt_data.attributes.url, languageOf(turn.visit)));
};

/** Creates an account for a new visitor. */
export const registerVisitor: Handler = async ({ desk, visit }) => {
  const form = formOf(visit);
  const name = (form.get('name') ?? '').trim().slice(0, 60);
  if (name === '') throw new Objection(400, 'Please enter a name.');
  const person = await desk.people.register(name, tokenIn(form));
  return goTo('/', choose('who', person.account_id));
};

/** Begins an order. */
export const startOrder: Handler = async ({ desk, visit, me }) => {
  const form = formOf(visit);
  const product = productOf(form.get('product') ?? '');
  if (product === null) throw new Objection(404, 'The shop does not have this product.');
  if (desk.people.seller(product.seller) === me) {
    throw new Objection(400, 'You cannot buy from yourself. Switch to somebody else first.');
  }
  const id = tokenIn(form);
  const escrow = product.plan !== undefined || form.get('escrow') === 'yes';
  const order = { id, product, buyer: me.account_id, escrow };
  // Dates and milestones are the shop's to set: its server creates the escrow.
  const way = product.plan === undefined ? wayIn(form) : 'choose';
  await desk.orders.open(order, way, id);
  return goTo(`/order/${id}`);
};

/** Opens another way to pay an order. */
export const openAgain: Handler = async (turn) => {
  const form = formOf(turn.visit);
  const { order, stage } = await orderOf(turn);
  if (order.buyer !== turn.me.account_id) throw new Objection(403, 'Only the buyer can pay.');
  if (stage === 'unpaid' || stage === 'failed') {
    const way = order.product.plan === undefined ? wayIn(form) : 'choose';
    await turn.desk.orders.open(order, way, tokenIn(form));
  }
  return goTo(`/order/${order.id}`);
};

/** The seller has sent it. */
export const ship: Handler = async (turn) => {
  const standing = await orderOf(turn);
  const seller = turn.desk.orders.sellerOf(standing.order);
  if (seller !== turn.me) throw new Objection(403, `Only ${seller.name} can ship this.`);
  await turn.desk.orders.ship(standing, tokenIn(formOf(turn.visit)));
  return goTo(`/order/${standing.order.id}?said=shipped`);
};

/** Buyer or seller cancels it. */
export const cancel: Handler = async (turn) => {
  const standing = await orderOf(turn);
  await turn.desk.orders.cancel(standing, tokenIn(formOf(turn.visit)));
  return goTo(`/order/${standing.order.id}?said=cancelled`);
};

/** The buyer is back from the hosted page; what was paid is read from the platform. */
export const comeBack: Handler = async (turn) => {
  const { query } = turn.visit;
  const told = Object.fromEntries([...query].slice(0, 20));
  hear(turn, 'Your return address was opened', told);
  const { order } = await orderOf(turn);
  turn.desk.orders.close(order);
  return goTo(`/order/${order.id}?said=${query.get('state') === 'complete' ? 'back' : 'left'}`);
};

/** The page reports how a payment ended. */
export const hearOrder: Handler = async (turn) => {
  const result = resultOf(turn);
  const { order } = await orderOf(turn);
  const { orders } = turn.desk;
  const methods = methodsOf(result['paymentMethods']);
  if (result['state'] === 'complete' && methods !== null) await orders.payWith(order, methods);
  orders.close(order);
  return json({ next: `/order/${order.id}?said=${saidOf(result)}` });
};

/** The page reports how one of a person's own flows ended. */
export const hearFlow: Handler = async (turn) => {
  const result = resultOf(turn);
  return json({ next: `/account?said=${saidOf(result)}` });
};

/** Opens one of a person's own flows. */
export const openFlow: Handler = async ({ desk, visit, me }) => {
  const form = formOf(visit);
  const flow = ownFlow(form.get('flow') ?? '');
  if (flow === null) throw new Objection(404, 'There is no such page.');
  const token = tokenIn(form);
  await desk.flows.open(me.account_id, flow, token);
  return goTo(`/flow/${token}`);
};

/**
 * Sends a payout, which nobody else does in the sandbox. An IBAN is paid by a file for the bank,
 * out of the account that the processor pays earnings into: here both happen at once.
 */
export const bankSaysYes: Handler = async ({ desk, visit, me: { account_id } }) => {
  const { invoicing, payments } = desk.holdfast;
  const form = formOf(visit);
  const payout = { account_id, payout_status_id: form.get('payout') ?? '' };
  const once = (what: string) => ({ idempotencyKey: `${what}-${tokenIn(form)}` });
  const { credit, currency, net_amount: amount } = await invoicing.getPayout(payout);
  const methods = await payments.listPaymentMethods({ account_id });
  const to = methods.find(({ id }) => id === credit.destination_payment_method_id);
  const byFile = to?.provider === 'bank';
  if (byFile) await invoicing.sandboxBankTransfer({ currency, amount }, once('money'));
  await invoicing.executePayout(payout, once('bank'));
  const settled = { event: 'settle', id: payout.payout_status_id } as const;
  if (byFile) await invoicing.sandboxOutsideEvent(settled, once('file'));
  return goTo('/account?said=sent');
};

/** Decides about an identity, which nobody else does in the sandbox. */
export const decideIdentity: Handler = async ({ desk, visit }) => {
  const form = formOf(visit);
  const event = form.get('event') === 'accept' ? 'accept' : 'deny';
  const once = { idempotencyKey: `review-${tokenIn(form)}` };
  const kyc_id = form.get('kyc') ?? '';
  await desk.holdfast.invoicing.sandboxIdentityEvent({ kyc_id, event }, once);
  return goTo('/account?said=decided');
};

/** The page that a form names, if it is one of ours. */
function backOf(form: URLSearchParams): string {
  const back = form.get('back') ?? '/';
  return /^\/[a-z0-9]/i.test(back) ? back : '/';
}

/** The token of a form. Throws Objection. */
export function tokenIn(form: URLSearchParams): string {
  const token = tokenOf(form);
  if (token === null) throw new Objection(400, 'This form has expired. Reload the page.');
  return token;
}

function wayIn(form: URLSearchParams): Way {
  const way = form.get('way');
  return way === 'away' || way === 'choose' ? way : 'here';
}

type Result = Readonly<Record<string, unknown>>;

/** What the page's script reports; a browser may send anything. */
function resultOf(turn: Turn): Result {
  let result: unknown = null;
  try {
    result = JSON.parse(turn.visit.body.toString());
  } catch {
    // Refused below.
  }
  const good = typeof result === 'object' && result !== null && turn.visit.body.length < 16_384;
  if (!good) throw new Objection(400, 'The result could not be read.');
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
