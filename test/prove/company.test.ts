// The whole story of a company in real browsers: its integrator starts it, its people verify, one
// of them exists under another account (which two operators review), then it is accepted, sells and
// is paid out. In the sandbox a match alone makes no review; a foreign document does. [G-51, G-53,
// G-55]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { Api, type Registered } from '../kit/api.ts';
import { PICTURE } from '../kit/identity.ts';
import { pdfOf, PDF_PAGES } from '../kit/sample-files.ts';
import {
  addPerson,
  administrator,
  fillFields,
  FRENCH,
  hire,
  opened,
  prove,
  proveBeside,
} from '../browser/company.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';

const CHARTER = { name: 'charter.pdf', mimeType: 'application/pdf', buffer: pdfOf(PDF_PAGES) };
const EVE = { first: 'Eve', last: 'Frey', born: '1979-07-04', street: '9 Quai', city: 'Brest' };
const ADA = { first: 'Ada', last: 'Bell', born: '1988-11-30', street: '4 Rue Haute', city: 'Nice' };
const CYD = { first: 'Cyd', last: 'Dorn', born: '1969-05-17', street: '2 Rue Rose', city: 'Metz' };
const WITHIN_MS = 15_000;

let bench: Bench;
let api: Api;
before(async () => {
  bench = await openBench();
  ({ api } = bench.platform);
});
after(() => bench?.stop());

interface Agent {
  readonly entity_agent_id: string;
  readonly agent_name: string;
  readonly account_id: string;
  readonly status: string;
  readonly kyc_status: string;
}

interface Entity {
  readonly entity_id: string;
  readonly status: string;
  readonly agents: readonly Agent[];
}

interface Kyc {
  readonly kyc_id: string;
  readonly state: string;
  readonly match_checks: readonly {
    readonly matched_account_id: string;
    readonly match_score: number;
  }[];
}

const kycOf = (account: string): Promise<Kyc> =>
  api.must(200, 'pii', 'GET', `/v1/kyc/${account}`);

async function until<T>(what: string, read: () => Promise<T>, is: (seen: T) => boolean) {
  for (const began = Date.now(); ; await pause(50)) {
    const seen = await read();
    if (is(seen)) return;
    assert.ok(Date.now() - began < WITHIN_MS, `${what}: ${JSON.stringify(seen)}`);
  }
}

/** Somebody proved who they are here before, as Cyd will. */
async function cydWasHere(): Promise<string> {
  const { account_id } = await api.register('cyd at home');
  const wish = { body: { account_id, return_token: true } };
  type Given = { token: { access_token: string } };
  const { token } = await api.must<Given>(200, 'auth', 'POST', '/authorize/user', wish);
  const { first, last, born, street, city } = CYD;
  const kyc_pii = {
    ...{ first, last, date_of_birth: born, street, city, zip: '59000', country: 'FR' },
    ...{ signature: 'Cyd Dorn', use_1099: false, document_type: 'PP', document_country: 'FR' },
    document_front: PICTURE,
  };
  const cyd = new Api(api.ready, token.access_token);
  await cyd.must(200, 'pii', 'POST', '/v2/kyc', { body: { kyc_pii } });
  await until('accepted at home', () => kycOf(account_id), ({ state }) => state === 'ACCEPT');
  return account_id;
}

/** The primary contact states the company, takes the owners' links, and sends all of it. */
async function stateCompany(page: Page, entity: string): Promise<ReadonlyMap<string, string>> {
  assert.equal(await hook(page, 'entity-name').inputValue(), 'Dorn & Bell');
  await fillFields(page, FRENCH);
  await hook(page, 'next').click();
  await hook(page, 'screen-kyb-people').waitFor();
  await addPerson(page, 'Ada Bell', { roles: ['control_prong'] });
  await addPerson(page, 'Cyd Dorn', { roles: ['beneficial_owner'], owns: '75-100' });
  const links = new Map<string, string>();
  for (const { agent_name, entity_agent_id: id } of (await read(entity)).agents.slice(1)) {
    await hook(page, `link-${id}`).click();
    links.set(agent_name, await hook(page, `shown-${id}`).inputValue());
  }
  await hook(page, 'next').click();
  await hook(page, 'document').setInputFiles(CHARTER);
  await hook(page, 'screen-kyb-documents').getByText('charter.pdf').waitFor();
  await hook(page, 'next').click();
  await hook(page, 'screen-kyb-review').waitFor();
  await hook(page, 'next').click();
  await hook(page, 'screen-kyb-wait').waitFor();
  return links;
}

function read(entity: string): Promise<Entity> {
  return api.must(200, 'pii', 'GET', `/v1/entity/${entity}`);
}

/** Ada passes, in a browser of her own. */
async function proveAda(link: string | undefined): Promise<void> {
  const { page } = await bench.visitor();
  await opened(page, link, 'screen-kyc-country');
  await prove(page, ADA, 'screen-kyc-accepted');
}

/** Cyd shows a document from elsewhere, on a phone, and is told what would help. */
async function proveCyd(link: string | undefined): Promise<void> {
  const { page } = await bench.visitor({ phone: true });
  await opened(page, link, 'screen-kyc-country');
  await prove(page, { ...CYD, from: 'BE' }, 'screen-kyc-failed');
  assert.match((await hook(page, 'kyc-reasons').textContent()) ?? '', /different countries/);
}

/** The reviewer finds the case in the queue, compares, and proposes; the supervisor confirms. */
async function review(rob: Page, sue: Page, { kyc_id }: Kyc): Promise<void> {
  await rob.getByRole('link', { name: 'Reviews' }).click();
  const row = rob.getByRole('row', { name: kyc_id });
  assert.match((await row.textContent()) ?? '', /from different countries.*1, best 100\.0 %/s);
  await row.getByRole('link').click();
  await rob.getByText('% similar').waitFor();
  assert.equal(await rob.getByText(CYD.street).count(), 0, 'masked');
  await rob.getByRole('button', { name: 'Take the case' }).click();
  await rob.getByText('The case is yours').waitFor();
  await rob.getByLabel('Reason', { exact: true }).selectOption('duplicate');
  await rob.locator('#open-note').fill('Is this the Cyd we know?');
  await rob.getByRole('button', { name: 'Show data' }).click();
  const beside = rob.getByRole('table', { name: 'Side by side' });
  const street = beside.getByRole('row', { name: 'Street' });
  assert.match((await street.textContent()) ?? '', /same.*2 Rue Rose.*2 Rue Rose/s);
  await rob.getByLabel('Accept', { exact: true }).check();
  await rob.locator('#decision-note').fill('One person, and a company of theirs');
  await rob.getByRole('button', { name: 'Decide' }).click();
  await rob.getByText('Proposed: a second person').waitFor();
  await sue.goto(rob.url());
  await sue.getByLabel('Confirm; takes effect now').check();
  await sue.locator('#second-note').fill('The same face');
  await sue.getByRole('button', { name: 'Submit' }).click();
  await sue.getByText('Confirmed: the decision is in effect.').waitFor();
}

/** What the company's account sold, and what of it arrives at its bank. */
async function earn({ account_id, wallet_id }: Registered, page: Page): Promise<void> {
  const { buyer } = api.ready.accounts;
  const recipient = { amount: 4_000, currency: 'USD', destination_wallet_id: wallet_id };
  const line = { amount: 4_000, currency: 'USD', transaction_type: 'user_to_user' };
  const line_items = [{ ...line, product_sku: 'bell', recipients: [recipient] }];
  const methods = [{ payment_method_id: buyer.wallet_payment_method_id }];
  const invoice = await api.created(api.sale(4_000, methods, { line_items }));
  await api.pay(invoice);
  assert.equal((await api.finished(invoice)).state, 'success');
  assert.deepEqual(await api.money(account_id), { spendable: 4_000, kept: 0 });
  await api.attach(account_id, 'bank');
  const link = await bench.link('payout', { account_id, mechanism: 'service_hosted' });
  await opened(page, link, 'screen-payout');
  await hook(page, 'amount').fill('40');
  await hook(page, 'price').waitFor();
  await hook(page, 'payout-next').click();
  await hook(page, 'payout').click();
  await hook(page, 'screen-payout-requested').waitFor();
  const path = `/v2/${account_id}/payout`;
  type Payout = { payout_status_id: string; status: string };
  const list = (): Promise<Payout[]> => api.must(200, 'invoicing', 'GET', `${path}s`);
  const [asked] = await list();
  await api.must(200, 'invoicing', 'PATCH', `${path}/${asked?.payout_status_id}`);
  await until('paid out', list, (payouts) => payouts[0]?.status === 'SUCCESS');
  assert.deepEqual(await api.money(account_id), { spendable: 0, kept: 0 });
}

interface Told {
  readonly event_name: string;
  readonly message: Readonly<Record<string, unknown>>;
}

/** What events told about an account, the first one first. */
async function told(name: string, account: string, field: string): Promise<unknown[]> {
  type Events = { events: Told[] };
  const { events } = await api.must<Events>(200, 'invoicing', 'GET', '/v1/events?limit=1000');
  const messages = events.flatMap((one) => (one.event_name === name ? [one.message] : []));
  const mine = messages.filter((message) => message['account_id'] === account);
  return mine.map((message) => message[field]);
}

const actsOf = (text: string, values: readonly unknown[]): Promise<string[]> =>
  bench.platform.db
    .query<{ act: string }>({ text, values })
    .then((rows) => rows.map(({ act }) => act));

/** What the audit log has of an operator's acts about an account. */
function acts(operator: string, account: string): Promise<string[]> {
  return actsOf('select act from audit_entry where actor = $1 and subject = $2 order by at', [
    `operator:${operator}`,
    uuidOfWireId('acct', account),
  ]);
}

/** Lifecycles that an operator moved: they are in the audit log as such. */
function moves(operator: string): Promise<string[]> {
  const text = `select machine || ' ' || event as act from history where actor = $1 order by 1`;
  return actsOf(text, [`operator:${operator}`]);
}

/** A company of which the integrator knows a name, and whose business it is. */
async function onboarded(): Promise<{ company: Registered; entity: string }> {
  const company = await api.register('dorn-bell', { country_iso: 'FR', full_name: 'Eve Frey' });
  const path = `/v1/entity/${company.account_id}/onboard`;
  const body = { entity_name: 'Dorn & Bell' };
  const { entity_id } = await api.must<Entity>(200, 'pii', 'POST', path, { body });
  return { company, entity: entity_id };
}

test('a company from its first name to its first money, with a duplicate on the way', async () => {
  const earlier = await cydWasHere();
  const { company, entity } = await onboarded();
  const { account_id } = company;
  const { page } = await bench.visitor();
  const link = await bench.link('kyb', { account_id, mechanism: 'service_hosted' });
  await opened(page, link, 'screen-kyb-company');
  const links = await stateCompany(page, entity);
  const stated = await read(entity);
  await Promise.all([
    proveAda(links.get('Ada Bell')),
    proveCyd(links.get('Cyd Dorn')),
    proveBeside(page, stated.agents[0]?.entity_agent_id, EVE),
  ]);
  // A business follows its people within a second or two, after their own page has told them.
  await until('followed two people', () => read(entity), ({ agents }) => {
    return agents.filter(({ status }) => status === 'ACCEPT').length === 2;
  });
  const states = (await read(entity)).agents.map((agent) => [agent.status, agent.kyc_status]);
  const accepted = ['ACCEPT', 'ACCEPT'];
  assert.deepEqual(states, [accepted, accepted, ['PROCESSING', 'MANUAL_REVIEW']]);

  const cyd = stated.agents[2]?.account_id ?? '';
  const kyc = await kycOf(cyd);
  const matched = kyc.match_checks.map((match) => match.matched_account_id);
  assert.deepEqual([kyc.state, matched], ['MANUAL_REVIEW', [earlier]]);
  assert.equal((await kycOf(account_id)).state, 'PROCESSING');
  // Whoever makes an operator is no second pair of eyes for that one.
  const admin = await administrator(bench);
  const rob = await hire(bench, admin, 'Rob', /^reviewer:/);
  const sue = await hire(bench, admin, 'Sue', /^supervisor:/);
  await review(rob.page, sue.page, kyc);
  await hook(page, 'screen-kyb-accepted').getByText('Dorn & Bell is confirmed').waitFor();
  assert.equal((await kycOf(cyd)).state, 'ACCEPT');
  assert.equal((await read(entity)).status, 'ACCEPT');
  assert.equal((await kycOf(account_id)).state, 'ACCEPT');
  await earn(company, page);

  const business = ['INCOMPLETE', 'PROCESSING', 'ACCEPT'];
  assert.deepEqual(await told('kyb-webhook', account_id, 'entity_status'), business);
  assert.deepEqual(await told('kyc-webhook', account_id, 'state'), ['PROCESSING', 'ACCEPT']);
  const person = ['PROCESSING', 'MANUAL_REVIEW', 'ACCEPT'];
  assert.deepEqual(await told('kyc-webhook', cyd, 'state'), person);
  const about = ['review_taken', 'person_opened', 'person_opened', 'review_returned'];
  assert.deepEqual(await acts(rob.id, cyd), about);
  assert.deepEqual(await acts(rob.id, earlier), ['person_opened']);
  assert.deepEqual(await moves(rob.id), ['review_proposal propose']);
  assert.deepEqual(await moves(sue.id), ['kyc review', 'review_proposal confirm']);
});
