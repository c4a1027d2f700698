// People read pages in their language: the one they chose, of the link, the tenant, the browser. A
// tenant says things in its own words, also from right to left, and a page loads one language.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CapturedMail } from '../../client/index.ts';
import { Market } from '../api/market.ts';
import { everybodyCanUse } from '../browser/everybody.ts';
import { hook, openBench, type Bench, type Visitor } from '../browser/kit.ts';
import { until } from '../kit/until.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

const HOSTED = { mechanism: 'service_hosted' };
const HEBREW = {
  'page.purpose': 'בדיקת ההזמנה',
  'page.continue': 'המשך',
  'page.cancel': 'ביטול',
  'page.language': 'שפה',
  'link.title': 'אי אפשר לפתוח את הקישור',
  'link.LINK_NOT_FOUND': 'הקישור אינו מוכר.',
  'title.tos': 'תנאי השירות',
  'agree.title': 'לפני שממשיכים',
  'agree.terms': 'תנאי השירות',
};

function settings(status: number, body: object): Promise<Record<string, unknown>> {
  return bench.platform.api.must(status, 'invoicing', 'PATCH', '/v1/settings', { body });
}

/** Language and direction of the page that a link leads to, as the server sends it. */
async function sent(link: string, accept = ''): Promise<string> {
  const page = await fetch(link, { headers: accept === '' ? {} : { 'accept-language': accept } });
  return /<html lang="([^"]*)" dir="([^"]*)"/.exec(await page.text())?.slice(1).join(' ') ?? '';
}

/** What a page says of itself, and the files of texts that it loaded. */
async function spoken({ page }: Visitor): Promise<string> {
  return (await page.evaluate('[document.documentElement.lang, document.dir].join(" ")')) as string;
}

test('texts that cannot be shown are refused at their field', async () => {
  const wrong: readonly [object, RegExp][] = [
    [{ de: { 'checkout.nowhere': 'x' } }, /no key of ours/],
    [{ de: { 'checkout.pay': 'Zahlen' } }, /lacks \{amount\}/],
    [{ de: { 'checkout.pay': '{amount} {an}' } }, /has \{an\}/],
    [{ pl: { 'sale.all_items': '{count, plural, other {#}}' } }, /lacks the plural/],
    [{ de: { 'page.cancel': '{' } }, /no message/],
    [{ de: { 'checkout.pay': '{amount, date}' } }, /otherwise than we/],
    [{ 'not a tag': {} }, /BCP 47/],
    [{ 'de-u-nu-arab': {} }, /BCP 47/],
  ];
  for (const [texts, sentence] of wrong) {
    const answer = await settings(400, { texts });
    assert.match(JSON.stringify(answer), sentence);
  }
  assert.match(JSON.stringify(await settings(400, { language: 'tlh' })), /must be a language/);
});

test('the link comes before the tenant, the tenant before the browser, then English', async () => {
  const link = await bench.link('tos', HOSTED);
  assert.equal(await sent(link), 'en ltr');
  await settings(200, { texts: { he: HEBREW, sv: { 'page.cancel': 'Avbryt' } } });
  assert.equal(await sent(link, 'xx, he-IL;q=0.8, en;q=0.5'), 'he rtl');
  assert.equal(await sent(link, 'en;q=0.5, sv;q=0.9, he;q=0'), 'sv ltr');
  await settings(200, { language: 'he' });
  assert.equal(await sent(link, 'sv'), 'he rtl');
  assert.equal(await sent(`${link}?lang=sv`), 'sv ltr');
  assert.equal(await sent(`${link}?locale=xx`), 'he rtl');
  assert.equal(await sent(`${link}?lang=he&dir=ltr`), 'he ltr');
  await settings(200, { language: '', texts: {} });
  assert.equal(await sent(link, 'he'), 'en ltr');
});

test('a person switches, the page is drawn again and mirrored, and it is remembered', async () => {
  await settings(200, { texts: { he: HEBREW, en: { 'page.sandbox': 'Only a trial' } } });
  const link = await bench.link('tos', HOSTED);
  const visitor = await bench.visitor({ viewport: { width: 320, height: 640 } });
  const loaded: string[] = [];
  visitor.page.on('request', (request) => {
    if (request.url().includes('/texts-')) loaded.push(new URL(request.url()).pathname);
  });
  await visitor.page.goto(link);
  await hook(visitor.page, 'continue').waitFor();
  assert.equal(await hook(visitor.page, 'sandbox-badge').innerText(), 'Only a trial');
  assert.equal(new Set(loaded).size, 1, 'one language, one flow');
  await hook(visitor.page, 'language').selectOption('he');
  await visitor.page.getByText('המשך', { exact: true }).waitFor();
  assert.equal(await spoken(visitor), 'he rtl');
  assert.match(await visitor.page.title(), /^תנאי השירות · /);
  await everybodyCanUse(visitor.page);
  await hook(visitor.page, 'continue').click();
  await hook(visitor.page, 'screen-agree').waitFor();
  assert.equal(await visitor.page.locator('h1').innerText(), 'לפני שממשיכים');
  const accept = hook(visitor.page, 'agree-accept');
  assert.equal(await accept.innerText(), 'Accept', 'what it lacks is English');
  await visitor.page.reload();
  await hook(visitor.page, 'screen-agree').waitFor();
  assert.equal(await spoken(visitor), 'he rtl');
  // What was typed or chosen stays.
  await hook(visitor.page, 'agree-switch').click();
  await hook(visitor.page, 'language').selectOption('en');
  await visitor.page.getByText('Before you continue').waitFor();
  assert.equal(await hook(visitor.page, 'agree-switch').isChecked(), true);
  assert.equal(await spoken(visitor), 'en ltr');
});

test('a dead link speaks too, and so does a page whose texts do not come', async () => {
  await settings(200, { texts: { he: HEBREW } });
  const { urls, integrator } = bench.platform.ready;
  const dead = `${urls.hosted}/${integrator}/tos/unknown?lang=he`;
  const page = await fetch(dead);
  assert.equal(page.status, 404);
  assert.match(await page.text(), /<title>תנאי השירות|הקישור אינו מוכר/);
  const visitor = await bench.visitor();
  visitor.expect(/404|Failed to load/);
  await visitor.context.route('**/ui/assets/texts-*', (route) => route.abort());
  await visitor.page.goto(await bench.link('tos', HOSTED));
  await visitor.page.getByText('Something went wrong on this page. Reload it.').waitFor();
});

test('mails and receipts are in the language in which the person last read a page', async () => {
  const { api, ready } = bench.platform;
  const { account_id } = ready.accounts.buyer;
  const sv = {
    'mail.receipt_copy_subject': 'Kvittot från {shop}',
    'mail.receipt_copy_body': 'Du betalade {amount}.',
    'receipt.title_purchase': 'Kvitto',
  };
  await settings(200, { texts: { sv } });
  const visitor = await bench.visitor();
  await visitor.page.goto(`${await bench.link('txnhistory', HOSTED)}?lang=sv`);
  await hook(visitor.page, 'continue').click();
  await hook(visitor.page, 'agree-switch').waitFor();
  const { invoice_id } = await new Market(api).sold(new Market(api).sale(1_234));
  const to = 'aunt@people.example';
  await api.must(200, 'invoicing', 'POST', `/v1/transaction/${invoice_id}/receipt`, {
    body: { email_address: to, account_id },
  });
  type Page = { readonly mails: readonly CapturedMail[] };
  const mail = await until('the receipt', async () => {
    return (await api.must<Page>(200, 'invoicing', 'GET', `/sandbox/mail?to=${to}`)).mails[0];
  });
  assert.equal(mail.subject, 'Kvittot från Sandbox');
  assert.match(mail.text, /Du betalade 12,34 USD\.[^]*Total: 12,34 USD/);
  assert.match(mail.html, /<html lang="sv" dir="ltr">/);
  const [address = ''] = /http\S+\/receipt\/\S+/.exec(mail.text) ?? [];
  assert.match(await (await fetch(address)).text(), /<html lang="sv" dir="ltr">[^]*<h1>Kvitto</);
});
