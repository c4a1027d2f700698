// Lists, objects and the search in the console: from one field or from what waits, everything is
// reached without a script, on a phone and at a desk, and nothing of another tenant.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser as Chromium } from 'playwright-core';
import { lists } from '../../src/catalogue.ts';
import { newUuid } from '../../src/core/ids.ts';
import { furnish } from '../api/fixtures.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market } from '../api/market.ts';
import { commission } from '../browser/commission.ts';
import { launchBrowser } from '../browser/kit.ts';
import { signedIn, type Browser, type Page } from '../console/kit.ts';

let platform: Platform;
let at: Browser;
let chromium: Chromium;
let invoice = '';
let foreign = { invoice: '', escrow: '', account: '' };
before(async () => {
  platform = await startPlatform();
  foreign = await furnish(platform, await platform.tenant());
  const market = new Market(platform.api);
  ({ invoice_id: invoice } = await market.sold(market.sale(1_234)));
  at = await signedIn(platform.ready.urls.console, platform.ready.console);
  const tenants = (await at.get('/')).text;
  const own = /<option value="(\d+)"[^>]*>[^<]*<\/option>/.exec(tenants)?.[1];
  if (own !== undefined) await at.post('/tenant', { workspace: own });
  chromium = await launchBrowser();
});
after(async () => {
  await chromium?.close();
  await platform?.stop();
});

async function shown(path: string, status = 200): Promise<Page> {
  const page = await at.get(path);
  assert.equal(page.status, status, `${path}: ${page.text.slice(0, 400)}`);
  return page;
}

const find = (q: string): Promise<Page> => at.post('/find', { q });

test('every list is a page, and what waits leads to pages', async () => {
  const index = await shown('/lists');
  for (const { name } of lists) {
    assert.ok(index.text.includes(`href="/lists/${name}"`));
    const { text } = await shown(`/lists/${name}`);
    assert.doesNotMatch(text, /undefined|NaN|\[object|<script(?! src="\/assets\/)/);
  }
  const { text } = await shown('/');
  const [queues = ''] = /<table>[\s\S]*?<\/table>/.exec(text) ?? [];
  const rows = [...queues.matchAll(/<tr><td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => cell);
  assert.ok(rows.length >= 13, String(rows.length));
  for (const row of rows) {
    const path = /^<a href="([^"]+)">/.exec(row)?.[1]?.replaceAll('&amp;', '&');
    assert.ok(path, `nothing to follow: ${row}`);
    await shown(path);
  }
});

test('filters live in the address, and a wrong one stays in its field', async () => {
  const { account_id } = platform.ready.accounts.buyer;
  const { text } = await shown(`/lists/invoices?account_id=${account_id}&state=success`);
  assert.ok(text.includes(invoice) && text.includes('12.34 USD'));
  assert.match(text, /<option value="success" selected>/);
  assert.match(text, /Rows on this page: \d+, [\d,.]+ USD/);
  const none = await shown('/lists/invoices?state=failed&created_before=2000-01-31');
  assert.match(none.text, /No row fits the filter/);
  const wrong = await shown('/lists/invoices?state=lost&created_from=soon&colour=red', 400);
  assert.match(wrong.text, /<option value="lost" selected>/);
  assert.match(wrong.text, /value="soon"[^>]*aria-invalid="true"/);
  assert.match(wrong.text, /Colour is not a known field/);
  await shown('/lists/nothing', 404);
});

test('a list goes on from page to page', async () => {
  const { text } = await shown('/lists/ledger_entries?limit=2');
  const next = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await shown(next);
  assert.match(second.text, /<a href="\/lists\/ledger_entries\?limit=2">The newest<\/a>/);
});

test('a list is saved as a file, with its filter and without formulas', async () => {
  const market = new Market(platform.api);
  await market.create({ ...market.sale(77), description: '=1+1,"two"' });
  const csv = await shown('/lists/invoices/export?format=csv&state=open');
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/);
  assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="invoices.csv"');
  assert.match(csv.text, /^id,account_id,seller_account_id,amount,currency,/);
  assert.ok(csv.text.includes(`,77,USD,"'=1+1,""two""",sale,open,`), csv.text);
  assert.ok(!csv.text.includes(invoice));
  const lines = await shown('/lists/invoices/export?format=jsonl');
  const rows = lines.text.trim().split('\n').map((line) => JSON.parse(line) as { id: string });
  assert.ok(rows.length >= 2 && rows.some(({ id }) => id === invoice));
  await shown('/lists/invoices/export?format=exe', 404);
  await shown('/lists/invoices/export?state=lost', 400);
});

test('the books are saved as files that add up', async () => {
  const month = new Date().toISOString().slice(0, 7);
  await shown(`/books?month=${month}`);
  const rowsOf = async (path: string): Promise<Record<string, string>[]> => {
    const { text } = await shown(`/books/files/${path}`);
    const [head = [], ...rows] = text.trimEnd().split('\r\n').map((line) => line.split(','));
    return rows.map((row) => Object.fromEntries(row.map((cell, at) => [head[at] ?? '', cell])));
  };
  const sum = (rows: readonly Record<string, string>[], name: string): number =>
    rows.reduce((all, row) => all + Number(row[name]), 0);
  const trial = await rowsOf('trial-balance');
  assert.ok(trial.length >= 2 && sum(trial, 'debit') > 0);
  assert.equal(sum(trial, 'debit'), sum(trial, 'credit'));
  const statement = await rowsOf(`statement?month=${month}`);
  for (const last of statement.filter(({ event }) => event === 'closing')) {
    const own = statement.filter((row) => {
      return row['account'] === last['account'] && row['currency'] === last['currency'];
    });
    const [opening] = own.filter(({ event }) => event === 'opening');
    const moved = own.filter(({ balance }) => balance === '');
    const closing = Number(opening?.['balance']) + sum(moved, 'credit') - sum(moved, 'debit');
    assert.equal(closing, Number(last['balance']));
  }
  const sellers = await rowsOf(`sellers?year=${month.slice(0, 4)}`);
  const own = sellers.filter((row) => {
    return row['account_id'] === platform.ready.accounts.seller.account_id;
  });
  assert.deepEqual([own.length, own[0]?.['gross']], [17, '1234']);
  assert.equal(sum(own.slice(1, 5), 'gross'), 1_234);
  assert.equal(sum(own.slice(5), 'gross'), 1_234);
  await shown('/books/files/nothing', 404);
  for (const wrong of ['statement?month=2026-13', 'sellers?year=soon', 'trial-balance?day=x']) {
    await shown(`/books/files/${wrong}`, 400);
  }
});

test('the search leads to objects and to lists, and keeps what found nothing', async () => {
  const { buyer } = platform.ready.accounts;
  for (const id of [invoice, buyer.account_id, buyer.wallet_id]) {
    const found = await find(` ${id} `);
    assert.deepEqual([found.status, found.location], [303, `/objects/${id}`]);
    await shown(`/objects/${id}`);
  }
  const call = { body: { username: 'lena@example.com' } };
  const path = '/register';
  type Made = { account_id: string };
  const made = await platform.api.must<Made>(200, 'accounts', 'POST', path, call);
  assert.equal((await find('lena@example.com')).location, `/objects/${made.account_id}`);
  const money = await find('12.34 usd');
  assert.match(money.text, /\/lists\/payment_attempts\?amount=1234&amp;currency=USD/);
  await shown('/lists/payment_attempts?amount=1234&currency=USD');
  const day = await find('2030-01-31');
  assert.match(day.text, /invoices\?created_from=2030-01-31&amp;created_before=2030-02-01/);
  for (const typed of ['<b>"nobody\'s"', newUuid(), '12.345 USD', '5 XYZ', '2030-02-31']) {
    const { status, text } = await find(typed);
    assert.equal(status, 200, typed);
    assert.match(text, /Nothing was found/);
    assert.doesNotMatch(text, /<b>"nobody/);
  }
  assert.match((await find('a lost thing')).text, /value="a lost thing"/);
});

test('an object is shown with its timeline, and none of another tenant', async () => {
  const { text } = await shown(`/objects/${invoice}`);
  assert.match(text, /<h2>Timeline/);
  assert.match(text, /transition|posting/);
  assert.ok(text.includes(`href="/objects/${platform.ready.accounts.seller.account_id}"`));
  for (const id of Object.values(foreign).filter((one) => typeof one === 'string').slice(0, 30)) {
    if (!/^(?:[a-z]+_[0-9a-z]{26}|[0-9a-f-]{36})$/.test(id)) continue;
    await shown(`/objects/${id}`, 404);
    assert.match((await find(id)).text, /Nothing was found/, id);
  }
});

for (const width of [390, 1_280]) {
  test(`at ${width} px nothing is cut off, and axe finds nothing`, async () => {
    const escrow = await commission(platform.api);
    const body = { opened_by: 'buyer', reason: 'late' };
    await platform.api.must(201, 'invoicing', 'POST', `/v2/escrow/${escrow}/dispute`, { body });
    const context = await chromium.newContext({ viewport: { width, height: 844 } });
    const [name = '', value = ''] = at.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: platform.ready.urls.console }]);
    const page = await context.newPage();
    const paths = ['/', '/lists', '/lists/invoices', '/lists/ledger_entries?currency=USD',
      '/lists/payouts?state=lost', '/find', `/objects/${invoice}`, `/objects/${escrow}`,
      '/lists/open_disagreements'];
    for (const path of paths) {
      await page.goto(platform.ready.urls.console + path);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
      assert.deepEqual(found, [], path);
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      assert.equal(await page.evaluate(wide), 0, path);
      const folder = process.env['HOLDFAST_SHOTS'];
      const file = `${folder}/${width}${path.replaceAll(/[^a-z]+/g, '-')}.png`;
      if (folder !== undefined) await page.screenshot({ path: file, fullPage: true });
    }
    await page.goto(`${platform.ready.urls.console}/`);
    await page.getByRole('search').getByRole('textbox').fill(invoice);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: `invoice ${invoice}` }).waitFor();
    await context.close();
  });
}
