// People of other countries at home: a buyer in Arabic on a phone and one in German on a desk buy,
// get a receipt by mail and their money back; a seller in France, in French, is verified and paid
// out to an IBAN by a file for the bank.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { extractText } from 'unpdf';
import type { Page } from 'playwright-core';
import type { CapturedMail } from '../../client/index.ts';
import { systemRandom } from '../../src/core/random.ts';
import { codeAt, createOperator } from '../../src/product/access/operator/index.ts';
import { fileKeys } from '../../src/providers/keys/file.ts';
import { say, textsOf, type Key } from '../../src/texts/index.ts';
import { addCard, arrive, HOSTED, newBuyer } from '../browser/buyer.ts';
import { everybodyCanUse } from '../browser/everybody.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';
import { fillIn, newcomer } from '../browser/person.ts';
import { authorize } from '../kit/checkout.ts';
import { until } from '../kit/until.ts';
import { signedIn, type Browser } from '../console/kit.ts';

const SHOP = 'Atelier';
/** What makes a person's link a page of its own. */
const HOSTED_PAGE = { mechanism: 'service_hosted' } as const;
let bench: Bench;
before(async () => {
  bench = await openBench();
  const body = { name: SHOP, contact: 'help@atelier.example' };
  await bench.platform.api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body });
});
after(() => bench.stop());

/** Gives somebody an address to write to. */
async function reachable(account_id: string): Promise<string> {
  const address = `${account_id.slice(-8)}@people.example`;
  const body = { email: { address, requires_verification: false } };
  await bench.platform.api.must(200, 'accounts', 'PUT', `/user-info/${account_id}`, { body });
  return address;
}

/** The mail with a subject of ours, in a language. */
function mailed(to: string, language: string, subject: Key): Promise<CapturedMail> {
  const { api } = bench.platform;
  const wanted = say(textsOf(language), subject, { shop: SHOP });
  type Found = { readonly mails: readonly CapturedMail[] };
  return until(`${wanted} to ${to}`, async () => {
    const at = `/sandbox/mail?to=${to}`;
    const { mails } = await api.must<Found>(200, 'invoicing', 'GET', at);
    return mails.find((mail) => mail.subject === wanted);
  });
}

/** Opens the receipt that a mail leads to, as page and as file; gives its words. */
async function receiptIn(page: Page, { text, html }: CapturedMail, language: string) {
  const { direction } = textsOf(language).about;
  assert.match(html, new RegExp(`<html lang="${language}" dir="${direction}">`));
  const [address = ''] = /http\S+\/receipt\/\S+/.exec(text) ?? [];
  await page.goto(address);
  await page.locator(`html[lang="${language}"][dir="${direction}"]`).waitFor();
  await everybodyCanUse(page);
  const file = await fetch(`${address}/pdf`);
  assert.equal(file.headers.get('content-type'), 'application/pdf');
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { page: await page.locator('main').innerText(), file: await extractText(bytes) };
}

for (const { language, phone, item } of [
  { language: 'ar', phone: true, item: 'مصباح' },
  { language: 'de', phone: false, item: 'Lampe' },
]) {
  test(`in ${language} somebody buys, gets a receipt by mail and the money back`, async () => {
    const { api } = bench.platform;
    const texts = textsOf(language);
    const buyer = await newBuyer(api, 0);
    const to = await reachable(buyer.account_id);
    const type = { transaction_type: 'user_to_integrator', currency: 'USD' };
    const tax = { amount: 950, description: '19 %', inclusive: true };
    const line_items = [{ ...type, amount: 5_950, description: item, tax }];
    const { account_id } = buyer;
    const made = await authorize(api, api.sale(0, [], { account_id, line_items, ...HOSTED }));
    const { page } = await bench.visitor({ phone, locale: language });
    await page.goto(made.redirect);
    await hook(page, 'continue').click();
    await arrive(page);
    assert.equal(await page.evaluate('document.dir'), texts.about.direction);
    await everybodyCanUse(page);
    await addCard(page);
    await everybodyCanUse(page);
    await hook(page, 'pay').click();
    await hook(page, 'screen-success').waitFor();
    await everybodyCanUse(page);
    const mail = await mailed(to, language, 'mail.receipt_subject');
    const bought = await receiptIn(page, mail, language);
    const label = say(texts, 'receipt.label_tax');
    for (const words of [bought.page, bought.file.text.join('\n')]) {
      assert.match(words, /9[.,]50/, words);
      assert.ok(words.includes(item) || language === 'ar', words);
    }
    const method = say(texts, 'sale.brand_ending', { brand: 'Visa', digits: '1111' });
    for (const words of [label, item, method]) {
      assert.ok(bought.page.includes(words), `${words} is not in ${bought.page}`);
    }
    assert.ok(mail.text.includes(method), mail.text);
    type Seen = { readonly invoice_id: string };
    const at = `/v2/authorize/invoice/${made.authorized_invoice_id}`;
    const { invoice_id } = await api.must<Seen>(200, 'invoicing', 'GET', at);
    const funds = { integrator: true, currency: 'USD', amount: 5_950 };
    await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body: funds });
    const refund = { body: { invoice_id, reason: 'other' } };
    await api.must(200, 'invoicing', 'POST', '/v2/refund', refund);
    const back = await receiptIn(page, await mailed(to, language, 'mail.refund_subject'), language);
    assert.ok(back.page.includes(say(texts, 'receipt.title_refund')), back.page);
    assert.match(back.page, /59[.,]50/);
  });
}

/** An operator who makes files, and the one of the sandbox, who confirms them. */
async function operators(): Promise<{ readonly maker: Browser; readonly second: Browser }> {
  const { db, keyFile, ready } = bench.platform;
  const services = { db, keys: await fileKeys(keyFile), random: systemRandom };
  const wish = { name: 'Ruth', username: 'ruth', roles: ['reviewer'], workspaces: 'all' } as const;
  const made = await createOperator(services, { ...wish, mustChange: false }, 'operator');
  const base = ready.urls.console;
  return { maker: await signedIn(base, made), second: await signedIn(base, ready.console) };
}

/** Collects what waits in euros into a file, and has the bank pay it. */
async function paidByFile(): Promise<void> {
  const { maker, second } = await operators();
  const sent = async (by: Browser, path: string, fields = {}): Promise<string> => {
    const answer = await by.post(path, fields);
    assert.equal(answer.status, 303, answer.text);
    return answer.location ?? '';
  };
  const wish = { currency: 'EUR', format: 'pain.001', execute_on: '' };
  const path = await sent(maker, '/payout-files', wish);
  const { text } = await second.get(path);
  const sha256 = /<span class="code">([0-9a-f]{64})<\/span>/.exec(text)?.[1] ?? '';
  // The code of the next half minute: that of this one opened the console.
  const code = codeAt(bench.platform.ready.console.totp_secret, Date.now() / 1_000 + 30);
  await sent(second, `${path}/confirm`, { sha256, code });
  await sent(maker, `${path}/hand-over`);
  const { text: file } = await maker.post(`${path}/download`);
  assert.match(file, /<IBAN>FR1420041010050500013M02606<\/IBAN>/);
  const payout = (path.split('/').at(-1) ?? '').replaceAll('-', '');
  await sent(second, `${path}/bank`, { what: 'debited', payout, reference: 'B-1' });
}

// Registered in the US: what the person states counts.
test('a seller in France is verified in French, and paid out to an IBAN by a file', async () => {
  const { api } = bench.platform;
  const { page } = await bench.visitor({ phone: true, locale: 'fr-FR' });
  const { account_id, redirect } = await newcomer(bench, 'payout', HOSTED_PAGE, 'US');
  const to = await reachable(account_id);
  const deposit = { account_id, currency: 'EUR', amount: 8_000 };
  await api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body: deposit });
  await page.goto(redirect);
  await hook(page, 'continue').click();
  await arrive(page, 'screen-kyc-country');
  assert.equal(await page.evaluate('document.documentElement.lang'), 'fr');
  await fillIn(page, {}, () => everybodyCanUse(page));
  await hook(page, 'kyc-submit').click();
  await hook(page, 'continue').click();
  await hook(page, 'add-iban').waitFor();
  const offered = await page.locator('[data-test^="add-"]').all();
  const names = await Promise.all(offered.map((row) => row.getAttribute('data-test')));
  assert.deepEqual(names, ['add-iban', 'add-paypal']);
  await everybodyCanUse(page);
  await hook(page, 'add-iban').click();
  const screen = hook(page, 'screen-add-iban');
  await screen.getByText(/France : il commence par FR et compte 27 caractères/).waitFor();
  const says = async (typed: string, sentence: RegExp): Promise<void> => {
    await hook(page, 'iban').fill(typed);
    await hook(page, 'iban-save').click();
    await screen.getByText(sentence).waitFor();
  };
  await says('', /Saisissez votre IBAN/);
  await says('XX91', /Aucun IBAN ne commence par XX/);
  await says('FR14 2004 1010 0505 0001 3M02 60', /compte 27 caractères. Celui-ci en a 26/);
  await says('FR14 2004 1010 0505 0001 3M02 607', /contient une erreur/);
  await says('AE07 0331 2345 6789 0123 456', /hors de l’espace de paiement/);
  await everybodyCanUse(page);
  await hook(page, 'iban').fill('fr14 2004 1010 0505 0001 3M02 606');
  await hook(page, 'holder').fill('Zoé Example');
  await hook(page, 'iban-save').click();
  await hook(page, 'amount').fill('25');
  await hook(page, 'price').waitFor();
  await everybodyCanUse(page);
  await hook(page, 'payout-next').click();
  assert.match((await hook(page, 'destination').textContent()) ?? '', /2606/);
  await everybodyCanUse(page);
  await hook(page, 'payout').click();
  await hook(page, 'screen-payout-requested').waitFor();
  await everybodyCanUse(page);
  type Payout = { readonly payout_status_id: string; readonly status: string };
  const at = `/v2/${account_id}/payouts`;
  const [asked] = await api.must<Payout[]>(200, 'invoicing', 'GET', at);
  const path = `/v2/${account_id}/payout/${asked?.payout_status_id}`;
  // Money at the tenant's bank, from which a payout to an IBAN leaves.
  const arrived = { currency: 'EUR', amount: 2_500 };
  await api.must(201, 'invoicing', 'POST', '/sandbox/bank_transfers', { body: arrived });
  await api.must(200, 'invoicing', 'PATCH', path);
  await paidByFile();
  assert.equal((await api.must<Payout>(200, 'invoicing', 'GET', path)).status, 'SUCCESS');
  const mail = await mailed(to, 'fr', 'mail.payout_sent_subject');
  const told = await receiptIn(page, mail, 'fr');
  assert.match(told.page, /Versement[^]*Total[^]*Compte bancaire se terminant par 2606/);
});

test('a seller in the US types routing and account number, and no IBAN', async () => {
  const { api } = bench.platform;
  const { page } = await bench.visitor();
  const { account_id, redirect } = await newcomer(bench, 'payout', HOSTED_PAGE, 'US');
  await api.setKyc(account_id, { state: 'ACCEPT' });
  await api.fund(account_id, 8_000);
  await page.goto(redirect);
  await hook(page, 'continue').click();
  await arrive(page, 'screen-payout');
  await hook(page, 'add-bank').waitFor();
  assert.equal(await hook(page, 'add-iban').count(), 0);
  await hook(page, 'add-bank').click();
  const form = page.frameLocator('[data-test="entry-frame"] iframe');
  await form.getByLabel('Routing number').waitFor();
  await form.getByLabel('Account number').waitFor();
  await everybodyCanUse(page);
  await hook(form, 'hint').first().click();
  await hook(form, 'bank-save').click();
  await hook(page, 'amount').fill('25');
  await hook(page, 'price').waitFor();
});
