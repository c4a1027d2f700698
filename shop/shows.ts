// The pages of the shop, each drawn from what the platform says now. They change nothing.
import { productOf } from './goods.ts';
import { goTo, Objection, page, type Reply } from './http.ts';
import { languageOf } from './language.ts';
import { layout, type Content, type Scene } from './layout.ts';
import { accountPage, flowPage, visitorPage } from './pages/account.ts';
import { mailPage } from './pages/mail.ts';
import { market, productPage } from './pages/market.ts';
import { orderPage, ordersPage } from './pages/orders.ts';
import { orderOf, purseOf, type Handler, type Turn } from './turn.ts';

/** Draws a page around its content. */
export async function draw(
  { desk, visit, me, notes }: Turn,
  middle: (scene: Scene) => Content | Promise<Content>,
  status = 200,
): Promise<Reply> {
  const { people, hooks, holdfast } = desk;
  const registering = hooks.register().catch((error: Error) => error.message);
  const [registration, [wallet]] = await Promise.all([
    registering,
    purseOf(holdfast, me.account_id),
    people.meet(),
  ]);
  const { path, query } = visit;
  const language = languageOf(visit);
  const said = query.get('said') ?? '';
  const scene = { me, people, notes, registration, path, wallet, said, language };
  return page(layout(scene, await middle(scene)), status);
}

/** The products, and what can be tried. */
export const showMarket: Handler = (turn) => draw(turn, market);

/** One product. */
export const showProduct: Handler = (turn) => {
  const product = productOf(turn.id);
  if (product === null) throw new Objection(404, 'The shop does not have this product.');
  return draw(turn, (scene) => productPage(scene, product));
};

/** What a person bought and sold. */
export const showOrders: Handler = (turn) =>
  draw(turn, async (scene) => ordersPage(scene, await turn.desk.orders.list(turn.me)));

/** One order. */
export const showOrder: Handler = async (turn) => {
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

/** A person's own page. */
export const showAccount: Handler = (turn) => {
  const { account_id } = turn.me;
  const { pii, invoicing } = turn.desk.holdfast;
  return draw(turn, async (scene) => {
    const [kyc, payouts, [, restricted]] = await Promise.all([
      pii.getKYCStatus({ account_id }),
      invoicing.listPayouts({ account_id, limit: 5 }),
      purseOf(turn.desk.holdfast, account_id),
    ]);
    turn.desk.people.learn(account_id, kyc.state);
    return accountPage(scene, { kyc, payouts, restricted });
  });
};

/** What a person got by mail; a real shop never sees that, the sandbox shows it. */
export const showMail: Handler = (turn) =>
  draw(turn, async (scene) => {
    const { mails } = await turn.desk.holdfast.invoicing.sandboxMail({ limit: 200 });
    return mailPage(scene, mails.filter(({ account_id }) => account_id === turn.me.account_id));
  });

/** A flow in a person's own page. */
export const showFlow: Handler = (turn) => {
  const open = turn.desk.flows.find(turn.id, turn.me.account_id);
  if (open === null) return Promise.resolve(goTo('/account'));
  return draw(turn, (scene) => flowPage(scene, open, turn.desk.urls.widget));
};

/** The form of a new visitor. */
export const showVisitor: Handler = (turn) => draw(turn, visitorPage);
