// Identity data over HTTP, through the file inspector and the vendor simulator: what is refused and
// at which field, the way to ACCEPT and its effect on money, whose records are whose, and reviews
// that nobody answers. [G-51, G-52, G-58]
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { submission, TAX_FORM } from '../kit/identity.ts';
import {
  dataUri,
  jpegOfSize,
  pdfOf,
  PDF_PAGES,
  png,
  PNG_SIGN,
  pngChunk,
  pngHeader,
} from '../kit/sample-files.ts';
import type { Reply } from '../kit/api.ts';
import { uuidOfWireId } from '../../src/core/ids.ts';
import { startPlatform, type Platform } from './kit.ts';
import { payoutOf } from './market.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform?.stop());

interface Person {
  readonly account_id: string;
  readonly token: string;
}

interface Shown {
  readonly kyc_id: string;
  readonly state: string;
  readonly created: string;
  readonly pii_collection_uri?: string;
  readonly document_back_id?: string;
  readonly reasons: readonly { readonly code: string }[];
}

let people = 0;

async function person(): Promise<Person> {
  people += 1;
  const made = { body: { username: `person ${people}` } };
  type Made = { account_id: string };
  const { account_id } = await platform.api.must<Made>(200, 'accounts', 'POST', '/register', made);
  const wish = { body: { account_id, return_token: true } };
  type Given = { token: { access_token: string } };
  const { token } = await platform.api.must<Given>(200, 'auth', 'POST', '/authorize/user', wish);
  return { account_id, token: token.access_token };
}

function send({ token }: Person, body: unknown): Promise<Reply> {
  return platform.api.send('pii', 'POST', '/v2/kyc', { body, token });
}

async function sent(one: Person, body: unknown = submission()): Promise<Shown> {
  const reply = await send(one, body);
  assert.equal(reply.status, 200, reply.text);
  return reply.body.payload as Shown;
}

function read({ token }: Person, query = ''): Promise<Reply> {
  return platform.api.send('pii', 'GET', `/v2/kyc${query}`, { token });
}

async function reached(one: Person, state: string): Promise<Shown> {
  for (let tries = 0; ; tries += 1) {
    const shown = (await read(one)).body.payload as Shown;
    if (shown.state === state) return shown;
    assert.ok(tries < 200, `${shown.state}, not ${state}`);
    await delay(50);
  }
}

const day = (offset: number): string =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

test('every wrong input names its field and stores nothing', async () => {
  const one = await person();
  const picture = png(2, 2);
  const record = {
    file_name: 'a.pdf',
    file_ext: '.pdf',
    file_mime_type: 'application/pdf',
    file_contents: pdfOf(PDF_PAGES).toString('base64'),
  };
  const further = (more: object): object => ({ extra_files: [{ ...record, ...more }] });
  const tax = (more: object): unknown => ({
    ...TAX_FORM,
    kyc_pii: { ...TAX_FORM.kyc_pii, ...more },
  });
  const cases: [unknown, string, string][] = [
    [submission({ date_of_birth: '2023-02-29' }), 'date_of_birth', 'INVALID_FIELD'],
    [submission({ date_of_birth: day(2) }), 'date_of_birth', 'INVALID_FIELD'],
    [submission({ date_of_birth: '1899-12-31' }), 'date_of_birth', 'INVALID_FIELD'],
    [submission({ date_of_birth: '01.02.1990' }), 'date_of_birth', 'INVALID_FIELD'],
    [submission({ date_of_birth: undefined }), 'date_of_birth', 'MISSING_FIELD'],
    [submission({ country: 'USA' }), 'country', 'INVALID_FIELD'],
    [submission({ country: 'XX' }), 'country', 'INVALID_FIELD'],
    [submission({ country: 'us' }), 'country', 'INVALID_FIELD'],
    [submission({ document_country: 'UK' }), 'document_country', 'INVALID_FIELD'],
    [submission({ document_type: 'RP' }), 'document_type', 'INVALID_FIELD'],
    [submission({ state: 'California' }), 'state', 'INVALID_FIELD'],
    [submission({ state: 'ON' }), 'state', 'INVALID_FIELD'],
    [submission({ state: undefined }), 'state', 'MISSING_FIELD'],
    [submission({ zip: '' }), 'zip', 'INVALID_FIELD'],
    [submission({ zip: undefined }), 'zip', 'MISSING_FIELD'],
    [submission({ country: 'FR', state: '', zip: '75001' }), 'ssn', 'INVALID_FIELD'],
    [submission({ ssn: '12345678' }), 'ssn', 'INVALID_FIELD'],
    [submission({ ssn: '666-12-3456' }), 'ssn', 'INVALID_FIELD'],
    [tax({ ssn: '999-66-1234' }), 'ssn', 'INVALID_FIELD'],
    [submission({ ssn: undefined, ssn_last4: '0000' }), 'ssn_last4', 'INVALID_FIELD'],
    [submission({ ssn_last4: '0001' }), 'ssn_last4', 'INVALID_FIELD'],
    [submission({ street: 'c/o 123-45-6789' }), 'street', 'INVALID_FIELD'],
    [submission({ city: '123456789' }), 'city', 'INVALID_FIELD'],
    [submission({ street: 'c/o 987\u201365\u20134321' }), 'street', 'INVALID_FIELD'],
    [submission({ last: '987654321' }), 'last', 'INVALID_FIELD'],
    [submission({ first: '4111 1111 1111 1111' }), 'first', 'CARD_NUMBER_REFUSED'],
    [submission({ first: ' ' }), 'first', 'INVALID_FIELD'],
    [submission({ last: 'x'.repeat(101) }), 'last', 'INVALID_FIELD'],
    [submission({ phone_code: undefined }), 'phone_code', 'MISSING_FIELD'],
    [submission({ phone_number: '4111111111111111' }), 'phone_number', 'INVALID_FIELD'],
    [submission({ nickname: 'x' }), 'nickname', 'UNKNOWN_FIELD'],
    [submission({ signature: ' ' }), 'signature', 'INVALID_FIELD'],
    [submission({ document_front: undefined }), 'document_front', 'MISSING_FIELD'],
    [submission({ document_front: 'x' }), 'document_front', 'FILE_NOT_BASE64'],
    [submission({ document_front: dataUri('image/png', picture.subarray(0, 40)) }),
      'document_front', 'FILE_DAMAGED'],
    [submission({ document_back: dataUri('image/jpeg', picture) }),
      'document_back', 'FILE_TYPE_MISMATCH'],
    [submission({ document_back: dataUri('application/pdf', pdfOf(PDF_PAGES)) }),
      'document_back', 'FILE_TYPE_UNKNOWN'],
    [submission({}, further({ file_ext: '.png' })), 'extra_files[0].file_contents',
      'FILE_TYPE_MISMATCH'],
    [submission({}, further({ file_size: 1 })), 'extra_files[0].file_size', 'UNKNOWN_FIELD'],
    [submission({}, { extra_files: [5] }), 'extra_files[0]', 'INVALID_FIELD'],
    [submission({}, { form: 'short' }), 'form', 'INVALID_FIELD'],
    [submission({}, { account_id: one.account_id }), 'account_id', 'UNKNOWN_FIELD'],
    [{}, 'kyc_pii', 'MISSING_FIELD'],
    [tax({ ssn: undefined }), 'ssn', 'MISSING_FIELD'],
    [tax({ signature: undefined }), 'signature', 'MISSING_FIELD'],
    [tax({ document_type: 'PP' }), 'document_type', 'INVALID_FIELD'],
    [{ ...TAX_FORM, extra_files: [record] }, 'extra_files', 'INVALID_FIELD'],
  ];
  const before = await platform.rows();
  const atTop = ['extra_files', 'form', 'account_id', 'kyc_pii'];
  for (const [body, field, code] of cases) {
    const path = atTop.some((name) => field.startsWith(name)) ? field : `kyc_pii.${field}`;
    const reply = await send(one, body);
    const what = `${field} ${code}: ${reply.text}`;
    assert.deepEqual([reply.status, reply.code, Object.keys(reply.errors)], [400, code, [path]],
      what);
  }
  assert.deepEqual(await platform.rows(), before);
  assert.equal(((await read(one)).body.payload as Shown).kyc_id, '');
});

test('acceptance releases restricted funds, which can then be paid out', async () => {
  const { api } = platform;
  const one = await person();
  const { account_id } = one;
  const payout = await payoutOf(api, account_id);
  assert.equal((await payout()).code, 'PAYOUT_KYC_REQUIRED');
  const answer = await sent(one);
  assert.equal(answer.state, 'PROCESSING');
  assert.match(answer.created, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/);
  assert.match(answer.pii_collection_uri ?? '', /\/ui\/appauth\//);
  const shown = await reached(one, 'ACCEPT');
  assert.equal(shown.pii_collection_uri, undefined);
  assert.equal((await payout()).status, 201);
  assert.equal((await send(one, submission())).code, 'KYC_ALREADY_ACCEPTED');
});

test('what did not pass is reported, and only that must be sent again', async () => {
  const one = await person();
  const first = await sent(one, submission({ last: 'Specimen-Document-Unreadable' }));
  const denied = await reached(one, 'DENY');
  assert.deepEqual(denied.reasons.map(({ code }) => code), ['DOCUMENT_FRONT_UNREADABLE']);
  const whole = submission({ document_front: undefined, document_back: undefined });
  const missing = await send(one, whole);
  assert.deepEqual(Object.keys(missing.errors), ['kyc_pii.document_front']);
  const second = await sent(one, submission({ document_back: undefined }));
  assert.equal(second.document_back_id, denied.document_back_id);
  await reached(one, 'ACCEPT');
  const old = (await read(one, `?kyc_id=${first.kyc_id}`)).body.payload as Shown;
  assert.equal(old.state, 'DENY');
});

test("an application is its person's alone", async () => {
  const { api } = platform;
  const [one, other] = [await person(), await person()];
  const { kyc_id } = await sent(one, TAX_FORM);
  assert.equal(((await read(one)).body.payload as Shown).state, 'NONE');
  const foreign = await read(other, `?kyc_id=${kyc_id}`);
  const unknown = await read(other, '?kyc_id=kyc_00000000000000000000000000');
  assert.deepEqual([foreign.status, foreign.code, foreign.text], [400, 'KYC_NOT_FOUND',
    unknown.text]);
  const long = await read(one, `?kyc_id=kyc_${'0'.repeat(33)}`);
  assert.deepEqual([long.status, Object.keys(long.errors)], [400, ['kyc_id']]);
  for (const method of ['GET', 'POST'] as const) {
    const reply = await api.send('pii', method, '/v2/kyc', method === 'GET' ? {} : { body: {} });
    assert.deepEqual([reply.status, reply.code], [403, 'TOKEN_KIND_REFUSED']);
  }
});

test('a repeated application stores no documents of its own', async () => {
  const one = await person();
  const documents = async (): Promise<number> => {
    const rows = await platform.db.query<{ n: bigint }>(`select count(*) as n from kyc_document`);
    return Number(rows[0]?.n);
  };
  const before = await documents();
  const headers = { 'idempotency-key': `repeated ${one.account_id}` };
  const call = { body: submission(), token: one.token, headers };
  const first = await platform.api.send('pii', 'POST', '/v2/kyc', call);
  assert.equal(first.status, 200, first.text);
  const stored = await documents();
  assert.ok(stored > before);
  const again = await platform.api.send('pii', 'POST', '/v2/kyc', call);
  assert.equal((again.payload as Shown).kyc_id, (first.payload as Shown).kyc_id);
  assert.equal(await documents(), stored);
});

test('only an application that compliance began says so in the history', async () => {
  const { account_id } = await person();
  const path = `/v2/kyc/account/${account_id}/state`;
  for (const state of ['ACCEPT', 'DENY']) {
    await platform.api.must(200, 'pii', 'PUT', path, { body: { state } });
  }
  const steps = await platform.db.query<{ initiator: string | null }>({
    text: `select s.detail::json ->> 'initiator' as initiator from history s
      join kyc k on k.workspace = s.workspace and k.id = s.resource_id
      where s.machine = 'kyc' and s.event = 'set' and k.id = $1 order by s.version`,
    values: [uuidOfWireId('acct', account_id)],
  });
  assert.deepEqual(steps.map(({ initiator }) => initiator), ['compliance', null]);
});

test('a blocked account submits nothing', async () => {
  const one = await person();
  const { account_id } = one;
  const body = { account_id, block_capability: 'login', block_reason: 'account_close' };
  await platform.api.must(200, 'accounts', 'POST', '/v2/block', { body });
  const before = await platform.rows();
  const reply = await send(one, submission());
  assert.deepEqual([reply.status, reply.code], [401, 'TOKEN_INVALID']);
  assert.deepEqual(await platform.rows(), before);
});

test('what is asked and not answered within 30 days of workspace time is cancelled', async () => {
  const [one, unasked] = [await person(), await person()];
  await sent(one, submission({ document_country: 'CA' }));
  await sent(unasked, submission({ last: 'Specimen-Review' }));
  for (const who of [one, unasked]) await reached(who, 'MANUAL_REVIEW');
  const move = (days: number): Promise<unknown> =>
    platform.db.execute(`update workspace set clock_offset = clock_offset + interval
      '${days} days'`);
  await move(29);
  await delay(1_500);
  assert.equal(((await read(one)).body.payload as Shown).state, 'MANUAL_REVIEW');
  await move(2);
  await reached(one, 'CANCEL');
  await sent(one);
  assert.equal(((await read(unasked)).body.payload as Shown).state, 'MANUAL_REVIEW');
});

/** A picture that does not compress. */
function noise(side: number): Buffer {
  const row = 1 + side * 3;
  const raw = randomBytes(side * row);
  for (let at = 0; at < raw.length; at += row) raw[at] = 0;
  const data = pngChunk('IDAT', deflateSync(raw));
  const header = pngHeader({ width: side, height: side });
  return Buffer.concat([PNG_SIGN, header, data, pngChunk('IEND')]);
}

test('three files of two megabytes pass in time', async () => {
  const one = await person();
  const large = dataUri('image/png', noise(830));
  assert.ok(large.length > 2_600_000, String(large.length));
  const extra_files = [large, dataUri('image/jpeg', jpegOfSize(8, 8))];
  const body = submission({ document_front: large, document_back: large }, { extra_files });
  const started = performance.now();
  await sent(one, body);
  const ms = performance.now() - started;
  assert.ok(ms < 5_000, `${ms} ms are slow even for a busy machine`);
  await reached(one, 'ACCEPT');
});

test('a webhook not signed by the vendor is refused', async () => {
  const body = { notice_id: 'x', key: 'x', at: 'x' };
  const call = { body, token: null };
  const reply = await platform.api.send('pii', 'POST', '/v1/identity_notices', call);
  assert.deepEqual([reply.status, reply.code], [401, 'IDENTITY_NOTICE_NOT_PROVEN']);
});

test('every answer above is declared by its operation', () => {
  assert.deepEqual([...platform.api.undeclared], []);
});
