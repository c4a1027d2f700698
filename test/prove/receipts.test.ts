// Receipts as people and programs get them: one value in the answer, the mail, the page and the
// PDF, for the parties of a transaction alone, and by an address that nobody can guess.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { extractText } from 'unpdf';
import type { CapturedMail } from '../../client/index.ts';
import { agree, requireTenMails } from '../api/fixtures.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, ownLine, saleLine } from '../api/market.ts';
import { moved, openEscrow } from '../kit/escrow.ts';
import { until } from '../kit/until.ts';

let platform: Platform;
let market: Market;
let buyer: string;
let seller: string;
before(async () => {
  platform = await startPlatform();
  market = new Market(platform.api);
  const { accounts } = platform.ready;
  buyer = accounts.buyer.account_id;
  seller = accounts.seller.account_id;
  await platform.api.must(200, 'invoicing', 'PATCH', '/v1/settings', {
    body: { name: 'Lamps & more', contact: 'help@lamps.example' },
  });
});
after(() => platform?.stop());

interface Receipt {
  readonly receipt_data: {
    readonly template_id: string;
    readonly attributes: {
      readonly [field: string]: unknown;
      readonly url: string;
      readonly total_display: string;
      readonly lines: readonly { readonly name: string; readonly amount_display: string }[];
    };
  };
}

const ALL_PAGES = { mergePages: true } as const;
const path = (id: string): string => `/v1/transaction/${id}/receipt`;

async function receipt(id: string, account: string): Promise<Receipt['receipt_data']> {
  const at = `${path(id)}?account_id=${account}`;
  return (await platform.api.must<Receipt>(200, 'invoicing', 'GET', at)).receipt_data;
}

/** A sale of two lines, one of them with a name that looks like markup, and in two scripts. */
async function sold(): Promise<string> {
  const lines = [
    saleLine(platform.ready.accounts.seller.wallet_id, 1_234, { description: 'A <b>big</b> lamp' }),
    ownLine(100, { description: 'Wysyłka · شحن' }),
  ];
  return (await market.sold({ ...market.sale(), line_items: lines })).invoice_id;
}

/** Refunds a sale out of money that the integrator gets for it; waits for its receipt. */
async function refunded(invoice_id: string, amount: number): Promise<string> {
  const funds = { integrator: true, currency: 'USD', amount };
  await platform.api.must(201, 'invoicing', 'POST', '/sandbox/deposits', { body: funds });
  type Refund = { readonly refund_id: string };
  const body = { invoice_id, reason: 'other' };
  const { refund_id } = await platform.api.must<Refund>(200, 'invoicing', 'POST', '/v2/refund', {
    body,
  });
  await until('the refund', async () => {
    const at = `${path(refund_id)}?account_id=${buyer}`;
    return (await platform.api.send('invoicing', 'GET', at)).status === 200;
  });
  return refund_id;
}

async function mailTo(to: string): Promise<CapturedMail> {
  type Page = { readonly mails: readonly CapturedMail[] };
  const at = `/sandbox/mail?to=${to}`;
  return until(`a mail to ${to}`, async () => {
    return (await platform.api.must<Page>(200, 'invoicing', 'GET', at)).mails[0];
  });
}

test('a buyer’s receipt is one value in answer, mail and page', async () => {
  const id = await sold();
  const { template_id, attributes } = await receipt(id, buyer);
  assert.equal(template_id, 'purchase');
  const { total_display, lines, number, state, tax, fee, subtotal, shop, sellers } = attributes;
  assert.deepEqual([number, state, total_display], [id, 'done', 'USD 13.34']);
  assert.deepEqual([tax, fee, subtotal, sellers], [0, 0, 1_334, []]);
  assert.deepEqual(shop, { name: 'Lamps & more', contact: 'help@lamps.example' });
  assert.deepEqual(
    new Map(lines.map(({ name, amount_display }) => [name, amount_display])),
    new Map([['A <b>big</b> lamp', 'USD 12.34'], ['Wysyłka · شحن', 'USD 1.00']]),
  );
  const body = { email_address: 'aunt@people.example', account_id: buyer };
  const answered = await platform.api.must<Receipt>(200, 'invoicing', 'POST', path(id), { body });
  assert.deepEqual(answered.receipt_data, { template_id, attributes });
  const mail = await mailTo(body.email_address);
  assert.match(mail.text, /^Total: USD 13\.34$/m);
  assert.ok(mail.text.includes(attributes.url), mail.text);
  assert.ok(mail.html.includes(`href="${attributes.url}"`));
  const page = await fetch(attributes.url);
  const text = await page.text();
  assert.equal(page.status, 200, text);
  assert.match(text, /A &lt;b&gt;big&lt;\/b&gt; lamp/);
  assert.match(text, /help@lamps\.example/);
  assert.doesNotMatch(text, /<script|people\.example/);
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /script-src 'none'.*frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  const file = await fetch(`${attributes.url}/pdf`);
  assert.equal(file.headers.get('content-type'), 'application/pdf');
  assert.match(file.headers.get('content-disposition') ?? '', /filename="receipt-[0-9a-f-]+\.pdf"/);
  assert.equal((await file.text()).slice(0, 5), '%PDF-');
});

test('the mail of a sale leads to the same page, and the address names nobody', async () => {
  const { account_id } = platform.ready.accounts.buyer;
  const email = { address: 'zoe@people.example', requires_verification: false };
  const at = `/user-info/${account_id}`;
  await platform.api.must(200, 'accounts', 'PUT', at, { body: { email } });
  const id = await sold();
  const { url } = (await receipt(id, buyer)).attributes;
  assert.ok((await mailTo(email.address)).text.includes(url));
  const bytes = Buffer.from(url.split('/').at(-1) ?? '', 'base64url').toString('hex');
  assert.equal(bytes.includes(id.replaceAll('-', '')), false);
  assert.equal((await receipt(id, buyer)).attributes.url, url, 'the same at each time');
});

test('mail and file of a taxed sale, and of its refund, say the tax', async () => {
  const tax = { amount: 235, description: '19 % VAT' };
  const lines = [saleLine(platform.ready.accounts.seller.wallet_id, 1_234, { tax })];
  const { invoice_id } = await market.sold({ ...market.sale(), line_items: lines });
  const refund = await refunded(invoice_id, 1_469);
  const rows: readonly (readonly [string, RegExp])[] = [
    [invoice_id, /Subtotal:? USD 12\.34\s+Tax:? USD 2\.35\s+Total:? USD 14\.69/],
    [refund, /Subtotal:? USD 12\.34\s+Tax:? USD 2\.35\s+Total:? USD 14\.69/],
  ];
  for (const [id, wanted] of rows) {
    const to = `${id.slice(-12)}@people.example`;
    const body = { email_address: to, account_id: buyer };
    await platform.api.must(200, 'invoicing', 'POST', path(id), { body });
    assert.match((await mailTo(to)).text, wanted);
    const file = await fetch(`${(await receipt(id, buyer)).attributes.url}/pdf`);
    const { text } = await extractText(new Uint8Array(await file.arrayBuffer()), ALL_PAGES);
    assert.match(text, wanted);
  }
});

test('a receipt is a file in any language that has the letters, too', async () => {
  const { url } = (await receipt(await sold(), buyer)).attributes;
  const speak = (language: string) =>
    platform.api.must(200, 'invoicing', 'PATCH', '/v1/settings', { body: { language } });
  for (const language of ['ar', 'pl']) {
    await speak(language);
    const file = await fetch(`${url}/pdf`);
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'application/pdf']);
    assert.match(file.headers.get('content-disposition') ?? '', /="receipt-[0-9a-f-]+\.pdf"/);
  }
  await speak('');
});

test('sellers see what they are paid, escrows are held, refunds and payouts are told', async () => {
  const id = await sold();
  const { template_id, attributes } = await receipt(id, seller);
  assert.deepEqual([template_id, attributes.total_display], ['sale', 'USD 12.34']);
  assert.deepEqual(attributes.lines.map(({ name }) => name), ['A <b>big</b> lamp']);
  const wallet = platform.ready.accounts.buyer.wallet_payment_method_id;
  const escrow = await openEscrow(platform.api, 500, [{ payment_method_id: wallet }]);
  await moved(platform.api, escrow.id, 'pay', 'ESCROWED');
  assert.deepEqual((await receipt(escrow.id, buyer)).attributes['state'], 'held');
  assert.deepEqual((await receipt(escrow.id, seller)).attributes['state'], 'held');
  await moved(platform.api, escrow.id, 'cancel', 'CANCELLED');
  assert.deepEqual((await receipt(escrow.id, buyer)).attributes['state'], 'done');
  const own = `${path(escrow.id)}?account_id=${seller}`;
  assert.equal((await platform.api.send('invoicing', 'GET', own)).code, 'RECEIPT_NOT_GIVEN');
  const refund_id = await refunded(id, 2_000);
  const returned = await receipt(refund_id, buyer);
  assert.deepEqual(
    [returned.template_id, returned.attributes.total_display],
    ['refund', 'USD 13.34'],
  );
});

test('what is not paid has no receipt, and a third person none at all', async () => {
  const { invoice_id } = await market.create(market.sale(200));
  const get = async (id: string, account: string, token?: string) => {
    const call = token === undefined ? {} : { token };
    const at = `${path(id)}?account_id=${account}`;
    const { status, code } = await platform.api.send('invoicing', 'GET', at, call);
    return [status, code];
  };
  assert.deepEqual(await get(invoice_id, buyer), [404, 'TRANSACTION_NOT_FOUND']);
  const id = await sold();
  const other = platform.ready.accounts.seller2.account_id;
  assert.deepEqual(await get(id, other), [404, 'TRANSACTION_NOT_FOUND']);
  const twin = await platform.tenant();
  assert.deepEqual(await get(id, buyer, twin.token), [400, 'ACCOUNT_NOT_FOUND']);
  const mine = await agree(platform.api, buyer, { scopes: ['read_payment_method'] });
  const theirs = await agree(platform.api, other, { scopes: ['read_payment_method'] });
  assert.deepEqual((await get(id, buyer, mine.user))[0], 200);
  assert.deepEqual(await get(id, buyer, theirs.user), [400, 'ACCOUNT_NOT_FOUND']);
  assert.deepEqual(await get(id, other, theirs.user), [404, 'TRANSACTION_NOT_FOUND']);
  assert.deepEqual(await get(id, buyer, mine.session), [403, 'INSUFFICIENT_SCOPE']);
  const named = await platform.api.send('invoicing', 'GET', path(id), { token: mine.user });
  assert.equal(named.status, 200, 'a person need not be named');
});

test('a person asks for ten a day, to addresses alone, where mails are on', async () => {
  const id = await sold();
  const { user } = await agree(platform.api, seller);
  const ask = async (email_address: string, token = user) => {
    const call = { token, body: { email_address } };
    return (await platform.api.send('invoicing', 'POST', path(id), call)).code;
  };
  assert.equal(await ask('nobody'), 'INVALID_FIELD');
  assert.equal(await ask('a@b.example\r\nBcc: c@d.example'), 'INVALID_FIELD');
  await requireTenMails(platform.api, ask);
});

test('an address that was changed opens nothing, nor does any after two years', async () => {
  const id = await sold();
  const { url } = (await receipt(id, buyer)).attributes;
  const changed = url.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
  for (const one of [changed, `${url.slice(0, -1)}`, `${url}A`, `${changed}/pdf`]) {
    const answer = await fetch(one);
    assert.equal(answer.status, 404, one);
    assert.match(await answer.text(), /cannot be opened/);
  }
  const [year, day] = [365 * 86_400, 86_400];
  const clock = { body: { advance_seconds: 2 * year - day } };
  await platform.api.must(200, 'invoicing', 'POST', '/sandbox/clock', clock);
  assert.equal((await fetch(url)).status, 200);
  const more = { body: { advance_seconds: 4 * day } };
  await platform.api.must(200, 'invoicing', 'POST', '/sandbox/clock', more);
  assert.equal((await fetch(url)).status, 404, 'two years later');
});

test('no address and no word of a mail stays, and nothing of it is in a log', async () => {
  const rows = await platform.db.query<{ text: string }>(
    `select m::text as text from mail m union all select e::text from audit_entry e
      union all select i::text from idempotency i`,
  );
  const all = [...rows.map(({ text }) => text), platform.log()].join('\n');
  assert.doesNotMatch(all, /people\.example|\/receipt\/[A-Za-z0-9_-]{86}/);
  const left = await platform.db.query(
    `select from mail where sealed is not null and state <> 'pending'`,
  );
  assert.deepEqual(left, []);
});
