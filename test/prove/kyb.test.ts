// The business form in a real browser: filled in, a person named and sent their link, a document
// added, submitted, awaited, accepted; continued after a reload; and later requests. [G-54, G-55]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { FrameLocator, Page } from 'playwright-core';
import { pdfOf, PDF_PAGES } from '../kit/sample-files.ts';
import { hook, openBench, type Bench, type Visitor } from '../browser/kit.ts';

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

type Place = Page | FrameLocator;
const CHARTER = { name: 'charter.pdf', mimeType: 'application/pdf', buffer: pdfOf(PDF_PAGES) };

interface Seen {
  readonly entity_id: string;
  readonly status: string;
  readonly agents: readonly { readonly entity_agent_id: string; readonly agent_name: string }[];
}

async function account(): Promise<string> {
  const username = `firm ${crypto.randomUUID()}`;
  const body = { username, country_iso: 'US', full_name: 'Eve Frey' };
  type Made = { account_id: string };
  const { api } = bench.platform;
  return (await api.must<Made>(200, 'accounts', 'POST', '/register', { body })).account_id;
}

/** The account's business as its integrator sees it: onboarding again tells its id. */
async function entityOf(account_id: string): Promise<Seen> {
  const { api } = bench.platform;
  const call = { body: { entity_name: 'Other' } };
  type Made = { entity_id: string };
  const path = `/v1/entity/${account_id}/onboard`;
  const { entity_id } = await api.must<Made>(200, 'pii', 'POST', path, call);
  return api.must(200, 'pii', 'GET', `/v1/entity/${entity_id}`);
}

async function setStatus(account_id: string, status: string): Promise<void> {
  const { entity_id } = await entityOf(account_id);
  const path = `/sandbox/entities/${entity_id}/state`;
  await bench.platform.api.must(200, 'invoicing', 'PUT', path, { body: { status } });
}

async function agree(place: Place, screen: string): Promise<void> {
  await hook(place, 'screen-agree').or(hook(place, screen)).waitFor();
  if ((await hook(place, 'screen-agree').count()) === 0) return;
  await hook(place, 'agree-switch').check();
  await hook(place, 'agree-accept').click();
  await hook(place, screen).waitFor();
}

async function everybodyCanUse(page: Page): Promise<void> {
  const ours = (await page.locator('#app').count()) > 0 ? '#app' : '#root';
  const { violations } = await new AxeBuilder({ page }).include(ours).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`), []);
  const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  assert.equal(await page.evaluate(wide), 0, 'nothing to the side');
}

async function company(place: Place, name: string): Promise<void> {
  await hook(place, 'entity-name').fill(name);
  await hook(place, 'entity-type').selectOption('partnership');
  await hook(place, 'tax-id').fill('12-3456789');
  await hook(place, 'next').click();
  await hook(place, 'screen-kyb-people').waitFor();
}

async function addPerson(place: Place, name: string, ...roles: string[]): Promise<void> {
  await hook(place, 'add-person').click();
  await hook(place, 'person-name').fill(name);
  for (const role of roles) await hook(place, `role-${role}`).check();
  await hook(place, 'person-dialog-confirm').click();
  await hook(place, 'person-dialog').waitFor({ state: 'detached' });
}

async function documents(place: Place): Promise<void> {
  await hook(place, 'next').click();
  await hook(place, 'document').setInputFiles(CHARTER);
  await hook(place, 'screen-kyb-documents').getByText('charter.pdf').waitFor();
}

test('on a page: from the first field to acceptance, with a reload in between', async () => {
  const account_id = await account();
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  const mechanism = 'service_hosted';
  await page.goto(await bench.link('kyb', { account_id, mechanism }));
  await hook(page, 'continue').click();
  await agree(page, 'screen-kyb-company');
  await hook(page, 'next').click();
  assert.equal(await page.locator('[aria-invalid="true"]').count(), 3, 'all but the country');
  await everybodyCanUse(page);
  await company(page, 'Satchels & Sons');
  await hook(page, 'next').click();
  assert.match((await hook(page, 'problem').textContent()) ?? '', /in control/);
  await addPerson(page, 'Ada Bell', 'control_prong', 'beneficial_owner');
  await hook(page, 'add-person').click();
  await hook(page, 'person-name').fill('Cyd Dorn');
  await hook(page, 'role-control_prong').check();
  await hook(page, 'person-dialog-confirm').click();
  assert.match((await hook(page, 'person-problem').textContent()) ?? '', /Only one person/);
  await everybodyCanUse(page);
  await hook(page, 'person-dialog-cancel').click();
  const { agents } = await entityOf(account_id);
  assert.deepEqual(agents.map(({ agent_name }) => agent_name), ['Eve Frey', 'Ada Bell']);
  const ada = agents[1]?.entity_agent_id ?? '';
  await hook(page, `link-${ada}`).click();
  const link = await hook(page, `shown-${ada}`).inputValue();
  assert.match(link, /\/kyc\/[\w-]{43}$/);
  await everybodyCanUse(page);
  await documents(page);
  await page.reload();
  await hook(page, 'screen-kyb-company').waitFor();
  assert.equal(await hook(page, 'entity-name').inputValue(), 'Satchels & Sons');
  assert.equal(await hook(page, 'tax-id').inputValue(), '', 'never shown again');
  for (let step = 0; step < 3; step += 1) await hook(page, 'next').click();
  await hook(page, 'screen-kyb-review').waitFor();
  await everybodyCanUse(page);
  await hook(page, 'next').click();
  await hook(page, 'screen-kyb-wait').waitFor();
  await everybodyCanUse(page);
  await adaOpens(link);
  await setStatus(account_id, 'ACCEPT');
  await hook(page, 'screen-kyb-accepted').waitFor();
  await hook(page, 'continue').click();
  await hook(page, 'screen-end').waitFor();
});

/** The person who was sent the link opens it, in their own browser. */
async function adaOpens(link: string): Promise<void> {
  const ada = await bench.visitor();
  await ada.page.goto(link);
  await hook(ada.page, 'continue').click();
  await hook(ada.page, 'screen-agree').waitFor();
}

/** A flow in the integrator's frame, on its first screen. */
async function begin(visitor: Visitor, account_id: string, screen: string): Promise<FrameLocator> {
  const redirect = await bench.link('kyb', { account_id });
  const frame = await visitor.begin({ flow: 'kyb', redirect });
  await agree(frame, screen);
  return frame;
}

test('in a frame: removed, added again, sent, and the page gets the status', async () => {
  const account_id = await account();
  const visitor = await bench.visitor();
  const frame = await begin(visitor, account_id, 'screen-kyb-company');
  await company(frame, 'Specimen-Review');
  await addPerson(frame, 'Ada Bell', 'control_prong');
  const ada = (await entityOf(account_id)).agents[1]?.entity_agent_id ?? '';
  await hook(frame, `remove-${ada}`).click();
  await hook(frame, `agent-${ada}`).waitFor({ state: 'detached' });
  await addPerson(frame, 'Cyd Dorn', 'control_prong');
  await documents(frame);
  await frame.locator('[data-test^="document-remove-"]').click();
  await frame.getByText('charter.pdf').waitFor({ state: 'detached' });
  await hook(frame, 'document').setInputFiles(CHARTER);
  await frame.getByText('charter.pdf').waitFor();
  await hook(frame, 'next').click();
  await hook(frame, 'screen-kyb-review').waitFor();
  await hook(frame, 'next').click();
  await hook(frame, 'screen-kyb-wait').waitFor();
  await hook(frame, 'done').click();
  assert.deepEqual(await visitor.hears('complete'), {
    source: 'service',
    event: 'service.kyb.complete',
    state: 'complete',
    result: 'PROCESSING',
  });
});

test('denied: the screen says so, and the form is open again', async () => {
  const account_id = await account();
  await setStatus(account_id, 'DENY');
  const visitor = await bench.visitor();
  const frame = await begin(visitor, account_id, 'screen-kyb-failed');
  await everybodyCanUse(visitor.page);
  await hook(frame, 'kyb-again').click();
  await hook(frame, 'screen-kyb-company').waitFor();
  await hook(frame, 'cancel').click();
  const { state } = await visitor.hears('complete');
  assert.equal(state, 'cancel');
});

test('the identity flow of such an account names the business, and what can be done', async () => {
  const account_id = await account();
  const { api } = bench.platform;
  const path = `/v1/entity/${account_id}/onboard`;
  await api.must(200, 'pii', 'POST', path, { body: { entity_name: 'Satchels & Sons' } });
  const visitor = await bench.visitor();
  const redirect = await bench.link('kyc', { account_id });
  const frame = await visitor.begin({ flow: 'kyc', redirect });
  await agree(frame, 'screen-kyc-business');
  await frame.getByText(/a business.*Ask Sandbox for the link/).waitFor();
  await everybodyCanUse(visitor.page);
  await hook(frame, 'close').click();
  await setStatus(account_id, 'ACCEPT');
  const again = await bench.link('kyc', { account_id, mechanism: 'service_hosted' });
  await visitor.page.goto(again);
  await hook(visitor.page, 'continue').click();
  await agree(visitor.page, 'screen-kyc-business');
  await visitor.page.getByText('Satchels & Sons is confirmed').waitFor();
  await hook(visitor.page, 'continue').click();
  await hook(visitor.page, 'screen-end').waitFor();
});
