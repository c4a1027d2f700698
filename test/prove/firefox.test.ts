// Firefox ESR: an order is paid with a card typed at the processor's page and leads to its receipt;
// a seller is verified and paid out to an IBAN; in English and in Arabic, on a narrow screen.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newBuyer, order, HOSTED } from '../browser/buyer.ts';
import { Hooks, openFirefox, type Fox } from '../browser/firefox.ts';
import { openBench, type Bench } from '../browser/kit.ts';
import { newcomer } from '../browser/person.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

interface Spoken {
  readonly language: string;
  readonly direction: string;
  /** A number as somebody types it. */
  readonly typed: (latin: string) => string;
  readonly receipt: string;
}

const ARABIC = '٠١٢٣٤٥٦٧٨٩';
const SPOKEN: readonly Spoken[] = [
  { language: 'en', direction: 'ltr', typed: (latin) => latin, receipt: 'Receipt' },
  {
    language: 'ar',
    direction: 'rtl',
    typed: (latin) => latin.replace(/\d/g, (digit) => ARABIC[Number(digit)] ?? ''),
    receipt: 'إيصال',
  },
];

const WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** Opens a link and agrees; everything fits, and nothing went wrong at the end. */
async function within(
  { language, direction }: Spoken,
  link: string,
  what: (hooks: Hooks, fox: Fox) => Promise<void>,
): Promise<void> {
  const fox = await openFirefox(language);
  try {
    await fox.page.goto(link);
    const hooks = new Hooks(fox.page);
    await hooks.click('continue');
    await hooks.click('agree-switch');
    await hooks.click('agree-accept');
    await what(hooks, fox);
    const read = await fox.page.evaluate('[document.documentElement.lang, document.dir].join(" ")');
    assert.equal(read, `${language} ${direction}`);
    assert.equal(await fox.page.evaluate(WIDE), 0, 'nothing to the side');
    assert.deepEqual(fox.troubles, []);
  } finally {
    await fox.stop();
  }
}

for (const spoken of SPOKEN) {
  const { language, typed, receipt } = spoken;

  test(`${language}: an order is paid by a card that is typed, and has a receipt`, async () => {
    const buyer = await newBuyer(bench.platform.api, 0);
    const { redirect } = await order(bench.platform.api, buyer, 2_500, HOSTED);
    await within(spoken, redirect, async (hooks, { page }) => {
      await hooks.click('add-card');
      const form = await hooks.frame('entry-frame');
      const number = await form.type('card-number', typed('4111111111111111'));
      assert.equal(number, '4111 1111 1111 1111');
      assert.equal(await form.type('card-expiry', typed('1260')), '12 / 60');
      assert.equal(await form.type('card-cvc', typed('123')), '123');
      await form.click('card-save');
      await hooks.click('pay');
      assert.match(await hooks.text('screen-success'), /25\.00/);
      const link = await hooks.see('receipt-page');
      await page.goto(await link.evaluate((one) => (one as unknown as { href: string }).href));
      assert.equal(await page.$eval('h1', (one) => one.textContent), receipt);
    });
  });

  test(`${language}: a seller is verified, and asks for a payout to an IBAN`, async () => {
    const hosted = { mechanism: 'service_hosted' };
    const { account_id, redirect } = await newcomer(bench, 'payout', hosted);
    await bench.platform.api.fund(account_id, 8_000);
    await within(spoken, redirect, async (hooks, { photo }) => {
      await hooks.fill('country', 'FR');
      await hooks.click('next');
      await hooks.fill('first', 'Zoé');
      await hooks.fill('last', 'Example');
      assert.equal(await hooks.type('date-of-birth-day', typed('28')), '28');
      await hooks.fill('date-of-birth-month', '02');
      await hooks.type('date-of-birth-year', typed('1990'));
      await hooks.click('next');
      await hooks.fill('signature', 'Zoé Example');
      await hooks.click('next');
      await hooks.fill('street', '1 Rue Exemple');
      await hooks.fill('city', 'Lille');
      assert.equal(await hooks.type('zip', typed('59000')), '59000');
      await hooks.click('next');
      await hooks.fill('document-type', 'PP');
      await hooks.fill('document-country', 'FR');
      await hooks.choose('document-front', photo);
      await hooks.click('next');
      await hooks.click('kyc-submit');
      await hooks.click('continue');
      await hooks.click('add-iban');
      await hooks.type('iban', typed('DE89 3704 0044 0532 0130 00'));
      await hooks.fill('holder', 'Zoé Example');
      await hooks.click('iban-save');
      await hooks.type('amount', typed('25'));
      await hooks.see('price');
      await hooks.click('payout-next');
      assert.match(await hooks.text('destination'), /3000/);
      await hooks.click('payout');
      await hooks.see('screen-payout-requested');
    });
    type Payout = { readonly amount: number };
    const path = `/v2/${account_id}/payouts`;
    const made = await bench.platform.api.must<Payout[]>(200, 'invoicing', 'GET', path);
    assert.deepEqual(made.map(({ amount }) => amount), [2_500]);
  });
}

test('in the frame of a shop: the link opens, is named for who hears it, and pays', async () => {
  const buyer = await newBuyer(bench.platform.api, 5_000);
  const { redirect } = await order(bench.platform.api, buyer, 2_500);
  const fox = await openFirefox('de');
  try {
    await fox.page.goto(bench.shop);
    await fox.page.waitForFunction('typeof Holdfast === "object"');
    const wish = { rootId: 'root', flow: 'checkout', redirect };
    await fox.page.evaluate(`start(${JSON.stringify(wish)})`);
    const holder = await fox.page.waitForSelector('#root iframe');
    const frame = await holder?.contentFrame();
    assert.ok(frame && holder);
    const hooks = new Hooks(frame);
    await hooks.click('agree-switch');
    await hooks.click('agree-accept');
    await hooks.click('pay');
    await hooks.see('screen-success');
    assert.equal(await holder.evaluate((one) => one.title), 'Kasse · Sandbox');
    await hooks.click('done');
    await fox.page.waitForFunction('heard.complete.length === 1');
    assert.deepEqual(fox.troubles, []);
  } finally {
    await fox.stop();
  }
});
