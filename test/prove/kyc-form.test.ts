// What the identity form is told: which parts are needed at first and after each kind of denial,
// that they suffice for the next submission, and what each country requires. [G-52]
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { PERSON, submission, TAX_FORM } from '../kit/identity.ts';
import { personToken } from '../kit/person-token.ts';
import { startPlatform, type Platform } from '../api/kit.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

interface Form {
  readonly state: string;
  readonly kyc_id: string;
  readonly country_default: string;
  readonly forms: readonly string[];
  readonly needs: readonly string[];
  readonly failed: readonly string[];
  readonly reasons: readonly string[];
}

const PERSONAL = ['name', 'birth', 'address', 'tax'];
const ALL = [...PERSONAL, 'document_front', 'document_back', 'extra_files'];
let people = 0;

/** A session of a fresh account, as a link for its identity flow gives it. */
async function session(scopes = ['read_kyc', 'read_kycs', 'verify_kyc']): Promise<string> {
  const { api, ready } = platform;
  const body = { username: `form ${(people += 1)}`, country_iso: 'FR' };
  type Made = { account_id: string };
  const { account_id } = await api.must<Made>(200, 'accounts', 'POST', '/register', { body });
  const client = { clientId: ready.client.client_id, integrator: ready.integrator };
  const given = { client, kind: 'session', accountId: account_id, scopes, seconds: 600 } as const;
  return personToken(platform, given);
}

function formOf(token: string): Promise<Form> {
  return platform.api.must(200, 'pii', 'GET', '/v2/kyc/form', { token });
}

async function submit(token: string, body: unknown): Promise<void> {
  await platform.api.must(200, 'pii', 'POST', '/v2/kyc', { body, token });
}

/** Submits, and waits for the vendor's answer. */
async function ended(token: string, body: unknown): Promise<Form> {
  await submit(token, body);
  for (let tries = 0; ; tries += 1) {
    const form = await formOf(token);
    if (form.state !== 'PROCESSING') return form;
    assert.deepEqual([form.forms, form.needs], [[], []], 'nothing is asked meanwhile');
    assert.ok(tries < 200);
    await delay(50);
  }
}

async function waited(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    assert.ok(tries < 200);
    await delay(50);
  }
}

test('at first all of it is needed, and once accepted nothing', async () => {
  const token = await session();
  const first = await formOf(token);
  assert.deepEqual(first, {
    state: 'NODATA',
    kyc_id: '',
    country_default: 'FR',
    forms: ['full', 'tax'],
    needs: ALL,
    failed: [],
    reasons: [],
    reason_codes: [],
  });
  const accepted = await ended(token, submission({ last: 'Specimen-Accepted' }));
  assert.deepEqual([accepted.state, accepted.forms, accepted.needs], ['ACCEPT', [], []]);
});

const { document_type, document_country, document_front, document_back } = PERSON;
const FRONT = { document_type, document_country, document_front };

for (const [last, failed, only, state] of [
  ['Specimen-Document-Unreadable', ['document_front'], FRONT, 'DENY'],
  ['Specimen-Document-Expired', ['document_front', 'document_back'], FRONT, 'DENY'],
  ['Specimen-Name-Differs', ['name'], { first: 'Zoë', last: 'Example' }, 'ACCEPT'],
  ['Specimen-Birth-Date-Differs', ['birth'], { date_of_birth: '1991-02-28' }, 'DENY'],
  ['Specimen-Underage', ['birth'], { date_of_birth: '1991-02-28' }, 'DENY'],
  ['Specimen-Incomplete', ['document_back'], { document_back }, 'SYSTEM-CANCELLED'],
] as const) {
  test(`${last}: only what failed is asked for, and the rest is as it was sent`, async () => {
    const token = await session();
    const form = await ended(token, submission({ last }));
    assert.deepEqual([form.needs, form.failed], [failed, failed]);
    assert.equal(form.reasons.length, 1);
    assert.match(form.reasons[0] ?? '', /^[A-Z].*\.$/);
    const nothing = await platform.api.send('pii', 'POST', '/v2/kyc', {
      body: { kyc_pii: {} },
      token,
    });
    const fields = Object.keys(only).map((field) => `kyc_pii.${field}`);
    assert.equal(nothing.code, 'MISSING_FIELD');
    assert.deepEqual(Object.keys(nothing.errors).toSorted(), fields.toSorted());
    // The vendor goes by the last name, which is kept unless it is what was asked for.
    const after = await ended(token, { kyc_pii: only });
    assert.deepEqual([after.state, after.needs], [state, state === 'ACCEPT' ? [] : failed]);
  });
}

test('a denial without reasons requires the whole form again', async () => {
  const token = await session();
  const form = await ended(token, submission({ last: 'Specimen-Watch-List' }));
  assert.deepEqual([form.state, form.needs, form.failed], ['DENY', ALL, []]);
  const body = submission({ document_front: undefined });
  const reply = await platform.api.send('pii', 'POST', '/v2/kyc', { body, token });
  assert.deepEqual(Object.keys(reply.errors), ['kyc_pii.document_front']);
});

test('a back that was requested alone leads to the acceptance', async () => {
  const token = await session();
  await submit(token, submission({ last: 'Specimen-Late' }));
  const happens = async (event: string, state: string): Promise<Form> => {
    const { kyc_id } = await formOf(token);
    await waited(async () => {
      const [path, body] = ['/sandbox/identity_events', { event, kyc_id }];
      const reply = await platform.api.send('invoicing', 'POST', path, { body });
      return reply.status < 300;
    });
    await waited(async () => (await formOf(token)).state === state);
    return formOf(token);
  };
  const asked = await happens('ask', 'SYSTEM-CANCELLED');
  assert.deepEqual(asked.needs, ['document_back']);
  await submit(token, { kyc_pii: { document_back } });
  await happens('accept', 'ACCEPT');
});

test('after a tax form the full one is due, and documents with it', async () => {
  const token = await session();
  await submit(token, TAX_FORM);
  const form = await formOf(token);
  assert.deepEqual([form.state, form.forms, form.needs], ['NONE', ['full'], ALL]);
});

test('a session without the scope, or of a client, gets no form', async () => {
  const token = await session(['read_kyc']);
  for (const given of [{ token }, {}]) {
    const reply = await platform.api.send('pii', 'GET', '/v2/kyc/form', given);
    assert.equal(reply.status, 403);
  }
});

test('the list of countries is public, each with what it requires', async () => {
  type Country = { code: string; name: string; regions: string[]; needs_ssn: boolean };
  const path = '/v2/kyc/countries';
  const found = await platform.api.must<Country[]>(200, 'pii', 'GET', path, { token: null });
  assert.equal(found.length, 249);
  const us = found.find(({ code }) => code === 'US');
  assert.deepEqual([us?.name, us?.needs_ssn], ['United States', true]);
  assert.ok(us?.regions.includes('CA'));
  const france = found.find(({ code }) => code === 'FR');
  assert.deepEqual(france, {
    code: 'FR',
    name: 'France',
    calling_code: '33',
    documents: ['PP', 'DL', 'ID'],
    regions: [],
    address: ['city', 'postal_code'],
    needs_ssn: false,
    needs_document: true,
  });
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
