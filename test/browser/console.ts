// The console with work on every page, as operators find it on a busy day: for pictures.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { codeAt, createOperator, type Role } from '../../src/product/access/operator/index.ts';
import { setBankAccount } from '../../src/product/money/bank/index.ts';
import { newUuid } from '../../src/core/ids.ts';
import { systemRandom } from '../../src/core/random.ts';
import { business, BusinessScene } from '../api/business-scene.ts';
import { makeDispute } from '../api/fixtures.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { Market } from '../api/market.ts';
import { run } from '../cli/terminal.ts';
import { sends } from '../console/developer.ts';
import { signedIn, type Access, type Browser } from '../console/kit.ts';
import { camtFile } from '../kit/bank.ts';
import { dataUri, png } from '../kit/sample-files.ts';
import { submission } from '../kit/identity.ts';
import { receiver } from '../webhook/scene.ts';
import { commission } from './commission.ts';

const OWN = { EUR: 'DE89370400440532013000', USD: 'GB33BUKB20201555555555' } as const;
const TRIES = 300;

/** A page, and the cookie of who looks at it. */
export interface ConsolePage {
  readonly name: string;
  readonly url: string;
  readonly cookie: string;
}

/** A platform on which people have worked. */
class Day {
  readonly pages: ConsolePage[] = [];
  readonly #platform: Platform;
  readonly #scene: BusinessScene;
  readonly #people: Record<string, { readonly access: Access; readonly at: Browser }> = {};

  constructor(platform: Platform) {
    this.#platform = platform;
    this.#scene = new BusinessScene(platform);
  }

  async hire(username: string, roles: readonly Role[]): Promise<void> {
    const { db, keys, ready } = this.#platform;
    const services = { db, keys, random: systemRandom, env: 'staging' } as const;
    const wish = { name: username, username, roles, workspaces: 'all', mustChange: false } as const;
    const access = await createOperator(services, wish, 'operator');
    const base = (ready.urls as Record<string, string>)['console'] ?? '';
    this.#people[username] = { access, at: await signedIn(base, access) };
  }

  #at(who: string): Browser {
    return this.#people[who]?.at as Browser;
  }

  #shows(name: string, who: string, path: string): void {
    const { base, cookie } = this.#at(who);
    this.pages.push({ name, url: base + path, cookie });
  }

  /** Sends a form with the version that its page has; gives where it leads. */
  async #sends(who: string, path: string, fields: Record<string, string> = {}): Promise<string> {
    const { text } = await this.#at(who).get(path.replace(/\/[a-z-]+$/, ''));
    const version = /name="version"\s+value="(\d+)"/.exec(text)?.[1];
    const form = version === undefined ? fields : { version, ...fields };
    const answer = await this.#at(who).post(path, form);
    assert.equal(answer.status, 303, answer.text);
    return answer.location ?? '';
  }

  async #until(what: string, reached: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; !(await reached()); tries += 1) {
      assert.ok(tries < TRIES, what);
      await pause(50);
    }
  }

  async #arrives(amount: number): Promise<string> {
    const body = { currency: 'USD', amount, remittance_text: 'rent' };
    const path = '/sandbox/bank_transfers';
    type Made = { transfer_id: string };
    const made = await this.#platform.api.must<Made>(201, 'invoicing', 'POST', path, { body });
    return `/transfers/${made.transfer_id}`;
  }

  async bank(): Promise<void> {
    const { db, ready } = this.#platform;
    const [home] = await db.query<{ id: number }>('select min(workspace) as id from client');
    const facts = { bic: '', holder: 'Shop GmbH', bankName: 'A bank', columns: null };
    for (const [currency, number] of Object.entries(OWN)) {
      const wish = { ...facts, currency, number };
      await setBankAccount({ db, random: systemRandom }, home?.id ?? 0, wish, 'operator');
    }
    const wallet = ready.accounts.buyer.account_id;
    this.#shows('transfer', 'ruth', await this.#arrives(1_234_500));
    const large = await this.#arrives(2_500_000);
    await this.#sends('ruth', `${large}/allocate`, { wallet });
    this.#shows('transfer-second', 'sven', large);
    const returned = await this.#arrives(300);
    await this.#sends('ruth', `${returned}/back`, { word: 'back' });
    this.#shows('transfer-back', 'ruth', returned);
    await this.#sends('ruth', `${await this.#arrives(900)}/allocate`, { wallet });
    const entries = [
      { amount: '20012.50', text: 'no idea', reference: 'A-REFERENCE-OF-THE-BANK-2026-11-1' },
      { amount: '1.00', sign: 'DBIT', text: 'account fee', reference: 'B-3' },
    ] as const;
    const file = camtFile({ number: OWN.EUR, opening: '0.00', closing: '20011.50', entries });
    const sent = { format: '' };
    const taken = await this.#at('ruth').upload('/statements', sent, 'statement', file, 'text/xml');
    this.#shows('statement', 'ruth', taken.location ?? '');
    this.#shows('transfers', 'ruth', '/transfers');
  }

  async #payout(iban: string): Promise<void> {
    const { api } = this.#platform;
    const { account_id, method } = await api.register(newUuid());
    await api.setKyc(account_id, { state: 'ACCEPT' });
    await api.fund(account_id, 1_000_000);
    const account = { account_id, iban, holder_name: 'Zoë Ångström' };
    const at = '/v1/payment_method/bank_account';
    type Method = { id: string };
    const { id } = await api.must<Method>(201, 'payments', 'POST', at, { body: account });
    const to = { source_payment_method_id: method, destination_payment_method_id: id };
    const body = { ...to, amount: 123_400, currency: 'USD' };
    const path = `/v2/${account_id}/payout`;
    type Made = { payout_status_id: string };
    const made = await api.must<Made>(201, 'invoicing', 'POST', path, { body });
    await api.must(200, 'invoicing', 'PATCH', `${path}/${made.payout_status_id}`);
  }

  /** A file of what waits, which the first of these makes and the second confirms. */
  async #file(second: string | null): Promise<string> {
    await this.#payout('NL91ABNA0417164300');
    await this.#payout('FR1420041010050500013M02606');
    const wish = { currency: 'USD', format: 'pain.001', execute_on: '' };
    const path = await this.#sends('ruth', '/payout-files', wish);
    if (second === null) return path;
    const { text } = await this.#at('ruth').get(path);
    const sha256 = /<span class="code">([0-9a-f]{64})<\/span>/.exec(text)?.[1] ?? '';
    const secret = this.#people[second]?.access.totp_secret ?? '';
    const code = codeAt(secret, Date.now() / 1_000 + 30);
    await this.#sends(second, `${path}/confirm`, { sha256, code });
    return path;
  }

  async payouts(): Promise<void> {
    this.#shows('payout-file-confirmed', 'ruth', await this.#file('sven'));
    const over = await this.#file('olga');
    await this.#sends('ruth', `${over}/hand-over`);
    this.#shows('payout-file-handed-over', 'sven', over);
    this.#shows('payout-file-second', 'sven', await this.#file(null));
    await this.#payout('ES9121000418450200051332');
    this.#shows('payout-files', 'sven', '/payout-files');
  }

  /** A refund that waits for a second person, and what else may be done with money. */
  async money(): Promise<void> {
    const { api, ready } = this.#platform;
    const market = new Market(api);
    await api.fund(ready.accounts.buyer.account_id, 2_000_000);
    const { invoice_id } = await market.sold(market.sale(1_234_500));
    const path = `/objects/${invoice_id}`;
    const { text } = await this.#at('ruth').get(`${path}/acts/refund`);
    const hidden = [...text.matchAll(/name="(token|seen)"\s+value="([^"]+)"/g)];
    const own = Object.fromEntries(hidden.map(([, name, value]) => [name, value ?? '']));
    const wish = { why: 'product_related', reason: 'It never arrived' };
    const at = await this.#sends('ruth', `${path}/acts/refund`, { ...own, ...wish });
    const other = await market.sold(market.sale(4_200));
    this.#shows('object-acts', 'ruth', `/objects/${other.invoice_id}`);
    this.#shows('act', 'ruth', `/objects/${other.invoice_id}/acts/refund_part`);
    this.#shows('act-own', 'ruth', at);
    this.#shows('act-second', 'sven', at);
    this.#shows('money', 'ruth', '/money');
  }

  /** An escrow of three milestones, one with a disagreement that is to be divided, and a part. */
  async escrows(): Promise<void> {
    const { api, ready } = this.#platform;
    const flowing = await commission(api);
    this.#shows('escrow', 'ruth', `/objects/${flowing}`);
    this.#shows('escrow-part', 'ruth', `/objects/${flowing}/acts/release_part`);
    const id = await commission(api);
    const sends = (path: string, body: object): Promise<unknown> =>
      api.must(201, 'invoicing', 'POST', `/v2/escrow/${id}/dispute${path}`, { body });
    const [{ account_id: buyer }, { account_id: seller }] = [ready.accounts.buyer,
      ready.accounts.seller];
    await sends('', { opened_by: 'buyer', reason: 'not_as_described' });
    const text = 'The top is pine, not oak.\nI sent a picture.';
    await sends('/statements', { account_id: buyer, text });
    const file = dataUri('image/png', png(2, 2));
    await sends('/statements', { account_id: seller, file });
    const sums = { to_sellers: 7_000, to_buyer: 1_000, to_integrator: 0 };
    await sends('/proposal', { account_id: seller, ...sums });
    const { text: page } = await this.#at('ruth').get(`/objects/${id}`);
    this.#shows('escrow-disagreement', 'ruth', `/objects/${id}`);
    this.#shows('escrow-divide', 'ruth', `/objects/${id}/acts/divide`);
    this.#shows('statement-shown', 'ruth', /href="(\/escrows\/[^"]+)"/.exec(page)?.[1] ?? '');
    for (const name of ['escrow_dates', 'open_disagreements']) {
      this.#shows(`lists-${name}`, 'ruth', `/lists/${name}`);
    }
  }

  async dispute(): Promise<void> {
    const { api, ready } = this.#platform;
    const { account_id } = ready.accounts.buyer;
    const card = await api.attach(account_id, 'visa');
    const path = `/disputes/${await makeDispute(api, undefined, [account_id, card])}`;
    const said = { kind: 'customer_communication', text: 'It arrived.\nThe buyer thanked us.' };
    await this.#sends('ruth', `${path}/evidence`, said);
    const { text } = await this.#at('ruth').get(path);
    this.#shows('dispute', 'ruth', path);
    this.#shows('evidence', 'ruth', /href="([^"]+\/evidence\/[^"]+)"/.exec(text)?.[1] ?? '');
    this.#shows('disputes', 'ruth', '/disputes');
    this.#shows('webhooks', 'sven', '/webhooks');
    this.#shows('books', 'sven', `/books?month=${new Date().toISOString().slice(0, 7)}`);
    this.#shows('openings-none', 'ruth', '/openings');
  }

  async #submits(pii: object, state: string): Promise<string> {
    const account = await this.#scene.account();
    const call = { body: submission(pii), token: await this.#scene.session(account) };
    type Made = { kyc_id: string };
    const made = await this.#platform.api.must<Made>(200, 'pii', 'POST', '/v2/kyc', call);
    await this.#until(state, async () => (await this.#scene.kyc(account)) === state);
    return made.kyc_id;
  }

  async people(): Promise<void> {
    const { url: DATABASE_URL, keyFile: HOLDFAST_KEY_FILE, ready } = this.#platform;
    await this.#submits({ last: 'Specimen-Review' }, 'MANUAL_REVIEW');
    const twin = `/reviews/${await this.#submits({ last: 'Specimen-Review' }, 'MANUAL_REVIEW')}`;
    this.#shows('review', 'ruth', twin);
    const denies = { decision: 'deny', reason_NOT_VERIFIED: 'on', note: 'A picture of a screen.' };
    await this.#sends('ruth', `${twin}/decide`, denies);
    this.#shows('review-second', 'sven', twin);
    this.#shows('matching', 'sven', '/matching');
    await this.#submits({ first: 'Casimir', last: 'Holloway' }, 'ACCEPT');
    const file = join(mkdtempSync(join(tmpdir(), 'holdfast-day-')), 'targets.simple.csv');
    const rows = ['Q7,Person,Casimir Holloway,К. Холловей,1990', 'Q8,Company,Borealis Shipping,,'];
    writeFileSync(file, ['id,schema,name,aliases,birth_date', ...rows].join('\n'));
    const command = ['watch-list', 'import', file, '--list', 'sanctions'];
    const took = await run({ DATABASE_URL, HOLDFAST_KEY_FILE }, ...command);
    rmSync(join(file, '..'), { recursive: true });
    assert.equal(took.code, 0, took.err);
    let hit: string | undefined;
    await this.#until('a hit', async () => {
      hit = /\/hits\/[0-9a-f-]{36}/.exec((await this.#at('ruth').get('/hits')).text)?.[0];
      return hit !== undefined;
    });
    const same = { decision: 'deny', note: 'The same passport' };
    await this.#sends('ruth', `${hit ?? ''}/decide`, same);
    this.#shows('hit-second', 'sven', hit ?? '');
    const named = business({ entity_name: 'Borealis Shipping GmbH' });
    const entity = await this.#scene.onboard(await this.#scene.account(), named);
    this.#shows('business', 'ruth', `/businesses/${entity}`);
    this.#shows('account', 'olga', `/accounts/${ready.accounts.seller.account_id}`);
  }

  /** Somebody is invited, and somebody is to be an administrator. */
  async staff(): Promise<void> {
    const fields = { name: 'Ina', username: 'ina', role_accountant: 'on', workspace_all: 'on' };
    const { text } = await this.#at('olga').post('/operators', fields);
    const { text: list } = await this.#at('olga').get('/operators');
    const vera = /\/operators\/[0-9a-f-]{36}(?=">vera<)/.exec(list)?.[0] ?? '';
    await this.#sends('olga', `${vera}/roles`, { role_operator: 'on' });
    this.#shows('operator', 'olga', vera);
    this.#shows('invitation', 'olga', /\/invitation\/[\w-]+/.exec(text)?.[0] ?? '');
  }

  /** Pages that need nothing more. */
  lists(): void {
    for (const name of ['reviews', 'hits', 'businesses', 'search', 'sessions', 'password']) {
      this.#shows(name, 'ruth', `/${name}`);
    }
    this.#shows('overview', 'ruth', '/');
    for (const name of ['lists', 'lists/invoices', 'find']) {
      this.#shows(name.replace('/', '-'), 'ruth', `/${name}`);
    }
    const { seller } = this.#platform.ready.accounts;
    this.#shows('object', 'ruth', `/objects/${seller.account_id}`);
    this.#shows('operators', 'olga', '/operators');
    this.#shows('refused', 'vera', '/reviews');
  }

  async developers(): Promise<void> {
    const { api } = this.#platform;
    const listening = await receiver(() => ({ status: 200 }));
    const form = { url: listening.url, description: 'Shop', signing: 'v1' };
    const made = await sends(this.#platform, this.#at('dora'), '/webhooks/new', form);
    const path = /href="(\/webhooks\/[\w-]{36})"/.exec(made.text)?.[1] ?? '';
    const market = new Market(api);
    await market.sold(market.sale(1_234));
    await this.#until('a delivery', async () =>
      /badge-good">delivered/.test((await this.#at('dora').get(path)).text),
    );
    await listening.close();
    const { text } = await this.#at('dora').get(path);
    const event = /href="(\/webhooks\/[^"]+\/events\/[^"]+)"/.exec(text)?.[1] ?? '';
    this.#shows('developers', 'dora', '/developers');
    for (const name of ['settings', 'limits', 'requests', 'mails']) {
      this.#shows(`developers-${name}`, 'dora', `/developers/${name}`);
    }
    this.#shows('developers-client', 'dora', `/developers/clients/${api.ready.client.client_id}`);
    this.#shows('webhook-new', 'dora', '/webhooks/new');
    this.#shows('webhook-endpoint', 'dora', path);
    this.#shows('webhook-delivery', 'dora', event);
  }
}

/** Starts a platform and has people work on it; gives the pages to look at. */
export async function busyDay(): Promise<{
  readonly pages: readonly ConsolePage[];
  stop(): Promise<void>;
}> {
  const platform = await startPlatform();
  try {
    const day = new Day(platform);
    await day.hire('vera', ['viewer']);
    await day.hire('ruth', ['reviewer']);
    await day.hire('sven', ['supervisor']);
    await day.hire('olga', ['operator', 'supervisor']);
    await day.hire('dora', ['developer']);
    await day.developers();
    await day.bank();
    await day.payouts();
    await day.money();
    await day.escrows();
    await day.dispute();
    await day.people();
    await day.staff();
    day.lists();
    return { pages: day.pages, stop: () => platform.stop() };
  } catch (error) {
    await platform.stop();
    throw error;
  }
}
