// A working day at the console: each task of the people who run a marketplace, from the printed
// addresses alone, by what they see and click. It prints what each took.
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { codeAt } from '../../src/product/access/operator/index.ts';
import { BusinessScene } from '../api/business-scene.ts';
import { makeDispute } from '../api/fixtures.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market, ownLine } from '../api/market.ts';
import { run } from '../cli/terminal.ts';
import { commission } from '../browser/commission.ts';
import { joinBy } from '../browser/joining.ts';
import { launchBrowser } from '../browser/kit.ts';
import { signOnAt, startIdentityProvider } from '../kit/identity-provider.ts';
import type { IdentityProvider } from '../kit/identity-provider.ts';
import { submission } from '../kit/identity.ts';
import { dataFolder } from '../kit/platform.ts';
import { receiver, type Receiver } from '../webhook/scene.ts';

const PASSWORD = 'a sentence that is long enough';
let platform: Platform;
let provider: IdentityProvider;
let folder: string;
let base: string;
let chromium: Browser;
let shop: Receiver;
let isShopIll = true;
let owner: Person;
let ann: Person;
let ben: Person;
let dora: Person;

/** Somebody at the console, whose way through it is counted. */
class Person {
  readonly page: Page;
  clicked = 0;
  typed = 0;
  #secret = '';

  private constructor(page: Page) {
    this.page = page;
  }

  /** Opens the address that the start printed. */
  static async comes(): Promise<Person> {
    const context = await chromium.newContext({ viewport: { width: 1_280, height: 900 } });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(base);
    return new Person(page);
  }

  async clicks(role: 'link' | 'button', name: string | RegExp, on?: Locator): Promise<void> {
    this.clicked += 1;
    await (on ?? this.page).getByRole(role, { name }).first().click();
  }

  async types(label: string | RegExp, text: string, on?: Locator): Promise<void> {
    this.typed += 1;
    await (on ?? this.page).getByLabel(label).first().fill(text);
  }

  async chooses(label: string | RegExp, text: string, on?: Locator): Promise<void> {
    this.clicked += 1;
    await (on ?? this.page).getByLabel(label).first().selectOption(text);
  }

  async ticks(label: string | RegExp, on?: Locator): Promise<void> {
    this.clicked += 1;
    await (on ?? this.page).getByLabel(label).first().check();
  }

  /** The card with a heading. */
  card(heading: string | RegExp): Locator {
    const named = this.page.getByRole('heading', { name: heading });
    return this.page.locator('section').filter({ has: named }).first();
  }

  async sees(what: string | RegExp): Promise<void> {
    await this.page.getByText(what).first().waitFor();
  }

  async signsIn({ username, password, totp_secret }: Platform['ready']['console']): Promise<void> {
    this.#secret = totp_secret;
    await this.types('Username', username);
    await this.types('Password', password);
    await this.types('Code', codeAt(totp_secret, Date.now() / 1_000));
    await this.clicks('button', 'Sign in');
  }

  /** The next code of the authenticator. */
  code(): string {
    return codeAt(this.#secret, Date.now() / 1_000 + 30);
  }

  /** Joins by the link of an invitation. */
  static async joins(link: string): Promise<Person> {
    const person = await Person.comes();
    person.#secret = await joinBy(person.page, link, PASSWORD);
    person.typed += 3;
    person.clicked += 1;
    return person;
  }
}

async function until(what: string, reached: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; !(await reached()); tries += 1) {
    assert.ok(tries < 300, what);
    await pause(50);
  }
}

/** A task of some people, and what it took of them. */
function task(name: string, work: (t: TestContext) => Promise<readonly Person[]>): void {
  test(name, async (t) => {
    const staff = (): Person[] => [owner, ann, ben, dora].filter((one) => one !== undefined);
    const people = staff();
    const counted = (of: readonly Person[], what: 'clicked' | 'typed') =>
      of.reduce((all, one) => all + one[what], 0);
    const before = { clicked: counted(people, 'clicked'), typed: counted(people, 'typed') };
    const began = Date.now();
    const others = await work(t);
    const all = [...staff(), ...others];
    const clicks = counted(all, 'clicked') - before.clicked;
    const fields = counted(all, 'typed') - before.typed;
    const seconds = ((Date.now() - began) / 1_000).toFixed(1);
    t.diagnostic(`${name}: ${clicks} clicks, ${fields} fields, ${seconds} s of the program`);
  });
}

before(async () => {
  folder = dataFolder();
  provider = await startIdentityProvider();
  platform = await startPlatform({ settings: signOnAt(provider, folder, 'Accountants=read') });
  base = platform.ready.urls.console;
  provider.serve(base);
  chromium = await launchBrowser();
  shop = await receiver(() => ({ status: isShopIll ? 410 : 200 }));
});
after(async () => {
  await chromium?.close();
  await shop?.close();
  await platform?.stop();
  await provider?.stop();
  rmSync(folder, { recursive: true, force: true });
});

task('invite three colleagues', async () => {
  owner = await Person.comes();
  await owner.signsIn(platform.ready.console);
  const invited = async (name: string, username: string, role: RegExp): Promise<Person> => {
    await owner.clicks('link', 'Operators');
    await owner.types('Name', name);
    await owner.types('Username', username);
    await owner.ticks(role);
    await owner.ticks('all, including future ones');
    await owner.clicks('button', 'Invite');
    const link = (await owner.page.locator('.code').first().textContent()) ?? '';
    return Person.joins(link);
  };
  ann = await invited('Ann', 'ann', /^supervisor:/);
  ben = await invited('Ben', 'ben', /^supervisor:/);
  dora = await invited('Dora', 'dora', /^developer:/);
  return [];
});

task('find why one payment failed', async () => {
  const { buyer } = platform.ready.accounts;
  const market = new Market(platform.api);
  const payment_methods = [{ payment_method_id: buyer.declined_card_payment_method_id }];
  const { invoice_id } = await market.sold(market.sale(4_321, { payment_methods }));
  await ann.page.goto(base);
  await ann.types('Find', invoice_id);
  await ann.clicks('button', 'Find');
  await ann.sees(/card_declined/);
  return [];
});

task('refund a sale with a colleague', async () => {
  const { api, ready } = platform;
  await api.fund(ready.accounts.buyer.account_id, 1_000_000);
  const market = new Market(api);
  const line_items = [ownLine(1_000_000)];
  const { invoice_id } = await market.sold(market.sale(1_000_000, { line_items }));
  await ann.page.goto(base);
  await ann.types('Find', invoice_id);
  await ann.clicks('button', 'Find');
  await ann.clicks('link', 'Refund all that is left');
  await ann.chooses('Category', 'other');
  await ann.types('Reason', 'It never arrived');
  await ann.clicks('button', 'Refund all that is left');
  await ann.sees('Another person must confirm or reject this.');
  await ben.page.goto(base);
  await ben.clicks('link', 'Money work');
  await ben.clicks('link', 'Refund all that is left');
  await ben.ticks(/^Confirm/);
  await ben.clicks('button', 'Submit');
  await ben.sees('Confirmed: it is done.');
  return [];
});

task('divide a disagreement with a colleague', async () => {
  const { api } = platform;
  const escrow = await commission(api);
  const body = { opened_by: 'buyer', reason: 'late' };
  await api.must(201, 'invoicing', 'POST', `/v2/escrow/${escrow}/dispute`, { body });
  const limit = ['second-person', platform.ready.integrator, '--currency', 'USD', '--from', '5000'];
  const here = { DATABASE_URL: platform.url, HOLDFAST_KEY_FILE: platform.keyFile };
  assert.equal((await run(here, 'tenant', ...limit)).code, 0);
  await ann.page.goto(base);
  await ann.clicks('link', 'Disagreements to decide');
  await ann.clicks('link', /^esc_/);
  await ann.clicks('link', 'Divide what is held');
  await until('the limit is known', async () => {
    await ann.page.reload();
    return ann.page.getByText('From 50.00 USD').isVisible();
  });
  await ann.types('To the sellers', '60.00');
  await ann.types('To the buyer', '20.00');
  await ann.types('Reason', 'Half of the wood was there');
  await ann.clicks('button', 'Divide what is held');
  await ann.sees('Another person must confirm or reject this.');
  await ben.page.goto(base);
  await ben.clicks('link', 'Money work');
  await ben.clicks('link', 'Divide what is held');
  await ben.ticks(/^Confirm/);
  await ben.clicks('button', 'Submit');
  await ben.sees('Confirmed: it is done.');
  return [];
});

task('settle a difference', async () => {
  await platform.db.execute(
    `insert into processor_statement (workspace, key, reference, kind, amount, currency)
      select min(workspace), 'nobody', 'ch_nobody', 'capture', 55, 'USD' from workspace`,
  );
  await until('the difference', async () => {
    // It is read each minute otherwise, and this line moved no money that would hurry it.
    await platform.db.execute(`update statement_cursor set due = least(due, now())`);
    await ann.page.goto(`${base}/lists/open_items?kind=difference`);
    return (await ann.page.getByRole('table').count()) > 0;
  });
  await ann.page.goto(base);
  await ann.clicks('link', 'Processor discrepancies');
  await ann.clicks('link', /^[0-9a-f-]{36}$/, ann.page.getByRole('table'));
  await ann.clicks('link', 'Decide');
  await ann.types('Reason', 'A till of ours used the wrong key');
  await ann.clicks('button', 'Decide');
  await ann.sees('Done: Decide.');
  return [];
});

task('send a missed webhook again', async () => {
  const body = { url: shop.url, event_names: ['invoice-completed'], description: 'The shop' };
  await platform.api.must(201, 'invoicing', 'POST', '/v1/webhook_endpoints', { body });
  const market = new Market(platform.api);
  await market.sold(market.sale(1_234));
  await until('the receiver was asked', () => shop.got.length > 0);
  isShopIll = false;
  await dora.page.goto(base);
  await dora.clicks('link', 'Webhooks');
  await dora.clicks('link', /^[0-9a-z_-]{20,}$/, dora.page.getByRole('table'));
  await dora.clicks('button', 'Enable');
  await dora.clicks('button', 'Send all failed again');
  await dora.sees(/sent again/);
  await until('it has arrived', () => shop.got.length > 1);
  return [];
});

task('decide a person', async () => {
  const scene = new BusinessScene(platform);
  const account = await scene.account();
  const call = {
    body: submission({ last: 'Specimen-Review' }),
    token: await scene.session(account),
  };
  await platform.api.must(200, 'pii', 'POST', '/v2/kyc', call);
  await until('a review', async () => (await scene.kyc(account)) === 'MANUAL_REVIEW');
  await ann.page.goto(base);
  await ann.clicks('link', 'Reviews');
  await ann.clicks('link', /^kyc_/, ann.page.getByRole('table'));
  const data = ann.card('Show data');
  await data.getByLabel('Reason').selectOption({ index: 1 });
  await ann.types(/^Internal note/, 'A first look at the application.', data);
  await ann.clicks('button', 'Show data', data);
  await ann.sees('Specimen-Review');
  const decide = ann.card('Decide');
  await ann.ticks(/^Accept/, decide);
  await ann.types(/^Internal note/, 'The passport shows the same face and name.', decide);
  await ann.clicks('button', 'Decide', decide);
  await ann.sees(/ACCEPT|Decided|accepted/);
  await until('she is accepted', async () => (await scene.kyc(account)) === 'ACCEPT');
  return [];
});

task('answer a dispute', async () => {
  const { api, ready } = platform;
  const { account_id } = ready.accounts.buyer;
  await makeDispute(api, undefined, [account_id, await api.attach(account_id, 'visa')]);
  await ann.page.goto(base);
  await ann.clicks('link', 'Disputes');
  await ann.clicks('link', /^dp_|^dispute|^[0-9a-z_-]{20,}$/);
  await ann.types('Text', 'It was delivered on time; the buyer thanked us.');
  await ann.clicks('button', 'Add the text');
  await ann.clicks('button', 'Submit the evidence');
  await ann.sees(/on its way to the bank/);
  return [];
});

task('give an accountant read-only access by single sign-on', async () => {
  provider.people.set('fay', { name: 'Fay', groups: ['Accountants'] });
  const fay = await Person.comes();
  await fay.clicks('link', 'Sign in with single sign-on');
  await fay.page.locator('input[name=login]').fill('fay');
  await fay.page.locator('input[name=password]').fill('invented');
  await fay.clicks('button', /sign-in/i);
  await fay.clicks('button', /continue/i);
  await fay.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await fay.clicks('link', 'Books');
  await fay.sees(/Trial balance in USD/);
  assert.equal((await fay.page.goto(`${base}/reviews`))?.status(), 403);
  return [fay];
});

task('export the month and verify the books on another machine', async () => {
  const month = new Date().toISOString().slice(0, 7);
  await ann.page.goto(base);
  await ann.clicks('link', 'Books');
  await ann.types('Statement of a month', month);
  await ann.clicks('button', 'Show');
  const saving = ann.page.waitForEvent('download');
  await ann.clicks('link', `Save the statement of ${month} as CSV`);
  const file = readFileSync(await (await saving).path(), 'utf8');
  assert.match(file, /^account,currency,resource,event,entries,debit,credit,balance\r\n/);
  const books = join(folder, 'books.jsonl');
  const { url: DATABASE_URL, keyFile: HOLDFAST_KEY_FILE, ready } = platform;
  const here = { DATABASE_URL, HOLDFAST_KEY_FILE };
  const made = await run(here, 'tenant', 'export', ready.integrator, '--to', books, '--json');
  assert.equal(made.code, 0, made.err);
  const { key } = JSON.parse(made.out) as { key: string };
  const proved = await run({}, 'verify', '--export', books, '--key', key);
  assert.equal(proved.code, 0, proved.out + proved.err);
  return [];
});
