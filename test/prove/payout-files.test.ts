// Payout files at the console: what waits, making, confirming by somebody else with a code, handing
// over, downloading once more, what the bank did, and rejecting what can never be paid. [G-91]
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  codeAt,
  createOperator,
  resetOperator,
  type Credentials,
  type MakingServices,
  type Role,
} from '../../src/product/access/operator/index.ts';
import { newUuid } from '../../src/core/ids.ts';
import { systemRandom } from '../../src/core/random.ts';
import { startPlatform, type Platform } from '../api/kit.ts';
import { proved } from '../kit/books.ts';
import { signedIn, type Browser, type Page } from '../console/kit.ts';

let platform: Platform;
let services: MakingServices;
let base: string;
/** Each with the code of now used up by signing in. */
const people: Record<string, Credentials & { readonly browser: Browser }> = {};

async function employ(username: string, roles: readonly Role[]): Promise<Credentials> {
  const wish = { name: username, username, roles, workspaces: 'all', mustChange: false } as const;
  const made = await createOperator(services, wish, 'operator');
  people[username] = { ...made, browser: await signedIn(base, made) };
  return made;
}

before(async () => {
  platform = await startPlatform();
  base = (platform.ready.urls as Record<string, string>)['console'] ?? '';
  const { db, keys, api } = platform;
  services = { db, keys, random: systemRandom, env: 'staging' };
  await employ('vera', ['viewer']);
  await employ('ruth', ['reviewer']);
  await employ('sven', ['supervisor']);
  await employ('ines', ['supervisor']);
  // Money on the tenant's bank account.
  const body = { currency: 'USD', amount: 900_000 };
  await api.must(201, 'invoicing', 'POST', '/sandbox/bank_transfers', { body });
});
after(async () => {
  await proved(platform.db);
  await platform.stop();
});

const at = (name: string): Browser => people[name]?.browser as Browser;

/** A code that opens nothing before it is used here. */
async function codeOf({ id, totp_secret }: Credentials): Promise<string> {
  await platform.db.execute({
    text: 'update operator set totp_step = totp_step - 2 where id = $1',
    values: [id],
  });
  return codeAt(totp_secret, Date.now() / 1000);
}

interface Waiting {
  readonly account_id: string;
  readonly payout: string;
  readonly endToEnd: string;
}

/** A payout to a bank account that waits for a file. */
async function waiting(iban = 'NL91ABNA0417164300'): Promise<Waiting> {
  const { api, db } = platform;
  const { account_id, method: wallet } = await api.register(newUuid());
  await api.setKyc(account_id, { state: 'ACCEPT' });
  await api.fund(account_id, 10_000);
  const account = { account_id, iban, holder_name: 'Zoë Ångström' };
  const { id } = await api.must<{ id: string }>(
    ...([201, 'payments', 'POST', '/v1/payment_method/bank_account', { body: account }] as const),
  );
  const payout = { source_payment_method_id: wallet, destination_payment_method_id: id };
  const body = { ...payout, amount: 2_000, currency: 'USD' };
  const path = `/v2/${account_id}/payout`;
  type Made = { payout_status_id: string };
  const made = await api.must<Made>(201, 'invoicing', 'POST', path, { body });
  await api.must(200, 'invoicing', 'PATCH', `${path}/${made.payout_status_id}`);
  const [sent] = await db.query<{ id: string }>({
    text: 'select id from transfer where resource_id = $1',
    values: [made.payout_status_id],
  });
  const endToEnd = sent?.id.replaceAll('-', '') ?? '';
  return { account_id, payout: made.payout_status_id, endToEnd };
}

async function statusOf({ account_id, payout }: Waiting): Promise<readonly string[]> {
  type Seen = { status: string; failure_code: string };
  const path = `/v2/${account_id}/payout/${payout}`;
  const seen = await platform.api.must<Seen>(200, 'invoicing', 'GET', path);
  return [seen.status, seen.failure_code];
}

async function says(answer: Promise<Page>, status: number, ...words: string[]): Promise<Page> {
  const page = await answer;
  assert.equal(page.status, status, page.text);
  for (const word of words) assert.ok(page.text.includes(word), `${word} is not in ${page.text}`);
  return page;
}

/** Makes a file; gives its page and its digest. */
async function made(more = {}): Promise<{ readonly path: string; readonly sha256: string }> {
  const fields = { currency: 'USD', format: 'pain.001', execute_on: '', ...more };
  const path = (await says(at('ruth').post('/payout-files', fields), 303)).location ?? '';
  const { text } = await says(at('ruth').get(path), 200, 'Another person must confirm');
  return { path, sha256: /<span class="code">([0-9a-f]{64})<\/span>/.exec(text)?.[1] ?? '' };
}

async function confirmed(path: string, sha256: string): Promise<void> {
  const code = await codeOf(people['sven'] as Credentials);
  await says(at('sven').post(`${path}/confirm`, { sha256, code }), 303);
  await says(at('sven').get(path), 200, 'Confirmed: the file can be handed over');
}

test('a file goes from one person by another to the bank, and the bank settles it', async () => {
  const sent = [await waiting(), await waiting()];
  await says(at('vera').get('/'), 200, 'Payouts to collect into a file');
  const list = await says(at('vera').get('/payout-files'), 200, 'Bank account ending in 4300');
  assert.doesNotMatch(list.text, /<button>Make|NL91|ngstr/);
  await says(at('vera').post('/payout-files', { currency: 'USD', format: 'pain.001' }), 403);
  const { path, sha256 } = await made();
  const over = `${path}/hand-over`;
  await says(at('ruth').post(over), 400, 'PAYOUT_FILE_NOT_CONFIRMED');
  await says(at('ruth').post(`${path}/confirm`, { sha256, code: '000000' }), 403);
  await says(at('sven').get(path), 200, '39.60 USD', 'name="code"');
  await confirmed(path, sha256);
  await says(at('vera').post(over), 403);
  await says(at('ruth').post(`${path}/download`), 303);
  await says(at('ruth').get(path), 200, 'Hand the file over first.');
  const answers = await Promise.all([1, 2, 3].map(() => at('ruth').post(over)));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 400, 400]);
  for (let time = 0; time < 2; time += 1) {
    const { status, text, headers } = await at('ruth').post(`${path}/download`);
    assert.equal(status, 200);
    assert.equal(createHash('sha256').update(text).digest('hex'), sha256);
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="payouts-USD-/);
  }
  const id = path.split('/').at(-1) ?? '';
  const message = id.replaceAll('-', '');
  const word = { what: 'debited', payout: message, reference: 'B-1' };
  await says(at('ruth').post(`${path}/bank`, word), 403);
  await says(at('sven').post(`${path}/bank`, { ...word, what: 'returned' }), 400, 'INVALID_FIELD');
  await says(at('sven').post(`${path}/bank`, { ...word, payout: newUuid() }), 404);
  await says(at('sven').post(`${path}/bank`, { ...word, reference: ' ' }), 400, 'INVALID_FIELD');
  await says(at('sven').post(`${path}/bank`, word), 303);
  await says(at('sven').get(path), 200, 'Recorded.', 'settled');
  await says(at('sven').post(`${path}/bank`, word), 303);
  await says(at('sven').get(path), 200, 'Known before: nothing was changed.');
  const back = { what: 'returned', payout: sent[1]?.endToEnd ?? '', reference: 'B-2' };
  await says(at('sven').post(`${path}/bank`, back), 303);
  const ends = await Promise.all(sent.map(statusOf));
  assert.deepEqual(ends, [['SUCCESS', ''], ['FAILED', 'generic_error']]);
  assert.deepEqual(await audited(id), [
    ...['collect ruth', 'confirm sven', 'hand_over ruth'],
    ...['payout_file_downloaded ruth', 'payout_file_downloaded ruth', 'settle sven'],
  ]);
});

/** What the audit has about a file: its steps and acts, with who did them. */
async function audited(id: string): Promise<readonly string[]> {
  const rows = await platform.db.query<{ what: string; actor: string }>({
    text: `with chained as (select id, version from audit_pending
        union select id, version from audit_line)
      select event as what, actor from history s join chained c on c.id = s.resource_id
        and c.version = s.version where s.resource_id = $1
      union all select act, actor from audit_entry e join chained c on c.id = e.id
        where e.subject = $1::text order by what`,
    values: [id],
  });
  const name = (actor: string): string | undefined =>
    Object.keys(people).find((one) => actor === `operator:${people[one]?.id}`);
  return rows.map(({ what, actor }) => `${what} ${name(actor)}`);
}

test('who made a file, or gave the second one access, does not confirm it', async () => {
  await waiting();
  const sven = people['sven'] as Credentials;
  const fields = { currency: 'USD', format: 'pain.001', execute_on: '2026-12-01' };
  const path = (await says(at('sven').post('/payout-files', fields), 303)).location ?? '';
  const seen = await says(at('sven').get(path), 200, 'Another person must confirm');
  assert.doesNotMatch(seen.text, /name="code"/);
  const sha256 = /<span class="code">([0-9a-f]{64})/.exec(seen.text)?.[1] ?? '';
  const own = { sha256, code: await codeOf(sven) };
  await says(at('sven').post(`${path}/confirm`, own), 400, 'PAYOUT_FILE_SECOND_PERSON');
  const ines = people['ines'] as Credentials;
  for (const code of ['', '000000', 'abcdef']) {
    await says(at('ines').post(`${path}/confirm`, { sha256, code }), 303);
    await says(at('ines').get(path), 200, 'The code is wrong or was used', 'collected');
  }
  const code = await codeOf(ines);
  const wrong = { sha256: 'f'.repeat(64), code };
  await says(at('ines').post(`${path}/confirm`, wrong), 400, 'PAYOUT_FILE_DIGEST');
  await says(at('ines').post(`${path}/confirm`, { sha256, code }), 303);
  await says(at('ines').get(path), 200, 'The code is wrong or was used');
  const who = { id: ines.id, password: false };
  const reset = await resetOperator(services, who, `operator:${sven.id}`);
  const after = await signedIn(base, { ...reset, password: ines.password });
  const again = { ...ines, ...reset };
  const late = { sha256, code: await codeOf(again) };
  await says(after.post(`${path}/confirm`, late), 400, 'PAYOUT_FILE_SECOND_PERSON');
  await says(at('ruth').post(`${path}/cancel`), 303);
  await says(at('ruth').get(path), 200, 'Cancelled: its payouts wait for the next file.');
  await says(at('ruth').post(`${path}/cancel`), 400, 'PAYOUT_FILE_CANCELLED');
});

test('guesses at the code are slowed down', async () => {
  const { path, sha256 } = await made();
  for (let n = 0; n < 6; n += 1) {
    await says(at('sven').post(`${path}/confirm`, { sha256, code: '000000' }), 303);
  }
  await says(at('sven').get(path), 200, 'Too many attempts');
  await platform.db.query('delete from operator_throttle');
  await says(at('ruth').post(`${path}/cancel`), 303);
});

test('a CSV takes its columns from a file once, and then from the last one', async () => {
  const fields = { currency: 'USD', format: 'csv', execute_on: '' };
  const columns = [{ header: 'to', field: 'iban' }, { header: 'sum', field: 'amount' }];
  const mapping = JSON.stringify({ delimiter: ';', columns });
  const wrong = at('ruth').upload('/payout-files', fields, 'columns', '{"columns": 1}');
  await says(wrong, 400, 'INVALID_FIELD', 'columns');
  await says(at('ruth').post('/payout-files', { ...fields, format: 'x' }), 400, 'INVALID_FIELD');
  await says(at('ruth').post('/payout-files', { ...fields, execute_on: '1' }), 400, 'execute_on');
  const upload = await at('ruth').upload('/payout-files', fields, 'columns', mapping);
  await says(at('ruth').post(`${upload.location ?? ''}/cancel`), 303);
  const { path, sha256 } = await made({ format: 'csv' });
  await confirmed(path, sha256);
  await says(at('ruth').post(`${path}/hand-over`), 303);
  const { text } = await at('ruth').post(`${path}/download`);
  assert.equal(text, 'to;sum\r\nNL91ABNA0417164300;19.80\r\n');
});

test('what can never be paid is rejected, but not while an open file lists it', async () => {
  const one = await waiting('FR1420041010050500013M02606');
  const word = { payout: one.endToEnd, reference: 'the seller mistyped it' };
  const { path } = await made();
  await says(at('sven').post('/payout-files/reject', word), 400, 'Cancel the file first');
  await says(at('ruth').post(`${path}/cancel`), 303);
  await says(at('ruth').post('/payout-files/reject', word), 403);
  const list = await says(at('sven').get('/payout-files'), 200, 'Reject the payout');
  assert.ok(list.text.includes(`value="${one.endToEnd}"`));
  await says(at('sven').post('/payout-files/reject', { ...word, payout: 'x' }), 400);
  await says(at('sven').post('/payout-files/reject', word), 303);
  const left = ['Rejected: the money goes back', 'No payout waits'];
  await says(at('sven').get('/payout-files'), 200, ...left);
  const [status, code] = await statusOf(one);
  assert.ok(status === 'FAILED' || status === 'SYSTEM-REJECTED', status);
  assert.equal(code, 'bank_account_unreachable');
});

test('other tenants have no such file', async () => {
  const { text } = await at('vera').get('/payout-files');
  const path = /href="(\/payout-files\/[^"]+)"/.exec(text)?.[1] ?? '';
  const { integrator } = await platform.tenant();
  const [other] = await platform.db.query<{ workspace: number }>({
    text: 'select workspace from workspace where integrator = $1',
    values: [integrator],
  });
  await says(at('vera').post('/tenant', { workspace: String(other?.workspace) }), 303);
  await says(at('vera').get(path), 404, 'PAYOUT_FILE_NOT_FOUND');
  await says(at('vera').get('/payout-files'), 200, 'No file was made yet.');
});
