// Every screen of links and payments and the way to reach it, for checks in every look and for
// pictures. scenes-account.ts has the screens of identity, payouts and the history.
import type { Page } from 'playwright-core';
import { openedToken } from '../kit/checkout.ts';
import { arrive, bankIn, HOSTED, newBuyer, order, payBy, type Buyer } from './buyer.ts';
import { hook, type Bench, type Visitor } from './kit.ts';

/** How a person looks at screens. */
export interface Look {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Of the browser, and so of the page. */
  readonly language: string;
  /** Of the tenant's settings. */
  readonly background_color: string;
  readonly primary_color: string;
  readonly still: boolean;
}

/** A desk, a phone in the dark in long words, from right to left, and a desk at 400 %. */
export const LOOKS: readonly Look[] = [
  {
    name: 'desk',
    width: 1_000,
    height: 800,
    language: 'en',
    background_color: '#ffffff',
    primary_color: '#1d4ed8',
    still: false,
  },
  {
    name: 'phone-dark',
    width: 360,
    height: 740,
    language: 'de',
    background_color: '#14161c',
    primary_color: '#8b7bff',
    still: true,
  },
  {
    name: 'right-to-left',
    width: 320,
    height: 640,
    language: 'ar',
    background_color: '#fdf6e3',
    primary_color: '#ffd166',
    still: true,
  },
  {
    name: 'zoom-400',
    width: 320,
    height: 256,
    language: 'fr',
    background_color: '#808080',
    primary_color: '#808080',
    still: true,
  },
];

/** What a scene is played on. */
export interface Stage {
  readonly bench: Bench;
  readonly visitor: Visitor;
  readonly look: Look;
}

/** One screen: its name, and the way to it. */
export interface Scene {
  readonly name: string;
  readonly show: (stage: Stage) => Promise<void>;
}

/** Opens a link of a page of its own, up to this screen. */
export async function openLink(stage: Stage, redirect: string, screen: string): Promise<Page> {
  const { page } = stage.visitor;
  await page.goto(redirect);
  await hook(page, 'continue').click();
  if (screen === 'screen-agree') await hook(page, screen).waitFor();
  else await arrive(page, screen);
  return page;
}

/** A link of a flow that has no order, as a page of its own. */
export function hostedLink(
  { bench }: Stage,
  flow: string,
  { account_id }: Pick<Buyer, 'account_id'>,
): Promise<string> {
  return bench.link(flow, { account_id, mechanism: 'service_hosted' });
}

const LINES = [
  ['A satchel of waxed canvas, with a strap that can be worn over either shoulder', 'SAT-1'],
  ['Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft', 'L'],
  ['', 'sku-without-words-and-with-a-very-long-name-that-has-to-break-somewhere-0123456789'],
] as const;

/** An order of long lines on a page of its own, opened by a buyer with these means. */
async function summary(stage: Stage, cents: number, cards: string[], more = {}): Promise<Buyer> {
  const { api, ready } = stage.bench.platform;
  const buyer = await newBuyer(api, cents, ...cards);
  const { wallet_id: destination_wallet_id } = ready.accounts.seller;
  const line_items = LINES.map(([description, product_sku]) => ({
    amount: 123_456,
    currency: 'USD',
    description,
    product_sku,
    transaction_type: 'user_to_user',
    recipients: [{ amount: 123_456, currency: 'USD', destination_wallet_id }],
  }));
  const description = 'An order of several things, of which each has a name';
  const made = await order(api, buyer, 0, { ...HOSTED, line_items, description, ...more });
  await openLink(stage, made.redirect, 'screen-summary');
  return buyer;
}

async function paying(stage: Stage, card: string, screen: string): Promise<Page> {
  const buyer = await summary(stage, 0, [card]);
  await payBy(stage.visitor.page, buyer.cards[0] ?? '');
  await hook(stage.visitor.page, screen).waitFor();
  return stage.visitor.page;
}

const INVOICE = /\/v2\/invoice\/[^/]+$/;

async function changing(stage: Stage, action: string): Promise<void> {
  const buyer = await summary(stage, 0, ['visa', 'mastercard']);
  const { page } = stage.visitor;
  await hook(page, `method-menu-${buyer.cards[0]}`).click();
  if (action !== 'menu') await hook(page, `method-${action}`).click();
  await hook(page, action === 'menu' ? 'method-rename' : `${action}-dialog-confirm`).waitFor();
}

/** A link that opens nothing any more, or never did. */
async function deadLink(stage: Stage, link: string, error: RegExp): Promise<void> {
  stage.visitor.expect(error);
  await stage.visitor.page.goto(link);
  await hook(stage.visitor.page, 'screen-link').waitFor();
}

/** Screens around flows. */
const AROUND: readonly Scene[] = [
  {
    name: 'continue',
    async show(stage) {
      const buyer = await newBuyer(stage.bench.platform.api, 0);
      const link = await hostedLink(stage, 'kyc', buyer);
      await stage.visitor.page.goto(link);
      await hook(stage.visitor.page, 'continue').waitFor();
    },
  },
  {
    name: 'agree',
    async show(stage) {
      const buyer = await newBuyer(stage.bench.platform.api, 0);
      await openLink(stage, await hostedLink(stage, 'purchase', buyer), 'screen-agree');
      await hook(stage.visitor.page, 'agree-accept').click();
      await stage.visitor.page.locator('#agree-missing').waitFor();
    },
  },
  {
    name: 'nothing-done',
    async show(stage) {
      const buyer = await newBuyer(stage.bench.platform.api, 0);
      const page = await openLink(stage, await hostedLink(stage, 'tos', buyer), 'screen-agree');
      await hook(page, 'agree-cancel').click();
      await hook(page, 'screen-end').waitFor();
    },
  },
  {
    name: 'link-unknown',
    show: (stage) =>
      deadLink(stage, `${stage.bench.platform.ready.urls.hosted}/checkout/none`, /404 \(Not F/),
  },
  {
    name: 'link-used',
    async show(stage) {
      const { api } = stage.bench.platform;
      const { redirect } = await order(api, await newBuyer(api, 0), 900, HOSTED);
      await openedToken(redirect);
      await deadLink(stage, redirect, /410 \(Gone\)/);
    },
  },
  {
    name: 'unreachable',
    async show(stage) {
      const { page } = stage.visitor;
      stage.visitor.expect(/ERR_FAILED/);
      const buyer = await newBuyer(stage.bench.platform.api, 0);
      await page.route('**/ui/api/session', (route) => route.abort());
      await page.goto(await hostedLink(stage, 'tos', buyer));
      await hook(page, 'continue').click();
      await hook(page, 'screen-crash').waitFor();
    },
  },
  {
    name: 'framed',
    async show({ bench, visitor, look }) {
      const buyer = await newBuyer(bench.platform.api, 600, 'visa');
      const { redirect } = await order(bench.platform.api, buyer, 2_000);
      const { background_color: backgroundColor, primary_color: primaryColor } = look;
      const theme = { backgroundColor, primaryColor };
      await arrive(await visitor.begin({ flow: 'checkout', redirect, theme }));
    },
  },
];

/** Fifty things in one order. */
const MANY = Array.from({ length: 50 }, (_, at) => ({
  amount: 100 + at,
  currency: 'USD',
  description: `Thing ${at + 1}`,
  transaction_type: 'user_to_integrator',
}));

/** Screens of paying. */
const PAYING: readonly Scene[] = [
  {
    name: 'agree-order',
    async show(stage) {
      const { api } = stage.bench.platform;
      const buyer = await newBuyer(api, 0);
      const { redirect } = await order(api, buyer, 0, { ...HOSTED, line_items: MANY });
      await openLink(stage, redirect, 'screen-agree');
    },
  },
  {
    name: 'summary-many',
    show: async (stage) => void (await summary(stage, 0, ['visa'], { line_items: MANY })),
  },
  { name: 'summary', show: async (stage) => void (await summary(stage, 900_000, ['visa'])) },
  {
    name: 'summary-parts',
    async show(stage) {
      await summary(stage, 5_000, ['visa', 'bank', 'paypal'], { is_escrow: true });
      await hook(stage.visitor.page, 'wallet-switch').check();
    },
  },
  {
    name: 'summary-nothing-to-pay-with',
    async show(stage) {
      await summary(stage, 0, []);
      await hook(stage.visitor.page, 'pay').click();
    },
  },
  { name: 'method-menu', show: (stage) => changing(stage, 'menu') },
  { name: 'method-rename', show: (stage) => changing(stage, 'rename') },
  { name: 'method-remove', show: (stage) => changing(stage, 'remove') },
  {
    name: 'add-card',
    async show(stage) {
      await summary(stage, 0, []);
      await hook(stage.visitor.page, 'add-card').click();
      const form = stage.visitor.page.frameLocator('[data-test="entry-frame"] iframe');
      await hook(form, 'card-save').click();
    },
  },
  {
    name: 'add-paypal',
    async show(stage) {
      await summary(stage, 0, []);
      await hook(stage.visitor.page, 'add-paypal').click();
      await stage.visitor.page.locator('[data-test="continue"]:enabled').waitFor();
    },
  },
  {
    name: 'add-unreachable',
    async show(stage) {
      stage.visitor.expect(/ERR_FAILED/);
      await summary(stage, 0, []);
      await stage.visitor.page.route('**/payment_method/entry', (route) => route.abort());
      await hook(stage.visitor.page, 'add-card').click();
      await hook(stage.visitor.page, 'entry-retry').waitFor();
    },
  },
  {
    name: 'bank',
    async show(stage) {
      const page = await paying(stage, 'three_d_secure', 'screen-authenticate');
      await hook(bankIn(page), 'challenge-confirm').waitFor();
    },
  },
  {
    name: 'wait',
    async show(stage) {
      await stage.visitor.page.route(INVOICE, () => {});
      await paying(stage, 'visa', 'screen-wait');
    },
  },
  {
    name: 'wait-offline',
    async show(stage) {
      stage.visitor.expect(/ERR_FAILED/);
      await stage.visitor.page.route(INVOICE, (route) => route.abort());
      const page = await paying(stage, 'visa', 'screen-wait');
      await page.locator('.notice-warn').waitFor();
    },
  },
  {
    name: 'failure',
    show: async (stage) => void (await paying(stage, 'insufficient_funds', 'screen-failure')),
  },
  {
    name: 'problem',
    async show(stage) {
      stage.visitor.expect(/ERR_FAILED/);
      await stage.visitor.page.route('**/v2/invoice', (route) => route.abort());
      await paying(stage, 'visa', 'problem');
    },
  },
  {
    name: 'success',
    show: async (stage) => void (await paying(stage, 'visa', 'screen-success')),
  },
  {
    name: 'done',
    async show(stage) {
      const page = await paying(stage, 'visa', 'screen-success');
      await hook(page, 'done').click();
      await hook(page, 'screen-end').waitFor();
    },
  },
  {
    name: 'payment-selection',
    async show(stage) {
      const buyer = await newBuyer(stage.bench.platform.api, 700, 'visa', 'mastercard');
      await openLink(stage, await hostedLink(stage, 'payment-selection', buyer), 'screen-methods');
    },
  },
  {
    name: 'purchase-nothing-chosen',
    async show(stage) {
      const buyer = await newBuyer(stage.bench.platform.api, 0);
      const link = await hostedLink(stage, 'purchase', buyer);
      const page = await openLink(stage, link, 'screen-methods');
      await hook(page, 'select-method').click();
    },
  },
];

/** All of them, in the order that a person may meet them. */
export const PAYMENT_SCENES: readonly Scene[] = [...AROUND, ...PAYING];
