// A German company from its form to its acceptance, in browsers: the form in German asks for what
// Germany has, its people are invited by mail, and an operator says of each document what became of
// it, which the applicant reads. [G-54, G-55]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { CapturedMail } from '../../client/index.ts';
import {
  addPerson,
  administrator,
  fillFields,
  hire,
  opened,
  prove,
  proveBeside,
} from '../browser/company.ts';
import { everybodyCanUse } from '../browser/everybody.ts';
import { hook, openBench, type Bench } from '../browser/kit.ts';
import { pdfOf, PDF_PAGES } from '../kit/sample-files.ts';
import { until } from '../kit/until.ts';

const ADA = 'ada.bell@people.example';
const STATED = {
  ...{ 'entity-name': 'Specimen-Review Lampen GmbH', 'legal-form': 'GmbH' },
  ...{ 'registration-number': 'HRB 123456 B', register: 'Amtsgericht Charlottenburg' },
  ...{ street: 'Musterstraße 1', 'postal-code': '1011', city: 'Berlin' },
  'vat-number': 'DE136695975',
};
const BELL = { first: 'Ada', last: 'Bell', born: '1988-11-30', street: '4 Rue Haute' };
const FREY = { first: 'Eve', last: 'Frey', born: '1979-07-04', street: '9 Quai', city: 'Brest' };
/** What only a business in the US is asked for. */
const AMERICAN = ['entity-type', 'tax-id', 'naics-numbers', 'duns-numbers'];

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench?.stop());

interface Entity {
  readonly entity_id: string;
  readonly registration_document: string;
  readonly agents: readonly { readonly entity_agent_id: string; readonly status: string }[];
  readonly documents: readonly { readonly entity_document_id: string; readonly status: string }[];
}

const read = (entity: string): Promise<Entity> =>
  bench.platform.api.must(200, 'pii', 'GET', `/v1/entity/${entity}`);

async function mailTo(address: string): Promise<CapturedMail> {
  type Mails = { mails: CapturedMail[] };
  const path = `/sandbox/mail?to=${address}`;
  return until(`a mail to ${address}`, async () => {
    return (await bench.platform.api.must<Mails>(200, 'invoicing', 'GET', path)).mails[0];
  });
}

async function addDocument(page: Page, name: string): Promise<void> {
  const buffer = pdfOf(PDF_PAGES);
  await hook(page, 'document').setInputFiles({ name, mimeType: 'application/pdf', buffer });
  await hook(page, 'screen-kyb-documents').getByText(name).waitFor();
}

async function step(page: Page, next: string): Promise<void> {
  await hook(page, 'next').click();
  await hook(page, `screen-kyb-${next}`).waitFor();
}

/** The first step: what is mistyped is said in German, at its field. */
async function stateCompany(page: Page): Promise<void> {
  for (const field of AMERICAN) assert.equal(await hook(page, field).count(), 0, field);
  assert.equal(await hook(page, 'region').count(), 0, 'no region in a German address');
  await hook(page, 'next').click();
  assert.equal(await page.locator('[aria-invalid="true"]').count(), 6);
  await everybodyCanUse(page);
  await fillFields(page, STATED);
  await hook(page, 'next').click();
  await page.getByText('Das ist keine Umsatzsteuer-ID dieses Landes.').waitFor();
  await page.getByText('Geben Sie eine Postleitzahl dieses Landes ein.').waitFor();
  await everybodyCanUse(page);
  await fillFields(page, { 'vat-number': 'DE 136 695 976', 'postal-code': '10115' });
  await step(page, 'people');
}

/** The second step; an owner without a share is asked for it. */
async function namePeople(page: Page): Promise<void> {
  await hook(page, 'add-person').click();
  await hook(page, 'person-name').fill('Cyd Dorn');
  await hook(page, 'role-beneficial_owner').check();
  await hook(page, 'person-dialog-confirm').click();
  await page.getByText('Wählen Sie aus, wie viel diese Person besitzt.').waitFor();
  await everybodyCanUse(page);
  await hook(page, 'person-dialog-cancel').click();
  const roles = ['control_prong', 'beneficial_owner'];
  await addPerson(page, 'Ada Bell', { roles, owns: '75-100', email: ADA });
  await page.getByText(/75.% – 100.%/).waitFor();
  await everybodyCanUse(page);
  await step(page, 'documents');
}

/** The same form on the same phone, in other languages. */
async function readElsewhere(account_id: string): Promise<void> {
  for (const lang of ['en', 'fr', 'ar']) {
    const { page } = await bench.visitor({ phone: true });
    const link = await bench.link('kyb', { account_id, mechanism: 'service_hosted' });
    await opened(page, `${link}?lang=${lang}`, 'screen-kyb-company');
    assert.equal(await page.evaluate('document.documentElement.lang'), lang);
    await everybodyCanUse(page);
    await step(page, 'people');
    await everybodyCanUse(page);
    await step(page, 'documents');
    await everybodyCanUse(page);
    await step(page, 'review');
    await everybodyCanUse(page);
  }
}

/** The reviewer says of a document what became of it. */
async function judge(desk: Page, number: number, finding: string): Promise<void> {
  await desk.reload();
  await desk.getByLabel(`Document ${number} is`).selectOption(finding);
  await desk.getByRole('button', { name: 'Save findings' }).click();
  await desk.getByText('The status of the documents was saved.').waitFor();
}

async function decide(desk: Page, decision: RegExp, reason: string | null): Promise<void> {
  await desk.getByLabel(decision).check();
  if (reason !== null) await desk.locator(`[name="reason_${reason}"]`).check();
  await desk.locator('#decision-note').fill('Looked at the register');
  await desk.getByRole('button', { name: 'Decide' }).click();
  await desk.getByText('Decision saved.').waitFor();
}

test('a German company is stated, its people invited by mail, and it is verified', async () => {
  const { api, ready } = bench.platform;
  const firm = await api.register('lampen', { country_iso: 'DE', full_name: 'Eve Frey' });
  const { account_id } = firm;
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  // The platform refuses what was mistyped.
  visitor.expect(/400 .*\/entity\/form\)$/);
  const link = await bench.link('kyb', { account_id, mechanism: 'service_hosted' });
  await opened(page, `${link}?lang=de`, 'screen-kyb-company');
  await stateCompany(page);
  await namePeople(page);
  await hook(page, 'document-missing').getByText('Fehlt').waitFor();
  await everybodyCanUse(page);
  await addDocument(page, 'Auszug.pdf');
  await page.getByText('Eingegangen').waitFor();
  await step(page, 'review');
  await page.getByText('GmbH, HRB 123456 B, Amtsgericht Charlottenburg, Deutschland').waitFor();
  await everybodyCanUse(page);
  await readElsewhere(account_id);
  await step(page, 'wait');
  await everybodyCanUse(page);

  const path = `/v1/entity/${account_id}/onboard`;
  const body = { entity_name: 'Other' };
  const { entity_id } = await api.must<Entity>(200, 'pii', 'POST', path, { body });
  const { text } = await mailTo(ADA);
  const ada = await bench.visitor({ phone: true });
  await opened(ada.page, /http\S+\/kyc\/[\w-]{43}/.exec(text)?.[0], 'screen-kyc-country');
  await prove(ada.page, BELL, 'screen-kyc-accepted');
  await proveBeside(page, (await read(entity_id)).agents[0]?.entity_agent_id, FREY);
  await hook(page, 'screen-kyb-wait').getByText('Wir prüfen Ihr Unternehmen').waitFor();

  const rob = await hire(bench, await administrator(bench), 'Rob', /^reviewer:/);
  const desk = rob.page;
  await desk.goto(`${ready.urls.console}/businesses/${entity_id}`);
  assert.equal(await desk.getByText('HRB 123456 B').count(), 0, 'masked');
  await desk.getByLabel('Reason', { exact: true }).selectOption('review');
  await desk.locator('#open-note').fill('The register');
  await desk.getByRole('button', { name: 'Show data' }).click();
  await desk.getByText('Musterstraße 1, 10115 Berlin').waitFor();
  await desk.goto(`${ready.urls.console}/businesses/${entity_id}`);
  await judge(desk, 1, 'DOCUMENT_UNREADABLE');
  await page.getByText(/Nicht lesbar · Ein Dokument/).waitFor();
  await decide(desk, /^Request more/, 'DOCUMENT_UNREADABLE');
  await hook(page, 'screen-kyb-failed').waitFor();
  await everybodyCanUse(page);
  await hook(page, 'kyb-again').click();
  await hook(page, 'screen-kyb-company').waitFor();
  assert.equal(await hook(page, 'vat-number').inputValue(), 'DE136695976');
  await step(page, 'people');
  await step(page, 'documents');
  await hook(page, 'next').click();
  await hook(page, 'problem').waitFor();
  await addDocument(page, 'Auszug neu.pdf');
  await step(page, 'review');
  await step(page, 'wait');
  await judge(desk, 2, 'accepted');
  await decide(desk, /^Accept$/, null);
  await hook(page, 'screen-kyb-accepted').waitFor();
  const accepted = await read(entity_id);
  assert.deepEqual(accepted.documents.map(({ status }) => status), ['unreadable', 'accepted']);
  assert.equal(accepted.registration_document, 'accepted');
  const kyc = await api.must<{ state: string }>(200, 'pii', 'GET', `/v1/kyc/${account_id}`);
  assert.equal(kyc.state, 'ACCEPT');
});
