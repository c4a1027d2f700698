// The screens of identity, payouts and the history, and the list of all screens. See scenes.ts.
import type { Page } from 'playwright-core';
import { newBuyer, type Buyer } from './buyer.ts';
import { commission, disagreed, escrowLink } from './commission.ts';
import { hook } from './kit.ts';
import { fillIn } from './person.ts';
import { hostedLink, openLink, PAYMENT_SCENES, type Scene, type Stage } from './scenes.ts';

/** A person with these identity data. */
async function person(stage: Stage, state: object, cents = 0, ...cards: string[]): Promise<Buyer> {
  const { api } = stage.bench.platform;
  const buyer = await newBuyer(api, cents, ...cards);
  if ('state' in state) await api.setKyc(buyer.account_id, state);
  return buyer;
}

function identity(name: string, state: object, screen: string): Scene {
  return {
    name,
    async show(stage) {
      await openLink(stage, await hostedLink(stage, 'kyc', await person(stage, state)), screen);
    },
  };
}

const IDENTITY: readonly Scene[] = [
  identity('identity', {}, 'screen-kyc-country'),
  {
    name: 'identity-review',
    async show(stage) {
      const link = await hostedLink(stage, 'kyc', await person(stage, {}));
      await fillIn(await openLink(stage, link, 'screen-kyc-country'));
    },
  },
  identity('identity-accepted', { state: 'ACCEPT' }, 'screen-kyc-accepted'),
];

async function desk(stage: Stage, flow: string, cents: number, ...cards: string[]): Promise<Buyer> {
  const somebody = await person(stage, { state: 'ACCEPT' }, cents, ...cards);
  await openLink(stage, await hostedLink(stage, flow, somebody), 'screen-payout');
  return somebody;
}

/** A payout to the first of these, up to the look at what it costs. */
async function priced(stage: Stage, ...accounts: string[]): Promise<Page> {
  await desk(stage, 'payout-full', 70_000, ...accounts);
  const { page } = stage.visitor;
  await hook(page, 'amount').fill('120');
  await hook(page, 'price').waitFor();
  await hook(page, 'payout-next').click();
  await hook(page, 'screen-payout-confirm').waitFor();
  return page;
}

const PAYOUTS: readonly Scene[] = [
  { name: 'payout', show: async (stage) => void (await desk(stage, 'payout', 70_000, 'bank')) },
  { name: 'payout-nothing-there', show: async (stage) => void (await desk(stage, 'payout', 0)) },
  {
    name: 'payout-confirm',
    show: async (stage) => void (await priced(stage, 'bank_slow', 'paypal')),
  },
  {
    name: 'payout-requested',
    async show(stage) {
      const page = await priced(stage, 'bank_slow');
      await hook(page, 'payout').click();
      await hook(page, 'screen-payout-requested').waitFor();
    },
  },
];

async function history(stage: Stage, orders: number): Promise<Buyer> {
  const { api } = stage.bench.platform;
  const buyer = await newBuyer(api, orders * 1_000);
  const methods = [{ payment_method_id: buyer.wallet }];
  for (let n = 0; n < orders; n += 1) {
    const { account_id } = buyer;
    const id = await api.created(api.sale(900 + n, methods, { account_id }));
    await api.pay(id);
    await api.finished(id);
  }
  return buyer;
}

/** A seller of whose sale a share is in reserve. */
async function reserved(stage: Stage): Promise<Pick<Buyer, 'account_id'>> {
  const { api } = stage.bench.platform;
  const set = (body: object) =>
    api.must(200, 'invoicing', 'PUT', '/v1/settings/disputes', { body });
  await set({ bearer: 'seller', reserve_percent: 10, reserve_days: 30 });
  await history(stage, 1);
  await set({ bearer: 'integrator' });
  return api.ready.accounts.seller;
}

const HISTORY: readonly Scene[] = [
  {
    name: 'history-reserve',
    async show(stage) {
      const link = await hostedLink(stage, 'txnhistory', await reserved(stage));
      const page = await openLink(stage, link, 'screen-history');
      await hook(page, 'held').waitFor();
    },
  },
  {
    name: 'history',
    async show(stage) {
      const link = await hostedLink(stage, 'txnhistory', await history(stage, 3));
      const page = await openLink(stage, link, 'screen-history');
      await page.locator('[data-test^="transaction-"]').first().waitFor();
    },
  },
  {
    name: 'history-empty',
    async show(stage) {
      const link = await hostedLink(stage, 'txnhistory', await history(stage, 0));
      await openLink(stage, link, 'screen-history');
      await hook(stage.visitor.page, 'transactions-empty').waitFor();
    },
  },
  {
    name: 'transaction',
    async show(stage) {
      const link = await hostedLink(stage, 'txnhistory', await history(stage, 1));
      const page = await openLink(stage, link, 'screen-history');
      await page.locator('[data-test^="transaction-"]').first().click();
      await hook(page, 'screen-transaction').waitFor();
    },
  },
];

const ESCROWS: readonly Scene[] = (['buyer', 'seller'] as const).map((side) => ({
  name: `escrow-${side}`,
  async show(stage) {
    const id = await commission(stage.bench.platform.api);
    await openLink(stage, await escrowLink(stage.bench, id, side, true), 'screen-escrow');
  },
}));

/** The page of a commission's disagreement; without one, its form. */
async function disagreement(stage: Stage, side: 'buyer' | 'seller', open: boolean): Promise<Page> {
  const { api } = stage.bench.platform;
  const id = await commission(api);
  if (open) await disagreed(api, id);
  const link = await escrowLink(stage.bench, id, side, true);
  const page = await openLink(stage, link, 'screen-escrow');
  await hook(page, 'disagreement').click();
  await hook(page, open ? 'screen-disagreement' : 'screen-disagreement-begin').waitFor();
  return page;
}

const DISAGREEMENTS: readonly Scene[] = [
  {
    name: 'disagreement-begin',
    async show(stage) {
      const page = await disagreement(stage, 'buyer', false);
      await hook(page, 'state').click();
    },
  },
  {
    name: 'disagreement',
    show: async (stage) => void (await disagreement(stage, 'buyer', true)),
  },
  {
    name: 'disagreement-offer',
    async show(stage) {
      const page = await disagreement(stage, 'seller', true);
      await hook(page, 'make-offer').click();
      await hook(page, 'offer-amount').fill('12.50');
    },
  },
];

/** All screens of ours. */
export const SCENES: readonly Scene[] = [
  ...[...PAYMENT_SCENES, ...IDENTITY, ...PAYOUTS, ...HISTORY],
  ...[...ESCROWS, ...DISAGREEMENTS],
];
