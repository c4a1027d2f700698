// Identity verification in a real browser: by keyboard and mouse, with documents, after a denial,
// through a reload, with a manual review, and for taxes only. [G-51, G-52, G-76]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { everybodyCanUse } from '../browser/everybody.ts';
import { hook, openBench, type Bench, type Visitor } from '../browser/kit.ts';
import { arrive, fillIn, newcomer, PHOTO, photo } from '../browser/person.ts';

/** Larger than is sent. */
const LARGE = photo(3_000, 200);

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.stop());

/** Opens the flow of a fresh account in a frame. */
async function begin(visitor: Visitor, flowConfig: object = {}) {
  const { account_id, redirect } = await newcomer(bench, 'kyc');
  const frame = await visitor.begin({ flow: 'kyc', redirect, flowConfig });
  await arrive(frame, 'screen-kyc-country');
  return { frame, account_id };
}

/** The integrator's page is told how it ended. */
async function ended(visitor: Visitor): Promise<object> {
  const { state, result, trigger } = await visitor.hears('complete');
  return { state, result, trigger };
}

test('on a phone: from the country to the acceptance, and nothing personal stays', async () => {
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  const { redirect } = await newcomer(bench, 'kyc', { mechanism: 'service_hosted' });
  await page.goto(redirect);
  await hook(page, 'continue').click();
  await arrive(page, 'screen-kyc-country');
  assert.equal(await hook(page, 'country').inputValue(), 'FR');
  await fillIn(page, { document: 'ID', photo: LARGE }, async (step) => {
    if (step === 'address') await everybodyCanUse(page);
    if (step !== 'documents') return;
    await everybodyCanUse(page);
    const wide = 'document.querySelector(".picture img").naturalWidth';
    assert.equal(await page.evaluate(wide), 2_400, 'a large photo is sent smaller');
  });
  await everybodyCanUse(page);
  await hook(page, 'kyc-submit').dblclick();
  await hook(page, 'screen-kyc-accepted').waitFor();
  await everybodyCanUse(page);
  assert.equal(await page.evaluate('localStorage.length + location.search.length'), 0);
  const kept = await page.evaluate('Object.keys(sessionStorage).join()');
  assert.match(String(kept), /^holdfast-link:[\w-]+$/, 'the used link alone, for a reload');
  await page.reload();
  await hook(page, 'screen-kyc-accepted').waitFor();
  await hook(page, 'continue').click();
  await hook(page, 'screen-end').waitFor();
});

test('what is missing is said at its field, which has the focus; Enter goes on', async () => {
  const visitor = await bench.visitor();
  const { frame } = await begin(visitor);
  await hook(frame, 'country').selectOption('US');
  await hook(frame, 'country').press('Tab');
  await hook(frame, 'next').press('Enter');
  await hook(frame, 'first').press('Enter');
  const focused = (name: string) => frame.locator(`[data-test="${name}"]:focus`).waitFor();
  await focused('first');
  assert.match((await hook(frame, 'screen-kyc-person').textContent()) ?? '', /date of birth/);
  await everybodyCanUse(visitor.page);
  await hook(frame, 'back').click();
  await hook(frame, 'screen-kyc-country').waitFor();
  await hook(frame, 'cancel').click();
  assert.deepEqual(await ended(visitor), {
    state: 'cancel',
    result: undefined,
    trigger: undefined,
  });
});

test('a denial with a reason requires that part only; the rest is kept', async () => {
  const visitor = await bench.visitor();
  const { frame } = await begin(visitor);
  const last = 'Specimen-Document-Unreadable';
  await fillIn(frame, { country: 'US', last, document: 'DL' });
  assert.doesNotMatch((await hook(frame, 'screen-kyc-review').textContent()) ?? '', /123-45/);
  await hook(frame, 'kyc-submit').click();
  await hook(frame, 'screen-kyc-failed').waitFor();
  await everybodyCanUse(visitor.page);
  assert.match((await hook(frame, 'kyc-reasons').textContent()) ?? '', /cannot be read/);
  const words = 'We only need the front of your document again.';
  assert.ok((await hook(frame, 'kyc-asked').textContent())?.startsWith(words));
  await hook(frame, 'kyc-again').click();
  await hook(frame, 'screen-kyc-documents').waitFor();
  await hook(frame, 'document-back-clear').or(hook(frame, 'document-front')).first().waitFor();
  assert.equal(await hook(frame, 'document-back').count(), 0);
  await hook(frame, 'document-front').setInputFiles(PHOTO);
  await hook(frame, 'document-front-clear').waitFor();
  await hook(frame, 'next').click();
  await hook(frame, 'edit-documents').waitFor();
  await everybodyCanUse(visitor.page);
  assert.equal(await frame.locator('[data-test^="edit-"]').count(), 1);
  assert.equal(await frame.locator('.thumbs img').count(), 1, 'the back is not sent again');
  await hook(frame, 'kyc-submit').click();
  // The vendor goes by the last name, which was kept.
  await hook(frame, 'screen-kyc-failed').waitFor();
  await hook(frame, 'close').click();
  assert.deepEqual(await ended(visitor), {
    state: 'complete',
    result: 'DENY',
    trigger: undefined,
  });
});

test('after a reload a name that differs is all that is asked for, then accepted', async () => {
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  const { redirect } = await newcomer(bench, 'kyc', { mechanism: 'service_hosted' });
  await page.goto(redirect);
  await hook(page, 'continue').click();
  await arrive(page, 'screen-kyc-country');
  await fillIn(page, { last: 'Specimen-Name-Differs' });
  await hook(page, 'kyc-submit').click();
  await hook(page, 'screen-kyc-failed').waitFor();
  await page.reload();
  await hook(page, 'kyc-again').click();
  await hook(page, 'screen-kyc-person').waitFor();
  await everybodyCanUse(page);
  assert.equal(await hook(page, 'date-of-birth-day').count(), 0);
  await hook(page, 'first').fill('Zoé');
  await hook(page, 'last').fill('Example');
  await hook(page, 'next').click();
  await hook(page, 'kyc-submit').click();
  await hook(page, 'screen-kyc-accepted').waitFor();
});

test('in a frame, too, the request stands beside its reason', async () => {
  const visitor = await bench.visitor();
  const { frame } = await begin(visitor);
  await fillIn(frame, { last: 'Specimen-Name-Differs' });
  await hook(frame, 'kyc-submit').click();
  await hook(frame, 'kyc-again').click();
  assert.match((await hook(frame, 'screen-kyc-person').textContent()) ?? '', /needs correcting/);
  await hook(frame, 'last').fill('Example');
  await hook(frame, 'next').click();
  await hook(frame, 'kyc-submit').click();
  await hook(frame, 'continue').click();
  assert.deepEqual(await ended(visitor), {
    state: 'complete',
    result: 'ACCEPT',
    trigger: 'continue-button',
  });
});

test('the check continues through a reload, and when the page is closed', async () => {
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  const { redirect } = await newcomer(bench, 'kyc', { mechanism: 'service_hosted' });
  await page.goto(redirect);
  await hook(page, 'continue').click();
  await arrive(page, 'screen-kyc-country');
  await fillIn(page, { last: 'Specimen-Late' });
  await hook(page, 'kyc-submit').click();
  await hook(page, 'screen-kyc-wait').waitFor();
  await everybodyCanUse(page);
  await page.reload();
  await hook(page, 'screen-kyc-wait').waitFor();
  await hook(page, 'close').click();
  await hook(page, 'screen-end').waitFor();
});

test('a refusal is shown beside its field; then a manual review decides', async () => {
  const visitor = await bench.visitor();
  const { frame } = await begin(visitor, { hideExitButtons: true });
  visitor.expect(/status of 400/);
  assert.equal(await hook(frame, 'cancel').count(), 0);
  await fillIn(frame, { last: 'Specimen-Review', street: '123 45 6789' });
  await hook(frame, 'kyc-submit').click();
  await hook(frame, 'screen-kyc-address').waitFor();
  assert.equal(await hook(frame, 'street').getAttribute('aria-invalid'), 'true');
  assert.match((await hook(frame, 'screen-kyc-address').textContent()) ?? '', /tax number/);
  await hook(frame, 'street').fill('1 Rue Exemple');
  await hook(frame, 'next').click();
  await hook(frame, 'kyc-submit').click();
  await hook(frame, 'screen-kyc-review-wait').waitFor();
  await hook(frame, 'done').click();
  const { state, result } = await visitor.hears('complete');
  assert.deepEqual([state, result], ['complete', 'MANUAL_REVIEW']);
});

test('after its document expired a person is asked for that alone, then accepted', async () => {
  const visitor = await bench.visitor({ phone: true });
  const { page } = visitor;
  const who = await newcomer(bench, 'kyc', { mechanism: 'service_hosted' });
  await page.goto(who.redirect);
  await hook(page, 'continue').click();
  await arrive(page, 'screen-kyc-country');
  await fillIn(page, { last: 'Renewer' });
  await hook(page, 'kyc-submit').click();
  await hook(page, 'screen-kyc-accepted').waitFor();
  const { api } = bench.platform;
  await api.setKyc(who.account_id, { state: 'ACCEPT', document_expires: '2001-01-31' });
  const state = async (): Promise<string> =>
    (await api.must<{ state: string }>(200, 'pii', 'GET', `/v1/kyc/${who.account_id}`)).state;
  for (let tries = 0; (await state()) !== 'REVERIFY'; tries += 1) {
    assert.ok(tries < 200, 'the clock requires a new document');
    await delay(50);
  }
  // A link opens once: the person is sent to the flow again.
  await page.goto(await bench.link('kyc', {
    ...{ account_id: who.account_id, mechanism: 'service_hosted' },
  }));
  await hook(page, 'continue').click();
  await hook(page, 'screen-kyc-failed').waitFor();
  await everybodyCanUse(page);
  assert.match((await hook(page, 'screen-kyc-failed').textContent()) ?? '', /valid document/);
  assert.match((await hook(page, 'kyc-reasons').textContent()) ?? '', /has expired/);
  await hook(page, 'kyc-again').click();
  await hook(page, 'screen-kyc-documents').waitFor();
  await hook(page, 'document-type').selectOption('PP');
  await hook(page, 'document-country').selectOption('FR');
  await hook(page, 'document-front').setInputFiles(PHOTO);
  await hook(page, 'document-front-clear').waitFor();
  await hook(page, 'next').click();
  await hook(page, 'edit-documents').waitFor();
  assert.equal(await page.locator('[data-test^="edit-"]').count(), 1);
  await hook(page, 'kyc-submit').click();
  await hook(page, 'screen-kyc-accepted').waitFor();
});

test('for taxes only: no birth date, no document, and it is on file at once', async () => {
  const visitor = await bench.visitor();
  const { frame } = await begin(visitor, { verificationLevel: 'basic_pii' });
  await hook(frame, 'country').selectOption('US');
  await hook(frame, 'next').click();
  await hook(frame, 'first').fill('Ada');
  await hook(frame, 'last').fill('Lovelace');
  assert.equal(await hook(frame, 'date-of-birth').count(), 0);
  await hook(frame, 'next').click();
  await hook(frame, 'ssn').fill('123 45 67');
  await hook(frame, 'signature').fill('Ada Lovelace');
  await hook(frame, 'next').click();
  assert.equal(await hook(frame, 'ssn').getAttribute('aria-invalid'), 'true');
  await hook(frame, 'ssn').fill('123456789');
  await hook(frame, 'next').click();
  for (const [name, value] of [['street', '1 Way'], ['city', 'Springfield'], ['zip', '94110']]) {
    await hook(frame, name as string).fill(value as string);
  }
  await hook(frame, 'state').selectOption('CA');
  await hook(frame, 'next').click();
  await hook(frame, 'kyc-submit').click();
  await hook(frame, 'screen-kyc-accepted').waitFor();
  await hook(frame, 'continue').click();
  const { state, result } = await visitor.hears('complete');
  assert.deepEqual([state, result], ['complete', 'NONE']);
});
