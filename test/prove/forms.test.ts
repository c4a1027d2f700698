// Every form that asks for something of a person: browsers are told what each field is, by name;
// what is typed on any keyboard is taken on our pages alone; names are in the person's order.
// [WCAG 1.3.5]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { arrive, HOSTED, newBuyer, order } from '../browser/buyer.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';
import { fillIn, newcomer } from '../browser/person.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

/** What each field must say of itself. Who adds a form adds its fields here. */
const MUST: Readonly<Record<string, string>> = {
  ...{ first: 'given-name', middle: 'additional-name', last: 'family-name' },
  ...{ signature: 'name', holder: 'name', 'user-email': 'email', 'entity-name': 'organization' },
  ...{ 'date-of-birth-day': 'bday-day', 'date-of-birth-month': 'bday-month' },
  ...{ 'date-of-birth-year': 'bday-year', country: 'country' },
  ...{ street: 'address-line1', street2: 'address-line2', city: 'address-level2' },
  ...{ state: 'address-level1', zip: 'postal-code' },
  ...{ region: 'address-level1', 'postal-code': 'postal-code' },
  ...{ 'phone-code': 'tel-country-code', 'phone-number': 'tel-national' },
  ...{ 'card-number': 'cc-number', 'card-expiry': 'cc-exp', 'card-cvc': 'cc-csc' },
};
/** Numbers that browsers have no word for, another person's name, and what is not of a person. */
const OFF = [
  ...['ssn', 'tax-id', 'naics-numbers', 'duns-numbers', 'iban', 'amount', 'person-name'],
  ...['person-email', 'ownership', 'legal-form', 'registration-number', 'register', 'vat-number'],
  ...['bank-routing', 'bank-account', 'entity-type', 'document-type', 'document-country'],
];
/** Switches and files are filled in by nobody else; the language is the page's. */
const NONE = /^(?:checkbox|radio|file)$/;

const FIELDS = `[...document.querySelectorAll('input, select, textarea')].map((one) =>
  [one.dataset.test ?? one.id, one.type, one.autocomplete])`;

const met = new Set<string>();

/** Fails on a field that says nothing of itself, or something else. */
async function looked(page: Page): Promise<void> {
  const own = Object.values(bench.platform.ready.urls);
  for (const frame of page.frames()) {
    if (!own.includes(new URL(frame.url()).origin)) continue;
    for (const [name, type, fill] of (await frame.evaluate(FIELDS)) as [string, string, string][]) {
      if (NONE.test(type) || name === 'language') continue;
      met.add(name);
      const must = MUST[name] ?? (OFF.includes(name) ? 'off' : `a row in this test, for ${name}`);
      assert.equal(fill, must, `${name} on ${await page.title()}`);
    }
  }
}

async function opened(flow: string, country: string, screen: string, locale = 'en') {
  const { account_id, redirect } = await newcomer(
    bench,
    flow,
    { mechanism: 'service_hosted' },
    country,
  );
  const { page } = await bench.visitor({ locale });
  return {
    account_id,
    page,
    async go(): Promise<void> {
      await page.goto(redirect);
      await hook(page, 'continue').click();
      await arrive(page, screen);
    },
  };
}

test('the identity form, in countries with and without states, and its telephone', async () => {
  for (const country of ['FR', 'US', 'JP']) {
    const { page, go } = await opened('kyc', country, 'screen-kyc-country');
    await go();
    await fillIn(page, { country }, () => looked(page));
  }
  const { page, go } = await opened('kyc', 'FR', 'screen-kyc-phone');
  await page.route('**/kyc/form', async (route) => {
    const answer = (await (await route.fetch()).json()) as { payload: { needs: string[] } };
    answer.payload.needs = ['phone'];
    await route.fulfill({ json: answer });
  });
  await go();
  await looked(page);
});

test('a business, the account of a payout, and what is entered at the processor', async () => {
  const business = await opened('kyb', 'US', 'screen-kyb-company');
  await business.go();
  await looked(business.page);
  await hook(business.page, 'entity-name').fill('Firm');
  await hook(business.page, 'entity-type').selectOption('partnership');
  await hook(business.page, 'tax-id').fill('１２−３٤٥٦٧٨٩');
  assert.equal(await hook(business.page, 'tax-id').inputValue(), '12-3456789');
  await hook(business.page, 'next').click();
  await hook(business.page, 'add-person').click();
  await looked(business.page);

  for (const country of ['DE', 'BR']) {
    const abroad = await opened('kyb', country, 'screen-kyb-company');
    await abroad.go();
    await looked(abroad.page);
    await hook(abroad.page, 'registration-number').fill('HRB １２３٤');
    assert.equal(await hook(abroad.page, 'registration-number').inputValue(), 'HRB 1234');
  }

  const { api } = bench.platform;
  const payout = await opened('payout', 'FR', 'screen-payout');
  await api.setKyc(payout.account_id, { state: 'ACCEPT' });
  await api.fund(payout.account_id, 8_000);
  await payout.go();
  await looked(payout.page);
  await hook(payout.page, 'add-iban').click();
  await hook(payout.page, 'iban').fill('ＤＥ８９ ٣٧٠٤ ٠٠٤٤ ٠٥٣٢ ٠١٣٠ ٠٠');
  await hook(payout.page, 'holder').fill('Zoé ٤');
  await looked(payout.page);
  assert.equal(await hook(payout.page, 'holder').inputValue(), 'Zoé ٤', 'a name stays');
  await hook(payout.page, 'iban-save').click();
  await hook(payout.page, 'amount').fill('٢٤٫٥٠');
  await hook(payout.page, 'price').waitFor();
  assert.equal(await hook(payout.page, 'amount').inputValue(), '24.50');

  const buyer = await newBuyer(api, 0);
  const { redirect } = await order(api, buyer, 2_500, HOSTED);
  const { page } = await bench.visitor();
  await page.goto(redirect);
  await hook(page, 'continue').click();
  await arrive(page);
  await hook(page, 'add-card').click();
  const form = page.frameLocator('[data-test="entry-frame"] iframe');
  await hook(form, 'card-number').waitFor();
  await looked(page);
});

test('each kind of field was met', () => {
  assert.deepEqual(Object.keys(MUST).filter((name) => !met.has(name)), []);
});

test('in Japanese the family name is first, and a word in the making is left alone', async () => {
  const { page, go } = await opened('kyc', 'JP', 'screen-kyc-country', 'ja');
  await go();
  await hook(page, 'country').selectOption('JP');
  await hook(page, 'next').click();
  const names = page.locator('input[autocomplete$="-name"]');
  const order = await names.evaluateAll((all) => all.map((one) => one.getAttribute('data-test')));
  assert.deepEqual(order, ['last', 'first', 'middle']);
  const day = hook(page, 'date-of-birth-day');
  await day.focus();
  const keyboard = await page.context().newCDPSession(page);
  const composing = { text: '２８', selectionStart: 2, selectionEnd: 2 };
  await keyboard.send('Input.imeSetComposition', composing);
  assert.equal(await day.inputValue(), '２８');
  await keyboard.send('Input.insertText', { text: '２８' });
  assert.equal(await day.inputValue(), '28');
  // The digit before the last: the caret stays where it is.
  await day.press('ArrowLeft');
  await day.press('Backspace');
  await page.keyboard.insertText('１');
  await page.keyboard.insertText('٣');
  assert.equal(await day.inputValue(), '18', 'two at most');
  await hook(page, 'date-of-birth-month').selectOption('02');
  await hook(page, 'date-of-birth-year').fill('１９９x');
  await hook(page, 'next').click();
  assert.equal(await day.getAttribute('aria-invalid'), 'true');
  await hook(page, 'date-of-birth-year').fill('１９９０');
  await hook(page, 'last').fill('山田');
  await hook(page, 'first').fill('花子');
  await hook(page, 'next').click();
  await hook(page, 'signature').fill('山田 花子');
  await hook(page, 'next').click();
  await hook(page, 'zip').fill('〒１２３ー４５６７');
  assert.equal(await hook(page, 'zip').inputValue(), '123-4567');
  await hook(page, 'street').fill('青葉１ー２');
  assert.equal(await hook(page, 'street').inputValue(), '青葉１ー２', 'a street stays');
});

test('a page’s form is read as it is typed, and the interface for programs is not', async () => {
  const { ready } = bench.platform;
  const business = await opened('kyb', 'US', 'screen-kyb-company');
  const asked = business.page.waitForRequest('**/entity/form');
  await business.go();
  const { authorization = '' } = await (await asked).allHeaders();
  const put = async (base: string, tax_id: string): Promise<readonly [number, string]> => {
    const entity = { entity_name: 'Firm ٤', entity_type: 'partnership', country: 'US', agents: [] };
    const answer = await fetch(`${base}/v1/entity/form`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ ...entity, tax_id }),
    });
    const { codes = [] } = (await answer.json()) as { codes?: string[] };
    return [answer.status, codes.join()];
  };
  const page = `${ready.urls.widget}/ui/api/pii`;
  assert.deepEqual(await put(page, '١٢-٣٤٥٦７８９'), [200, '']);
  for (const bad of ['١٢-٣٤٥', '١٢x٣٤٥٦٧٨٩', '١٢--٣٤٥٦٧٨٩']) {
    assert.deepEqual(await put(page, bad), [400, 'INVALID_FIELD'], bad);
  }
  assert.deepEqual(await put(ready.urls.pii, '١٢-٣٤٥٦７８９'), [400, 'INVALID_FIELD']);
  assert.deepEqual(await put(ready.urls.pii, '12-3456789'), [200, '']);
});
