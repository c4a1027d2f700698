// A marker in every personal field, then ordinary work, bad requests and kills: no output, answer,
// file, log or table dump may hold one, except as listed. [PD1, PD2, ID8]
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { joinEmbedded } from '../../src/db/embedded/index.ts';
import { Database } from '../../src/db/index.ts';
import type { HostName } from '../../src/core/operation.ts';
import { Api, type Call, type Ready, type Reply } from '../kit/api.ts';
import { dataFolder, startNode } from '../kit/platform.ts';
import type { Launched } from '../start/launch.ts';
import { formsOf, MARKS, Search } from '../vault/canary.ts';
import {
  applicant,
  BORN,
  canaries,
  digits,
  documents,
  mark,
  person,
  PHONE,
  SSN,
  TAX,
  WRONG,
} from '../vault/planted.ts';

const folder = dataFolder();
/** Not personal: it shows that the search finds what does lie in a sink. */
const CONTROL = 'Kwpfzg77';
const personal = new Search([
  ...MARKS,
  ...[SSN, PHONE, TAX].flatMap((text) => [text, digits(text)]),
  BORN,
]);
const runs: Launched[] = [];
const told: Buffer[] = [];
const answers: { readonly what: string; readonly bytes: Buffer }[] = [];
const secrets: string[] = [];
let receiver: Server;
let node: Launched;
let ready: Ready;
let api: Api;

/**
 * What the contract has answered to the caller: its own account's fields [G-20], and the name of a
 * field that it sent and nobody knows [G-72].
 */
const SHOWN = [
  ...['registerAccount', 'updateUserInfo', 'getUserInfo', 'searchUserInfo'],
  'unknown name',
];

/** One call; its answer is kept for the search unless the contract shows the fields. */
async function call(
  what: string,
  host: HostName,
  method: string,
  path: string,
  more: Call = {},
): Promise<Reply> {
  const reply = await api.send(host, method, path, more);
  const head = JSON.stringify([...reply.headers]);
  if (!SHOWN.includes(what)) answers.push({ what, bytes: Buffer.from(head + reply.text) });
  return reply;
}

async function must(status: number, ...args: Parameters<typeof call>) {
  const reply = await call(...args);
  assert.equal(reply.status, status, `${args[0]}: ${reply.text}`);
  return reply.payload as Record<string, unknown>;
}

async function start(): Promise<void> {
  const { port } = receiver.address() as AddressInfo;
  const env = { HOLDFAST_DATA_DIR: folder, HOLDFAST_ACCESS_LOG: '1', HOLDFAST_DEBUG: '1' };
  node = await startNode(env, ['--forward-to', `http://127.0.0.1:${port}/hook`]);
  runs.push(node);
  ready = (await node.ready()) as unknown as Ready;
  api = await Api.open(ready);
  secrets.push(ready.client.client_secret, await api.token());
  secrets.push(ready.webhook.secret, ready.webhook.secret.replace('whsec_', ''));
}

before(async () => {
  receiver = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => told.push(chunk));
    const { authorization: _token, ...headers } = request.headers;
    told.push(Buffer.from(JSON.stringify(headers)));
    request.on('end', () => response.end());
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  await start();
});
after(async () => {
  node.child.kill('SIGTERM');
  await node.ended;
  receiver.closeAllConnections();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

async function userToken(account_id: string): Promise<string> {
  const wish = { account_id, return_token: true, mechanism: 'widget', flow: 'kyc' };
  const path = '/authorize/user';
  const reply = await must(200, 'authorizeUser', 'auth', 'POST', path, { body: wish });
  const { token: pair } = reply as unknown as { token: Record<string, string> };
  secrets.push(pair['access_token'] ?? '', pair['refresh_token'] ?? '');
  const nonce = /nonce=([^&"]+)/.exec(JSON.stringify(reply))?.[1];
  if (nonce !== undefined) secrets.push(nonce);
  return pair['access_token'] ?? '';
}

async function registered(key?: string): Promise<{ account_id: string; username: string }> {
  const username = mark('username');
  const body = { username, ...person('registered') };
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const more = { body, headers };
  const { account_id } = await must(200, 'registerAccount', 'accounts', 'POST', '/register', more);
  return { account_id: String(account_id), username };
}

/** The states that nobody but the vendor ends. */
async function settled(user: string): Promise<string> {
  for (let tries = 0; tries < 100; tries += 1) {
    const own = { token: user };
    const { state } = await must(200, 'getKYCApplication', 'pii', 'GET', '/v2/kyc', own);
    if (state !== 'PROCESSING') return String(state);
    await pause(100);
  }
  throw new Error('the vendor does not decide');
}

async function submitted(home: boolean): Promise<string> {
  const { account_id } = await registered();
  const user = await userToken(account_id);
  const record = {
    file_name: `${mark('file_name')}.pdf`,
    file_ext: '.pdf',
    file_mime_type: 'application/pdf',
    file_contents: documents()['pdf'],
  };
  const body = { kyc_pii: applicant(home), extra_files: [record] };
  const more = { body, token: user, headers: { 'idempotency-key': mark('kyc key') } };
  await must(200, 'submitKYC', 'pii', 'POST', '/v2/kyc', more);
  await must(200, 'submitKYC', 'pii', 'POST', '/v2/kyc', more);
  await settled(user);
  return account_id;
}

test('ordinary work, with a marker in every personal field', { timeout: 120_000 }, async () => {
  const { account_id, username } = await registered(mark('key of a registration'));
  const update = { body: person('updated'), headers: { 'idempotency-key': mark('update key') } };
  const path = `/user-info/${account_id}`;
  await must(200, 'updateUserInfo', 'accounts', 'PUT', path, update);
  await must(200, 'updateUserInfo', 'accounts', 'PUT', path, update);
  await must(200, 'getUserInfo', 'accounts', 'GET', `/v1/user-info/${account_id}`);
  const search = `/v1/user-info/search?username=${username}`;
  await must(200, 'searchUserInfo', 'accounts', 'GET', search);
  const block = { account_id, block_capability: 'login', block_reason: 'x' };
  const noted = { ...block, note: mark('block note') };
  await must(200, 'blockAccount', 'accounts', 'POST', '/v2/block', { body: noted });
  const { block_reason: _reason, ...lift } = { ...block, note: mark('unblock note') };
  await must(200, 'unblockAccount', 'accounts', 'POST', '/v2/unblock', { body: lift });
  const accepted = await submitted(true);
  await submitted(false);
  await must(200, 'setState', 'pii', 'PUT', `/v2/kyc/account/${accepted}/state`, {
    body: { state: 'ACCEPT' },
  });
  const recheck = { body: { note: mark('recheck note') } };
  await must(200, 'recheckKYC', 'pii', 'POST', `/v1/kyc/${accepted}/recheck`, recheck);
  const taxed = await registered();
  const tax = {
    ...Object.fromEntries(
      ['first', 'last', 'street', 'city', 'signature'].map((one) => [one, mark(`tax ${one}`)]),
    ),
    ...{ state: 'CA', zip: '94110', country: 'US', ssn: TAX },
  };
  const user = await userToken(taxed.account_id);
  const form = { body: { form: 'tax', kyc_pii: tax }, token: user };
  await must(200, 'submitKYC', 'pii', 'POST', '/v2/kyc', form);
  await refunded();
});

/** A sale that is refunded with a note about the buyer. */
async function refunded(): Promise<void> {
  const { buyer, seller } = ready.accounts;
  const part = { amount: 100, currency: 'USD' };
  const line = { ...part, transaction_type: 'user_to_user', product_sku: 'sku' };
  const recipient = { ...part, destination_wallet_id: seller.wallet_id };
  const body = {
    account_id: buyer.account_id,
    reference_type: 'test',
    reference_id: CONTROL,
    payment_methods: [{ payment_method_id: buyer.wallet_payment_method_id, amount: 0 }],
    line_items: [{ ...line, recipients: [recipient] }],
  };
  const made = await must(201, 'createInvoice', 'invoicing', 'POST', '/v2/invoice', { body });
  const { invoice_id } = made;
  await call('payInvoice', 'invoicing', 'POST', `/v2/invoice/${String(invoice_id)}/pay`);
  await pause(500);
  const wish = { invoice_id, reason: 'other', note: mark('refund note') };
  await must(200, 'refundInvoice', 'invoicing', 'POST', '/v2/refund', { body: wish });
}

test('bad requests, with markers in wrong places', { timeout: 60_000 }, async () => {
  for (const [what, host, method, path, more] of WRONG) {
    const { status } = await call(what, host, method, path, more());
    assert.ok(status >= 400 && status < 500, `${what}: ${status}`);
  }
  const user = await userToken((await registered()).account_id);
  const bad = (change: object): Call => ({
    token: user,
    body: { kyc_pii: { ...applicant(true), ...change } },
  });
  const changes: readonly object[] = [
    { first: [mark('kyc list')] },
    { ssn: mark('kyc wrong ssn') },
    { date_of_birth: mark('kyc wrong birth') },
    { nickname: mark('kyc unknown field') },
    { document_front: mark('kyc no file') },
    { document_front: `data:image/png;base64,${Buffer.from(mark('x')).toString('base64')}` },
    { street: `${mark('kyc street with a tax number')} ${SSN}` },
  ];
  for (const change of changes) {
    const { status } = await call('submitKYC', 'pii', 'POST', '/v2/kyc', bad(change));
    assert.equal(status, 400);
  }
});

test('kills while people register and submit', { timeout: 180_000 }, async () => {
  for (let kill = 0; kill < 3; kill += 1) {
    const busy = Array.from({ length: 6 }, (_, n) =>
      (n % 2 === 0 ? registered() : submitted(n === 1)).catch(() => null),
    );
    await pause(30 + 120 * kill);
    node.child.kill('SIGKILL');
    await Promise.all([...busy, node.ended]);
    await start();
  }
  await submitted(false);
});

test('no sink has a marker or a secret', { timeout: 120_000 }, async () => {
  assert.ok(canaries.planted >= 60, `only ${canaries.planted}`);
  await pause(1_500);
  const said = (hits: readonly string[]): string[] =>
    hits.map((hit) => `${hit}  (${canaries.fieldOf(hit)})`);
  const secret = new Search(secrets.filter((text) => text !== ''));
  const found: Record<string, string[]> = {};
  for (const [at, run] of runs.entries()) {
    // The ready line says the client's secret, and that of webhooks, by contract. [G-02]
    const out = Buffer.from(run.stdout().split('\n').slice(1).join('\n') + run.stderr());
    found[`output of run ${at + 1}`] = [...personal.in(out), ...secret.in(out)];
  }
  assert.ok(told.length > 10, 'no event arrived');
  found['events'] = personal.in(Buffer.concat(told));
  found['answers'] = answers.flatMap(({ what, bytes }) =>
    personal.in(bytes).map((hit) => `${what}: ${hit}`),
  );
  const dump = await dumped();
  found['dump'] = [...personal.in(dump), ...secret.in(dump)];
  node.child.kill('SIGTERM');
  await node.ended;
  // The programs of the database are not data; they are the same in every installation.
  const programs = join(folder, 'programs');
  const kept = (path: string): boolean => path.startsWith(programs);
  for (const [what, search] of [['personal', personal], ['secret', secret]] as const) {
    const { hits, bytes } = search.below(folder, kept);
    found[`${what} in files`] = hits;
    assert.ok(bytes > 10_000_000, `only ${bytes} bytes of files`);
  }
  const control = new Search([CONTROL]);
  assert.ok(control.in(dump).length > 0, 'the dump is searched');
  const lies = control.below(folder, kept).hits.map((hit) => hit.split(':')[0] ?? '');
  assert.ok(lies.some((path) => path.includes('pg_wal')), 'the log is searched');
  assert.ok(lies.some((path) => path.includes('/base/')), 'the tables are searched');
  const all = Object.entries(found).map(([sink, hits]) => [sink, said(hits).slice(0, 20)]);
  assert.deepEqual(all.filter(([, hits]) => hits?.length !== 0), []);
});

/** Every row of every table as text. */
async function dumped(): Promise<Buffer> {
  const dataDir = join(folder, 'staging');
  const programsDir = join(folder, 'programs');
  const server = await joinEmbedded({ dataDir, programsDir, ephemeral: false, log: () => {} });
  const db = new Database({ url: server.url, max: 1 });
  try {
    const tables = await db.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    assert.ok(tables.length > 40);
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await db.query<{ row: string }>(`select t::text as row from ${name} t`);
      texts.push(name, ...rows.map(({ row }) => row));
    }
    return Buffer.from(texts.join('\n'));
  } finally {
    await db.close();
    await server.stop();
  }
}

test('every form of a text is found', () => {
  const search = new Search(['Zqxjkv']);
  for (const form of formsOf('Zqxjkv')) {
    const text = Buffer.concat([Buffer.from('\0before'), form, Buffer.from('after')]);
    assert.ok(search.in(text).length > 0, form.toString('latin1'));
  }
  for (const lead of ['', 'a', 'ab']) {
    const packed = Buffer.from(`${lead}Zqxjkv1x`).toString('base64');
    assert.ok(search.in(Buffer.from(packed)).length > 0, packed);
  }
  assert.deepEqual(search.in(Buffer.from('zqx jkv')), []);
});
